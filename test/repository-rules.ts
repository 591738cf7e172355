import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { parseAst } from 'vitest/node';

/** What a check found: the file, the line where there is one, and what is wrong with it. */
export type Violation = string;

/** A node of the syntax tree, as ESTree and its TypeScript extension name them. */
interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

type Visit = (node: SyntaxNode, parent: SyntaxNode | null, field: string) => void;

function walk(node: SyntaxNode, visit: Visit, parent: SyntaxNode | null = null, field = ''): void {
  visit(node, parent, field);
  for (const [name, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) walk(child, visit, node, name);
    }
  }
}

/** The syntax tree of a TypeScript file. A file that does not parse throws: no check may pass over it. */
function parse(path: string, source: string): SyntaxNode {
  const lang = path.endsWith('.ts') ? 'ts' : 'js';
  return parseAst(source, { lang, sourceType: 'module' }, path) as unknown as SyntaxNode;
}

function at(path: string, source: string, node: SyntaxNode): string {
  return `${path}:${source.slice(0, node.start).split('\n').length}`;
}

function inFolder(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}

/** The second table of docs/architecture.md: what the folders of `shared/` may import beside themselves. */
const SHARED_MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  contracts: [],
  numeric: [],
  arrays: ['contracts'],
  random: ['numeric'],
  table: ['contracts'],
  model: ['contracts', 'numeric', 'arrays', 'random', 'table'],
  masking: ['table', 'numeric', 'random'],
  utility: ['table', 'numeric'],
  risk: ['contracts', 'numeric', 'random', 'table', 'model'],
  storage: ['contracts'],
  artifacts: ['contracts', 'arrays', 'random', 'table', 'model', 'risk', 'storage'],
  report: ['contracts'],
  cost: ['contracts'],
  // Its last step writes the report, so that `report` counts among what stands above it.
  pipeline: [
    ...['contracts', 'numeric', 'arrays', 'random', 'table', 'model', 'masking', 'risk', 'utility'],
    ...['storage', 'artifacts', 'report'],
  ],
  estimate: [
    ...['contracts', 'numeric', 'random', 'table', 'model', 'risk', 'storage', 'artifacts', 'cost'],
    'pipeline',
  ],
};

/** The first table of docs/architecture.md: folders whose imports are restricted; in others anything goes. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  infra: ['shared/contracts'],
  functions: ['shared'],
  cli: ['shared'],
  kernels: [],
  ...Object.fromEntries(
    Object.entries(SHARED_MAY_IMPORT).map(([folder, others]) => [
      `shared/${folder}`,
      others.map((other) => `shared/${other}`),
    ]),
  ),
};

/** What stands in a folder's tables for the files of the folder itself. */
const OWN_FILES = '.';

/**
 * The third table of docs/architecture.md: what the parts of a folder may import of its other parts. Parts are its
 * sub-folders, its own files together, and a file of its own that is named.
 */
const PARTS_MAY_IMPORT: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'shared/contracts': {
    [OWN_FILES]: [],
    config: [OWN_FILES],
    run: [OWN_FILES, 'config'],
    results: [OWN_FILES, 'config', 'run'],
    settings: [OWN_FILES, 'config', 'results'],
    cloud: [OWN_FILES, 'run'],
  },
  'shared/table': {
    [OWN_FILES]: [],
    files: [OWN_FILES],
    support: [OWN_FILES, 'files'],
  },
  'shared/model': {
    chains: [],
    dpmpm: ['chains'],
    'dp-areal': ['chains'],
    cart: [],
    conjugate: [],
    [OWN_FILES]: ['chains', 'dpmpm', 'dp-areal'],
  },
  'shared/risk': {
    intruder: [],
    prior: ['intruder'],
    scoring: ['intruder'],
    attribute: ['intruder', 'prior', 'scoring'],
    cells: ['intruder', 'scoring', 'attribute'],
    calibration: ['intruder', 'scoring', 'attribute'],
    matching: [],
    identification: ['matching'],
    bounds: ['matching', 'identification'],
    privacy: [],
    exact: ['intruder', 'attribute', 'cells'],
    trees: [],
  },
  'shared/pipeline': {
    rounds: [],
    plan: ['rounds'],
    fit: ['rounds'],
    assess: ['rounds'],
    tasks: ['rounds', 'fit', 'assess'],
    tables: ['rounds', 'assess'],
    results: ['rounds', 'tables'],
    life: ['rounds', 'plan', 'results'],
  },
  'shared/report': {
    page: [],
    words: [],
    charts: ['page', 'words'],
    sections: ['page', 'words', 'charts'],
    [OWN_FILES]: ['page', 'words', 'charts', 'sections'],
  },
  cli: {
    flags: [],
    run: ['flags'],
    print: ['run'],
    cloud: ['run', 'print'],
    commands: ['flags', 'run', 'print', 'cloud'],
    [OWN_FILES]: ['commands'],
  },
  'cli/commands': {
    cloud: [],
    dp: [],
    [OWN_FILES]: ['cloud', 'dp'],
  },
  infra: {
    'settings.ts': [],
    constructs: ['settings.ts'],
    workflow: ['settings.ts', 'constructs'],
    [OWN_FILES]: ['settings.ts', 'constructs', 'workflow'],
  },
  kernels: {
    math: [],
    random: ['math'],
    sampler: ['math', 'random'],
    ratios: ['math'],
    cells: ['math'],
    [OWN_FILES]: ['math'],
  },
};

/** Folders on the way to a result: no Node, no clock, no environment. */
const PURE_FOLDERS = [
  ...['contracts', 'numeric', 'arrays', 'random', 'table', 'model', 'masking', 'risk', 'utility', 'cost'],
].map((folder) => `shared/${folder}`);

/** Globals that know of the machine, the time or chance. */
const IMPURE_GLOBALS = new Set(['process', 'Buffer', 'Date', 'performance', 'require', 'global']);
/** Globals through which WebCrypto is reached: for the SHA-256 of run ids, in contracts alone. */
const CRYPTO_GLOBALS = new Set(['globalThis', 'crypto']);

/** Functions of `Math` whose last bits differ between processors and versions of Node. */
const INEXACT_MATH = new Set([
  ...['log', 'log1p', 'log2', 'log10', 'exp', 'expm1', 'pow'],
  ...['sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'atan2'],
  ...['sinh', 'cosh', 'tanh', 'asinh', 'acosh', 'atanh'],
]);

/** Every module that a file names: imports, re-exports, `import()` and types imported in place. */
function importsOf(tree: SyntaxNode): { specifier: string; node: SyntaxNode }[] {
  const found: { specifier: string; node: SyntaxNode }[] = [];
  walk(tree, (node) => {
    const { source } = node;
    if (isNode(source) && source.type === 'Literal' && typeof source.value === 'string') {
      found.push({ specifier: source.value, node });
    }
  });
  return found;
}

function isRelative(specifier: string): boolean {
  return specifier.startsWith('.');
}

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
  return folder in MAY_IMPORT || posix.basename(folder) in above || inFolder(path, 'functions');
}

/** Whether the third table allows an import, in every folder that holds both files. */
function partsAllow(path: string, target: string): boolean {
  return Object.entries(PARTS_MAY_IMPORT)
    .filter(([folder]) => inFolder(path, folder) && inFolder(target, folder))
    .every(([folder, parts]) => {
      const [from, to] = [partOf(folder, path), partOf(folder, target)];
      return from === to || parts[from]?.includes(to) === true;
    });
}

/** Imports that the tables of docs/architecture.md do not allow, by folder; libraries are free. */
export function importViolations(path: string, source: string): Violation[] {
  const home = Object.keys(MAY_IMPORT).find((folder) => inFolder(path, folder));
  if (home === undefined ? inFolder(path, 'shared') : !isListed(path)) {
    return [`${path}: not in a folder that docs/architecture.md lists`];
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
    return partsAllow(path, target)
      ? []
      : [`${at(path, source, node)}: ${posix.dirname(path)} may not import ${target}`];
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
      [...edges]
        .filter(([to]) => inCircle(from, to))
        .map(([to, why]) => `${folder}: ${from} and ${to} are in a circle: ${why}`),
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

/** Whether an identifier names a member (`x.process`, `{ process: 1 }`) and so refers to no variable. */
function isMemberName(parent: SyntaxNode | null, field: string): boolean {
  if (parent === null || parent.computed === true) return false;
  return field === 'key' || (field === 'property' && parent.type === 'MemberExpression');
}

/** Node's modules and globals that know of machine, time or chance, in the folders on the way to a result. */
export function purityViolations(path: string, source: string): Violation[] {
  if (!PURE_FOLDERS.some((folder) => inFolder(path, folder))) return [];
  const tree = parse(path, source);
  const found = importsOf(tree)
    .filter(({ specifier }) => isBuiltin(specifier))
    .map(({ specifier, node }) => `${at(path, source, node)}: imports ${specifier}`);
  walk(tree, (node, parent, field) => {
    if (node.type !== 'Identifier' || isMemberName(parent, field)) return;
    const name = String(node.name);
    const cryptoHere = CRYPTO_GLOBALS.has(name) && !inFolder(path, 'shared/contracts');
    if (IMPURE_GLOBALS.has(name) || cryptoHere) found.push(`${at(path, source, node)}: uses ${name}`);
  });
  return found;
}

/** The member of `Math` that a node names: `Math.log`, `Math['log']`; for any other use of `Math`, `*`. */
function mathMember(node: SyntaxNode, parent: SyntaxNode | null, field: string): string | null {
  if (node.type !== 'Identifier' || node.name !== 'Math' || isMemberName(parent, field)) return null;
  if (parent?.type !== 'MemberExpression' || field !== 'object' || !isNode(parent.property)) return '*';
  const { property } = parent;
  if (parent.computed !== true) return String(property.name);
  return typeof property.value === 'string' ? property.value : '*';
}

/** `Math.random` in shared/ and cli/, where one seed decides everything. */
export function chanceViolations(path: string, source: string): Violation[] {
  if (!inFolder(path, 'shared') && !inFolder(path, 'cli')) return [];
  const found: Violation[] = [];
  walk(parse(path, source), (node, parent, field) => {
    const member = mathMember(node, parent, field);
    if (member === 'random') found.push(`${at(path, source, node)}: Math.random; use a named stream`);
    if (member === '*') found.push(`${at(path, source, node)}: Math must be used as Math.name`);
  });
  return found;
}

/** Inexact functions of `Math` and powers in shared/, except in reports, whose bytes no result depends on. */
export function portabilityViolations(path: string, source: string): Violation[] {
  if (!inFolder(path, 'shared') || inFolder(path, 'shared/report')) return [];
  const found: Violation[] = [];
  walk(parse(path, source), (node, parent, field) => {
    const member = mathMember(node, parent, field);
    if (member !== null && INEXACT_MATH.has(member)) {
      found.push(`${at(path, source, node)}: Math.${member}; use shared/numeric/portable-math.ts`);
    }
    if (node.operator === '**' || node.operator === '**=') {
      found.push(`${at(path, source, node)}: the operator ${node.operator}; multiply instead`);
    }
  });
  return found;
}

/** Relative imports in shared/ without the `.ts` that Node and browsers need to find a file. */
export function extensionViolations(path: string, source: string): Violation[] {
  if (!inFolder(path, 'shared')) return [];
  return importsOf(parse(path, source))
    .filter(({ specifier }) => isRelative(specifier) && !specifier.endsWith('.ts'))
    .map(({ specifier, node }) => `${at(path, source, node)}: ${specifier} does not end in .ts`);
}

const DOCUMENTED_FOLDERS = ['shared', 'cli', 'functions', 'infra', 'kernels'];
/** A doc comment with words in it that ends where the text ends; only a linter's order may stand between. */
const DOC_COMMENT_AT_END =
  /\/\*\*(?:(?!\*\/)[\s\S])*\w(?:(?!\*\/)[\s\S])*\*\/\n?(?:[ \t]*\/\/ biome-ignore.*\n)*\s*$/;

/** Exports without a doc comment directly before them. Re-exports are excepted. */
export function documentationViolations(path: string, source: string): Violation[] {
  if (!DOCUMENTED_FOLDERS.some((folder) => inFolder(path, folder))) return [];
  const found: Violation[] = [];
  walk(parse(path, source), (node) => {
    const exported = /^Export(Named|Default)Declaration$/.test(node.type) && !isNode(node.source);
    if (exported && !DOC_COMMENT_AT_END.test(source.slice(0, node.start))) {
      found.push(`${at(path, source, node)}: export without a doc comment`);
    }
  });
  return found;
}

/** Tests that are left out or that leave the others out; `skipIf` with its condition is allowed. */
export function leftOutTestViolations(path: string, source: string): Violation[] {
  if (!inFolder(path, 'test') && !inFolder(path, 'bench')) return [];
  const leftOut = (name: unknown) => isNode(name) && /^(only|skip|todo)$/.test(String(name.name));
  const found: Violation[] = [];
  walk(parse(path, source), (node) => {
    const asMember = node.type === 'MemberExpression' && leftOut(node.property);
    const asOption =
      node.type === 'Property' && leftOut(node.key) && isNode(node.value) && node.value.value === true;
    if (asMember || asOption) found.push(`${at(path, source, node)}: a test that is left out, or runs alone`);
  });
  return found;
}

/** Dependencies whose version is not one exact version: a range may be another program next month. */
export function versionViolations(path: string, source: string): Violation[] {
  const manifest = JSON.parse(source) as Record<string, Record<string, string> | undefined>;
  return ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((group) =>
    Object.entries(manifest[group] ?? {})
      .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([name, version]) => `${path}: ${name} at ${version}, expected one exact version`),
  );
}

/** What only one machine has: absolute paths of its folders, and addresses in the lock file. */
export function machineViolations(path: string, source: string): Violation[] {
  return source.split('\n').flatMap((text, index) => {
    const absolute = /(?:^|[\s'"`(=:,<>[|]|file:\/\/)\/(work|root|home)\//.test(text);
    const address = /"resolved":\s*"http/.test(text);
    return absolute || address ? [`${path}:${index + 1}: names a place of one machine`] : [];
  });
}

/** Marks that git leaves where two versions were not merged. */
export function mergeViolations(path: string, source: string): Violation[] {
  return source
    .split('\n')
    .flatMap((text, index) =>
      /^(<{7}|={7}|>{7})( |$)/.test(text) ? [`${path}:${index + 1}: was not merged`] : [],
    );
}

/** Links of a Markdown file to files that are not there; `exists` answers for paths from the root. */
export function linkViolations(path: string, source: string, exists: (path: string) => boolean): Violation[] {
  const prose = source.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '');
  const inline = [...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g)];
  const references = [...prose.matchAll(/^\s*\[[^\]]+\]:\s*<?([^\s>]+)/gm)];
  return [...inline, ...references].flatMap(([, link]) => {
    const target = decodeURI(link!.replace(/#.*$/, ''));
    if (target === '' || /^[a-z][a-z+.-]*:/i.test(target)) return [];
    const file = target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(path), target);
    return exists(file) ? [] : [`${path}: links to ${target}, which is not there`];
  });
}

/**
 * Paths and source files that a Markdown file names in backticks and that are not there.
 *
 * @param names of all files, without their folders
 */
export function pathViolations(
  path: string,
  source: string,
  exists: (path: string) => boolean,
  names: ReadonlySet<string>,
): Violation[] {
  const quoted = [...source.matchAll(/`([\w./-]+)`/g)].map(([, text]) => text!);
  return quoted
    .filter((text) => {
      // What a hidden folder holds is made on the way.
      if (text.startsWith('.') || text.includes('/.')) return false;
      const [folder] = text.split('/');
      if (text.includes('/')) return exists(folder!) && !exists(text);
      return /\.(ts|mjs)$/.test(text) && !names.has(text);
    })
    .map((text) => `${path}: names ${text}, which is not there`);
}

/** What knip's JSON report complains of: files that nothing reaches, unused exports and dependencies. */
export function deadCodeViolations(report: string): Violation[] {
  const { issues } = JSON.parse(report) as { issues: ({ file: string } & Record<string, unknown>)[] };
  return issues.flatMap(({ file, ...kinds }) =>
    Object.entries(kinds).flatMap(([kind, found]) =>
      (Array.isArray(found) ? found.flat() : []).map(
        (one: { name: string }) => `${file}: ${kind}: ${one.name}`,
      ),
    ),
  );
}
