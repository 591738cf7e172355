import { posix } from 'node:path';
import { at, importsOf, inFolder, isRelative, parse, type Violation } from './repository/syntax.ts';

/** What the folders of `shared/` may import beside themselves. */
const SHARED_MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  contracts: [],
  numeric: [],
  arrays: ['contracts'],
  random: ['numeric'],
  table: ['contracts'],
  model: ['contracts', 'numeric', 'arrays', 'random', 'table'],
  masking: ['contracts', 'table', 'numeric', 'random'],
  utility: ['contracts', 'numeric', 'random', 'table', 'model'],
  compare: ['contracts', 'numeric'],
  risk: ['contracts', 'numeric', 'random', 'table', 'model'],
  storage: ['contracts'],
  artifacts: ['contracts', 'arrays', 'random', 'table', 'model', 'risk', 'storage'],
  report: ['contracts'],
  cost: ['contracts'],
  // Its last step writes the report, so that `report` counts among what stands above it.
  pipeline: [
    ...['contracts', 'numeric', 'arrays', 'random', 'table', 'model', 'masking', 'risk', 'utility'],
    ...['compare', 'storage', 'artifacts', 'report'],
  ],
  estimate: [...['contracts', 'numeric', 'random', 'table', 'storage', 'artifacts', 'cost', 'pipeline', 'utility']],
};

/** Folders whose imports are restricted; in others anything goes. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  infra: ['shared/contracts'],
  functions: ['shared'],
  cli: ['shared', 'examples'],
  'page/engine': ['shared'],
  'page/ui': ['shared', 'page/engine'],
  kernels: [],
  ...Object.fromEntries(
    Object.entries(SHARED_MAY_IMPORT).map(([folder, others]) => [`shared/${folder}`, others.map((other) => `shared/${other}`)]),
  ),
};

/** What stands in a folder's tables for the files of the folder itself. */
const OWN_FILES = '.';

/** What stands for every folder that is not named: a synthesizer has one, which no other sees. */
const SYNTHESIZER = '*';

/**
 * What the parts of a folder may import of its other parts. Parts are its
 * sub-folders, its own files together, and a file of its own that is named.
 */
const PARTS_MAY_IMPORT: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'shared/contracts': {
    [OWN_FILES]: [],
    models: [OWN_FILES],
    config: [OWN_FILES, 'models'],
    run: [OWN_FILES, 'config'],
    results: [OWN_FILES, 'models', 'config', 'run'],
    settings: [OWN_FILES, 'models', 'config', 'results'],
    release: [OWN_FILES, 'config', 'results'],
    cloud: [OWN_FILES, 'run'],
  },
  'shared/contracts/results': { reconstruction: [], tables: [], [OWN_FILES]: ['reconstruction', 'tables'] },
  'shared/table': {
    [OWN_FILES]: [],
    columns: [OWN_FILES],
    files: [OWN_FILES, 'columns'],
    describe: [OWN_FILES, 'columns', 'files'],
    support: [OWN_FILES, 'files'],
  },
  'shared/model': { chains: [], dpmpm: ['chains'], mixed: ['chains', 'dpmpm'], 'dp-areal': ['chains'], cart: [], conjugate: [] },
  'shared/risk': {
    intruder: [],
    prior: ['intruder'],
    scoring: ['intruder'],
    continuous: ['intruder'],
    attribute: ['intruder', 'prior', 'scoring', 'continuous'],
    mixed: ['intruder', 'scoring', 'attribute', 'continuous', 'membership'],
    membership: ['scoring', 'attribute'],
    cells: ['intruder', 'scoring', 'attribute'],
    calibration: ['intruder', 'scoring', 'attribute', 'mixed'],
    reconstruction: ['attribute', 'calibration', 'membership'],
    matching: [],
    copies: [],
    attack: ['matching', 'copies', 'membership'],
    identification: ['matching'],
    bounds: ['matching', 'identification'],
    privacy: [],
    linkage: [],
    exact: ['intruder', 'attribute', 'membership', 'cells'],
    trees: [],
  },
  'shared/utility': { regression: [], [OWN_FILES]: ['regression'] },
  'shared/pipeline': {
    rounds: [],
    copies: ['rounds'],
    synthesizers: ['rounds'],
    methods: ['rounds', 'synthesizers', 'assess'],
    plan: ['rounds', 'files', 'copies', 'synthesizers', 'methods'],
    assess: ['rounds', 'synthesizers'],
    tasks: ['rounds', 'synthesizers', 'assess', 'methods', 'utility'],
    tables: ['rounds', 'assess', 'methods'],
    files: [],
    utility: ['files'],
    compare: [],
    results: ['rounds', 'methods', 'synthesizers', 'tables', 'utility', 'copies'],
    masking: ['files'],
    release: [],
    attack: ['files'],
    public: [],
    life: ['rounds', 'plan', 'tasks', 'results'],
  },
  'shared/pipeline/synthesizers': {
    [SYNTHESIZER]: [OWN_FILES, 'chains'],
    chains: [OWN_FILES],
    [OWN_FILES]: [],
    'synthesizers.ts': [OWN_FILES, SYNTHESIZER],
    'round-tasks.ts': [OWN_FILES, 'synthesizers.ts'],
  },
  'shared/report': {
    page: [],
    words: [],
    figures: ['page', 'words'],
    charts: ['page', 'words'],
    attack: ['page', 'words', 'figures', 'charts'],
    public: ['page', 'words'],
    records: ['page', 'words', 'charts'],
    sections: ['page', 'words', 'figures', 'charts'],
    review: ['page', 'words', 'figures', 'charts', 'sections', 'attack'],
    evidence: ['page', 'words', 'attack', 'review'],
    [OWN_FILES]: ['page', 'words', 'figures', 'charts', 'sections', 'attack', 'review', 'records'],
  },
  'shared/risk/attack': { nearest: [], [OWN_FILES]: ['nearest'] },
  'shared/report/records': { browser: [], [OWN_FILES]: ['browser'] },
  cli: {
    flags: [],
    run: ['flags'],
    print: ['run'],
    cloud: ['run', 'print'],
    usage: [],
    commands: ['flags', 'run', 'print', 'cloud', 'usage'],
    [OWN_FILES]: ['commands', 'print', 'usage'],
  },
  'cli/commands': { batch: [], begin: [], cloud: [], dp: [], [OWN_FILES]: ['batch', 'cloud', 'dp'] },
  infra: {
    'settings.ts': [],
    access: [],
    constructs: ['settings.ts', 'access'],
    workflow: ['settings.ts', 'access', 'constructs'],
    oversight: ['settings.ts', 'access', 'constructs'],
    [OWN_FILES]: ['settings.ts', 'access', 'constructs', 'workflow', 'oversight'],
  },
  kernels: {
    math: [],
    random: ['math'],
    sampler: ['math', 'random'],
    mixed: ['math', 'random', 'sampler'],
    ratios: ['math'],
    cells: ['math'],
    evaluator: ['math'],
    densities: ['math'],
    neighbours: ['math'],
    [OWN_FILES]: [],
  },
};

/** The part of a folder that a path below it belongs to, as {@link PARTS_MAY_IMPORT} names parts. */
function partOf(folder: string, path: string): string {
  const [first, ...rest] = path.slice(folder.length + 1).split('/');
  return rest.length > 0 || first! in (PARTS_MAY_IMPORT[folder] ?? {}) ? first! : OWN_FILES;
}

/** Whether the tables list the folder of a file. Those of the functions are not listed one by one. */
function isListed(path: string): boolean {
  const folder = posix.dirname(path);
  const parts = PARTS_MAY_IMPORT[folder];
  if (parts !== undefined) return OWN_FILES in parts;
  const above = PARTS_MAY_IMPORT[posix.dirname(folder)] ?? {};
  const isPart = posix.basename(folder) in above || SYNTHESIZER in above;
  return folder in MAY_IMPORT || isPart || inFolder(path, 'functions');
}

/** Whether {@link PARTS_MAY_IMPORT} allows an import, in every folder that holds both files. */
function partsAllow(path: string, target: string): boolean {
  return Object.entries(PARTS_MAY_IMPORT)
    .filter(([folder]) => inFolder(path, folder) && inFolder(target, folder))
    .every(([folder, parts]) => {
      const [from, to] = [partOf(folder, path), partOf(folder, target)];
      const named = (part: string) => (part in parts ? part : SYNTHESIZER);
      return from === to || parts[named(from)]?.includes(named(to)) === true;
    });
}

/** Imports that these tables do not allow, by folder; libraries are free. */
export function importViolations(path: string, source: string): Violation[] {
  const home = Object.keys(MAY_IMPORT).find((folder) => inFolder(path, folder));
  if (home === undefined ? inFolder(path, 'shared') : !isListed(path)) {
    return [`${path}: not in a folder that test/repository-rules.ts lists`];
  }
  if (home === undefined) return [];
  const tree = parse(path, source);
  return importsOf(tree).flatMap(({ specifier, node }) => {
    if (/^@aws-sdk\//.test(specifier) && inFolder(path, 'shared') && path !== 'shared/storage/s3-store.ts') {
      return [`${at(path, source, node)}: only shared/storage/s3-store.ts sees the AWS SDK`];
    }
    if (!isRelative(specifier)) return [];
    const target = posix.join(posix.dirname(path), specifier);
    const allowed = [home, ...MAY_IMPORT[home]!].some((folder) => inFolder(target, folder));
    if (!allowed) return [`${at(path, source, node)}: ${home} may not import ${target}`];
    return partsAllow(path, target) ? [] : [`${at(path, source, node)}: ${posix.dirname(path)} may not import ${target}`];
  });
}

/** A TypeScript file of the repository. */
export interface SourceFile {
  readonly path: string;
  readonly source: string;
}

/** For each file the other files that it imports. */
function importGraph(files: readonly SourceFile[]): Map<string, string[]> {
  const paths = new Set(files.map(({ path }) => path));
  return new Map(
    files.map(({ path, source }) => {
      const targets = importsOf(parse(path, source))
        .filter(({ specifier }) => isRelative(specifier))
        .map(({ specifier }) => posix.join(posix.dirname(path), specifier))
        // AssemblyScript names modules without their extension.
        .map((target) => (paths.has(target) ? target : `${target}.ts`));
      return [path, targets.filter((target) => paths.has(target))];
    }),
  );
}

/** What can be reached from a node by one step or more. */
function reached(graph: ReadonlyMap<string, ReadonlyMap<string, string>>, from: string): Set<string> {
  const found = new Set<string>();
  const open = [from];
  while (open.length > 0) {
    for (const next of graph.get(open.pop()!)?.keys() ?? []) {
      if (!found.has(next)) open.push(next);
      found.add(next);
    }
  }
  return found;
}

/**
 * Circles of imports. In every folder its sub-folders and files import each other one way: a circle of files would be
 * one there as well, in the folder that holds all of them.
 */
export function circleViolations(files: readonly SourceFile[]): Violation[] {
  const byFolder = new Map<string, Map<string, Map<string, string>>>();
  for (const [path, targets] of importGraph(files)) {
    const names = path.split('/');
    for (const target of targets) {
      const others = target.split('/');
      const depth = names.findIndex((name, index) => name !== others[index]);
      if (depth < 0) continue;
      const folder = names.slice(0, depth).join('/') || '.';
      const graph = byFolder.get(folder) ?? new Map<string, Map<string, string>>();
      byFolder.set(folder, graph);
      const edges = graph.get(names[depth]!) ?? new Map<string, string>();
      graph.set(names[depth]!, edges);
      edges.set(others[depth]!, `${path} imports ${target}`);
    }
  }
  return [...byFolder].flatMap(([folder, graph]) => {
    const reach = new Map([...graph.keys()].map((name) => [name, reached(graph, name)]));
    const inCircle = (a: string, b: string) => reach.get(a)?.has(b) === true && reach.get(b)?.has(a) === true;
    return [...graph].flatMap(([from, edges]) =>
      [...edges].filter(([to]) => inCircle(from, to)).map(([to, why]) => `${folder}: ${from} and ${to} are in a circle: ${why}`),
    );
  });
}

const MOST_FILES = 20;

/** Folders with more source files of their own than anybody reads through. */
export function crowdedViolations(files: readonly SourceFile[]): Violation[] {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const folder = posix.dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > MOST_FILES)
    .map(([folder, count]) => `${folder}: ${count} files, expected ${MOST_FILES} at most`);
}

/** Relative imports in shared/ without the `.ts` that Node and browsers need to find a file. */
export function extensionViolations(path: string, source: string): Violation[] {
  if (!inFolder(path, 'shared')) return [];
  return importsOf(parse(path, source))
    .filter(({ specifier }) => isRelative(specifier) && !specifier.endsWith('.ts'))
    .map(({ specifier, node }) => `${at(path, source, node)}: ${specifier} does not end in .ts`);
}
