import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { MODEL_NAMES } from '../shared/contracts/models/models.ts';
import {
  chanceViolations,
  documentationViolations,
  firstScenarioViolations,
  leftOutTestViolations,
  modelViolations,
  parameterViolations,
  portabilityViolations,
  purityViolations,
} from './repository/code-rules.ts';
import type { Violation } from './repository/syntax.ts';
import {
  anchorViolations,
  commentViolations,
  deadCodeViolations,
  fetchingViolations,
  linkViolations,
  machineViolations,
  mergeViolations,
  nameViolations,
  pathViolations,
  phraseViolations,
  stringViolations,
  versionViolations,
} from './repository/text-rules.ts';
import { circleViolations, crowdedViolations, extensionViolations, importViolations } from './repository-rules.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What git keeps or would keep: new files are checked before they are committed. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((path) => path !== '' && existsSync(join(root, path)) && statSync(join(root, path)).isFile())
  .map((path) => ({ path, bytes: readFileSync(join(root, path)) }))
  .filter(({ bytes }) => !bytes.includes(0))
  .map(({ path, bytes }) => ({ path, source: bytes.toString('utf8') }));

function violations(name: RegExp, check: (path: string, source: string) => Violation[]): Violation[] {
  return files.filter(({ path }) => name.test(path)).flatMap(({ path, source }) => check(path, source));
}

/** Knip's report on the project in a folder. Its exit code tells only whether the report has entries. */
function knip(directory: string): string {
  const command = join(root, 'node_modules/knip/bin/knip.js');
  const { stdout, stderr, error } = spawnSync(process.execPath, [command, '--reporter', 'json', '--no-progress', '--no-config-hints'], {
    cwd: directory,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error !== undefined) throw error;
  if (!stdout.startsWith('{')) throw new Error(`knip gave no report: ${stderr}${stdout}`);
  return stdout;
}

const typescript = /\.ts$/;

const ownModelViolations = (path: string, source: string) => modelViolations(MODEL_NAMES, path, source);

/** What is found in the syntax of a file. */
const SYNTAX_CHECKS = [
  ...[importViolations, purityViolations, chanceViolations, portabilityViolations, ownModelViolations, extensionViolations],
  ...[documentationViolations, parameterViolations, leftOutTestViolations, firstScenarioViolations],
];

describe('the repository', () => {
  const found = new Map<(typeof SYNTAX_CHECKS)[number], Violation[]>(SYNTAX_CHECKS.map((check) => [check, []]));

  beforeAll(() => {
    // File by file, so that each is parsed once for all checks.
    for (const { path, source } of files.filter((file) => typescript.test(file.path))) {
      for (const check of SYNTAX_CHECKS) found.get(check)!.push(...check(path, source));
    }
  });

  it('has files to check', () => {
    expect(files.map(({ path }) => path)).toContain('package.json');
    expect(files.filter(({ path }) => path.startsWith('shared/')).length).toBeGreaterThan(0);
  });

  it('imports only in the directions of test/repository-rules.ts', () => {
    expect(found.get(importViolations)).toEqual([]);
  });

  it('imports without circles of files or folders', () => {
    expect(circleViolations(files.filter(({ path }) => typescript.test(path)))).toEqual([]);
  });

  it('has no crowded folder', () => {
    expect(crowdedViolations(files.filter(({ path }) => typescript.test(path)))).toEqual([]);
  });

  it('keeps Node, the clock and the environment away from results', () => {
    expect(found.get(purityViolations)).toEqual([]);
  });

  it('has no chance but the named streams', () => {
    expect(found.get(chanceViolations)).toEqual([]);
  });

  it('computes results with portable functions alone', () => {
    expect(found.get(portabilityViolations)).toEqual([]);
  });

  it('asks nowhere which synthesizer it is but among the synthesizers', () => {
    expect(found.get(ownModelViolations)).toEqual([]);
  });

  it('names modules with their extension', () => {
    expect(found.get(extensionViolations)).toEqual([]);
  });

  it('documents every export', () => {
    expect(found.get(documentationViolations)).toEqual([]);
  });

  it('has no function of more than five positional parameters', () => {
    expect(found.get(parameterViolations)).toEqual([]);
  });

  it('leaves no test out', () => {
    expect(found.get(leftOutTestViolations)).toEqual([]);
  });

  it('takes no scenario for all of them', () => {
    expect(found.get(firstScenarioViolations)).toEqual([]);
  });

  it('depends on exact versions', () => {
    expect(violations(/^package\.json$/, versionViolations)).toEqual([]);
  });

  it('names no place of one machine', () => {
    expect(violations(/(?:)/, machineViolations)).toEqual([]);
  });

  it('runs no package that somebody else may publish under its name', () => {
    expect(violations(/(?:)/, fetchingViolations)).toEqual([]);
  });

  it('has no marks of versions that were not merged', () => {
    expect(violations(/(?:)/, mergeViolations)).toEqual([]);
  });

  it('has links that lead somewhere', () => {
    const exists = (path: string) => existsSync(join(root, path));
    expect(violations(/\.md$/, (path, source) => linkViolations(path, source, exists))).toEqual([]);
  });

  it('has links to sections that are there', () => {
    const textOf = (path: string) => files.find((file) => file.path === path)?.source;
    expect(violations(/\.md$/, (path, source) => anchorViolations(path, source, textOf))).toEqual([]);
  });

  it('has pages in plain words, which cite papers by author and year', () => {
    expect(violations(/^(README|docs\/.*)\.md$/, phraseViolations)).toEqual([]);
  });

  it('cites papers by author and year in comments', () => {
    expect(violations(/\.(ts|tsx|mjs)$/, commentViolations)).toEqual([]);
  });

  it('says to people in plain words what it found', () => {
    // Meanings of columns are in Parquet files: they keep their bytes until a version gives other results.
    const stored = /^shared\/(contracts\/results|pipeline)\/tables\/|^shared\/report\/records\/records-script/;
    const programs = /^(cli|functions|infra|localstack|packages|page|scripts|shared)\/.*\.(ts|tsx|mjs|R|py)$/;
    expect(violations(programs, (path, source) => (stored.test(path) ? [] : stringViolations(path, source)))).toEqual([]);
  });

  it('has what its pages name', () => {
    const exists = (path: string) => existsSync(join(root, path));
    const names = new Set(files.map(({ path }) => path.split('/').at(-1)!));
    expect(violations(/\.md$/, (path, source) => pathViolations(path, source, exists, names))).toEqual([]);
    const programs = files.filter(({ path }) => /\.(ts|mjs|json|ya?ml|py|R)$/.test(path));
    const words = new Set(programs.flatMap(({ source }) => source.match(/\w+/g) ?? []));
    const pages = /^(?!CHANGELOG).*\.md$/;
    expect(violations(pages, (path, source) => nameViolations(path, source, words))).toEqual([]);
  });

  it('has no dead files, unused exports or unused dependencies', () => {
    expect(deadCodeViolations(knip(root))).toEqual([]);
  });
});

describe('importViolations()', () => {
  it.each([
    ['shared/numeric/x.ts', "import { runKeys } from '../contracts/keys.ts';"],
    ['shared/random/x.ts', "import type { Config } from '../contracts/config.ts';"],
    ['shared/table/x.ts', "export { log } from '../numeric/portable-math.ts';"],
    ['shared/model/x.ts', "const risk = await import('../risk/attribute-risk.ts');"],
    ['shared/arrays/x.ts', "type Table = import('../table/table.ts').Table;"],
    ['shared/report/x.ts', "import { assess } from '../risk/assess.ts';"],
    ['shared/storage/x.ts', "import { fit } from '../pipeline/fit.ts';"],
    ['shared/contracts/x.ts', "import { main } from '../../cli/main.ts';"],
    ['shared/pipeline/life/x.ts', "import { handler } from '../../../functions/plan-run/handler.ts';"],
    ['cli/x.ts', "import { handler } from '../functions/plan-run/handler.ts';"],
    ['functions/plan-run/handler.ts', "import { main } from '../../cli/main.ts';"],
    ['infra/app.ts', "import { fit } from '../shared/pipeline/fit/fit-chain.ts';"],
    ['kernels/x.ts', "import { log } from '../shared/numeric/portable-math.ts';"],
    ['shared/pipeline/life/x.ts', "import { S3Client } from '@aws-sdk/client-s3';"],
    ['shared/pipeline/synthesizers/x/x.ts', "import { growTree } from '../cart/grow-tree.ts';"],
    ['shared/risk/attribute/x.ts', "import { bounds } from '../bounds/bound-disclosure.ts';"],
    ['shared/contracts/config/x.ts', "import { planSchema } from '../run/plan.ts';"],
    ['shared/contracts/x.ts', "import { configSchema } from './config/config.ts';"],
    ['cli/run/x.ts', "import { main } from '../main.ts';"],
    ['cli/commands/cloud/x.ts', "import { plan } from '../plan.ts';"],
    ['infra/settings.ts', "import { app } from './app.ts';"],
    ['kernels/math/x.ts', "import { normal } from '../random/ziggurat';"],
    ['shared/numeric/deep/x.ts', ''],
    ['shared/risk/misc/x.ts', ''],
    ['shared/risk/bounds/deep/x.ts', ''],
    ['shared/risk/x.ts', ''],
    ['shared/misc/x.ts', ''],
    ['shared/x.ts', ''],
  ])('finds that %s may not hold %s', (path, source) => {
    expect(importViolations(path, source)).toHaveLength(1);
  });

  it.each([
    ['shared/random/x.ts', "import { log } from '../numeric/portable-math.ts';"],
    ['shared/model/chains/x.ts', "import { log } from '../../numeric/portable-math.ts'; import 'zod';"],
    ['shared/pipeline/synthesizers/x/x.ts', "import { fitChain } from '../chains/fit-chain.ts';"],
    ['shared/risk/bounds/x.ts', "import { Table } from '../../table/table.ts'; import { y } from './y.ts';"],
    ['infra/constructs/x.ts', "import type { Settings } from '../settings.ts';"],
    ['kernels/random/x.ts', "import { log } from '../math/portable-math';"],
    ['shared/pipeline/results/x.ts', "import { renderReport } from '../../report/render-report.ts';"],
    ['shared/storage/s3-store.ts', "import { S3Client } from '@aws-sdk/client-s3';"],
    ['cli/commands/x.ts', "import { fit } from '../../shared/pipeline/fit.ts'; import { y } from '../run/y.ts';"],
    ['functions/plan-run/handler.ts', "import { enter } from '../runtime/enter.ts';"],
    ['infra/app.ts', "import { runKeys } from '../shared/contracts/keys.ts';"],
    ['test/x.test.ts', "import { main } from '../cli/main.ts';"],
    ['shared/numeric/x.ts', "// import { runKeys } from '../contracts/keys.ts';"],
  ])('lets %s hold %s', (path, source) => {
    expect(importViolations(path, source)).toEqual([]);
  });

  it('gives the line', () => {
    const source = "import { z } from 'zod';\n\nimport { runKeys } from '../contracts/keys.ts';\n";
    expect(importViolations('shared/numeric/x.ts', source)).toEqual([
      'shared/numeric/x.ts:3: shared/numeric may not import shared/contracts/keys.ts',
    ]);
  });

  it('does not pass over a file that does not parse', () => {
    expect(() => importViolations('shared/numeric/x.ts', 'import {')).toThrow();
  });
});

describe('circleViolations()', () => {
  const file = (path: string, ...specifiers: string[]) => ({
    path,
    source: specifiers.map((specifier) => `import '${specifier}';`).join('\n'),
  });

  it('finds files that import each other, also by way of others and for types alone', () => {
    const files = [
      file('shared/a/x.ts', './y.ts'),
      file('shared/a/y.ts', './z.ts'),
      { path: 'shared/a/z.ts', source: "import type { X } from './x.ts';" },
      file('shared/a/outside.ts', './x.ts'),
    ];
    expect(circleViolations(files)).toEqual([
      'shared/a: x.ts and y.ts are in a circle: shared/a/x.ts imports shared/a/y.ts',
      'shared/a: y.ts and z.ts are in a circle: shared/a/y.ts imports shared/a/z.ts',
      'shared/a: z.ts and x.ts are in a circle: shared/a/z.ts imports shared/a/x.ts',
    ]);
  });

  it('finds folders that import each other where no file does', () => {
    const files = [file('kernels/a/x.ts', '../b/x'), file('kernels/a/y.ts'), file('kernels/b/x.ts'), file('kernels/b/y.ts', '../a/y')];
    expect(circleViolations(files)).toHaveLength(2);
  });

  it('lets the files of a folder stand above and below its folders', () => {
    const files = [file('infra/app.ts', './constructs/x.ts'), file('infra/settings.ts'), file('infra/constructs/x.ts', '../settings.ts')];
    expect(circleViolations(files)).toEqual([]);
  });
});

describe('crowdedViolations()', () => {
  const files = (count: number) => Array.from({ length: count }, (_, index) => ({ path: `shared/a/${index}.ts`, source: '' }));

  it('finds a folder of more than 20 files, and counts no sub-folder', () => {
    expect(crowdedViolations(files(21))).toEqual(['shared/a: 21 files, expected 20 at most']);
    expect(crowdedViolations([...files(20), { path: 'shared/a/b/x.ts', source: '' }])).toEqual([]);
  });
});

describe('purityViolations()', () => {
  it.each([
    "import { readFileSync } from 'node:fs';",
    "import { join } from 'path';",
    'export const seconds = Date.now() / 1000;',
    'export const started = new Date();',
    'export const now = performance.now();',
    'export const threads = process.env.THREADS;',
    "export const bytes = Buffer.from('a');",
    'export const { subtle } = globalThis.crypto;',
    'export const id = crypto.randomUUID();',
    'export const name = { process };',
  ])('finds %s', (source) => {
    expect(purityViolations('shared/risk/x.ts', source)).toHaveLength(1);
  });

  it('lets contracts use WebCrypto, storage use Node, and anyone name a member so', () => {
    const crypto = 'export const digest = crypto.subtle.digest;';
    expect(purityViolations('shared/contracts/x.ts', crypto)).toEqual([]);
    expect(purityViolations('shared/storage/x.ts', "import { promises } from 'node:fs';")).toEqual([]);
    expect(purityViolations('shared/risk/x.ts', '// the process\nconst x = { process: 1 }.process;')).toEqual([]);
  });
});

describe('chanceViolations()', () => {
  it.each(['const x = Math.random();', "const x = Math['random']();", 'const { random } = Math;'])('finds %s', (source) => {
    expect(chanceViolations('shared/random/x.ts', source)).toHaveLength(1);
    expect(chanceViolations('cli/x.ts', source)).toHaveLength(1);
  });

  it('does not mind it in tests, comments and strings', () => {
    expect(chanceViolations('test/x.ts', 'const x = Math.random();')).toEqual([]);
    expect(chanceViolations('shared/random/x.ts', "// Math.random\nconst x = 'Math.random()';")).toEqual([]);
  });
});

describe('portabilityViolations()', () => {
  it.each([
    'const x = Math.log(2);',
    'const x = Math.exp(2);',
    'const x = Math.pow(2, 3);',
    'const x = Math.log10(2);',
    'const x = [1].map(Math.tanh);',
    "const x = Math['atan2'](1, 2);",
    'const x = 3 ** 2;',
    'let x = 3; x **= 2;',
  ])('finds %s', (source) => {
    expect(portabilityViolations('shared/numeric/x.ts', source)).toHaveLength(1);
  });

  it('allows exact functions and constants everywhere, and all of them in reports', () => {
    expect(portabilityViolations('shared/numeric/x.ts', 'const x = Math.sqrt(2) * Math.LN10;')).toEqual([]);
    expect(portabilityViolations('shared/report/x.ts', 'const x = Math.log(2 ** 3);')).toEqual([]);
  });
});

describe('modelViolations()', () => {
  const found = (path: string, source: string) => modelViolations(MODEL_NAMES, path, source);

  it.each([
    "const x = config.model.name === 'other';",
    "if (['cart'].includes(name)) x();",
    'switch (model.name) {}',
    'const { name } = plan.config.model;',
    'const known = NAMES[model.name];',
    'x(summary.model.name);',
  ])('finds %s', (source) => {
    expect(found('shared/risk/x.ts', source)).toHaveLength(1);
    expect(found('cli/x.ts', source)).toHaveLength(1);
  });

  it('lets a name be printed and stored, and synthesizers know themselves', () => {
    const printed = `const x = \`the model \${model.name}\`; const y = { model: config.model.name };`;
    expect(found('shared/risk/x.ts', printed)).toEqual([]);
    const own = "const x = model.name === 'cart';";
    expect(found('shared/contracts/models/x.ts', own)).toEqual([]);
    expect(found('shared/pipeline/synthesizers/cart/x.ts', own)).toEqual([]);
    expect(found('test/x.ts', own)).toEqual([]);
  });
});

describe('extensionViolations()', () => {
  it('finds relative imports without .ts, and leaves libraries alone', () => {
    expect(extensionViolations('shared/risk/x.ts', "import { a } from './a';")).toHaveLength(1);
    expect(extensionViolations('shared/risk/x.ts', "export * from './a.js';")).toHaveLength(1);
    const good = "import { z } from 'zod'; import { a } from './a.ts';";
    expect(extensionViolations('shared/risk/x.ts', good)).toEqual([]);
  });
});

describe('documentationViolations()', () => {
  it.each([
    'export const a = 1;',
    '// a comment\nexport const a = 1;',
    '/* a comment */\nexport const a = 1;',
    '/** */\nexport const a = 1;',
    '/** Of b. */\nconst b = 2;\nexport const a = 1;',
    '/** Of a. */\nexport const a = 1;\nexport interface B {}',
    '/** Of a. */\nexport const a = 1;\nexport type B = 1;',
    'const a = 1;\nexport { a };',
    'export default 1;',
  ])('finds %j', (source) => {
    expect(documentationViolations('shared/risk/x.ts', source)).toHaveLength(1);
  });

  it.each([
    '/** Of a. */\nexport const a = 1;',
    '/**\n * Of a, in `test/**`.\n */\nexport abstract class A {}',
    '/** Of a. */\n// biome-ignore lint/x/y: a reason.\nexport function a() {}',
    "export { a } from './a.ts';\nexport * from './b.ts';",
  ])('accepts %j', (source) => {
    expect(documentationViolations('shared/risk/x.ts', source)).toEqual([]);
  });
});

describe('leftOutTestViolations()', () => {
  it.each([
    "it.only('a', () => {});",
    "describe.skip('a', () => {});",
    "test.todo('a');",
    "it.skip.each([1])('a', () => {});",
    "it('a', (context) => context.skip());",
    "it('a', { only: true }, () => {});",
  ])('finds %s', (source) => {
    expect(leftOutTestViolations('test/x.test.ts', source)).toHaveLength(1);
  });

  it('allows a skip under a condition', () => {
    const source = "it.skipIf(process.platform === 'win32')('a', () => {});";
    expect(leftOutTestViolations('test/x.test.ts', source)).toEqual([]);
  });
});

describe('firstScenarioViolations()', () => {
  it.each(['scenarios[0]', 'plan.config.attributeRisk.scenarios[0]!.prior', 'openScenarios(plan), scenarios!.at(0)'])(
    'finds %s',
    (source) => {
      for (const folder of ['shared/risk', 'cli', 'functions', 'infra']) {
        expect(firstScenarioViolations(`${folder}/x.ts`, source)).toHaveLength(1);
      }
    },
  );

  it.each(['scenarios[1]', 'scenarios[s]', 'rows[0]', 'rows.at(0)'])('lets %s be', (source) => {
    expect(firstScenarioViolations('shared/risk/x.ts', source)).toEqual([]);
    expect(firstScenarioViolations('test/x.ts', 'scenarios[0]')).toEqual([]);
  });
});

describe('deadCodeViolations()', () => {
  it('finds a dead file, an unused export and an unused dependency', () => {
    const directory = mkdtempSync(join(tmpdir(), 'synthrisk-dead-code-'));
    try {
      mkdirSync(join(directory, 'src'));
      const put = (path: string, text: string) => writeFileSync(join(directory, path), text);
      put('package.json', '{"name":"x","type":"module","main":"src/index.ts","dependencies":{"zod":"1.0.0"}}');
      put('src/index.ts', "import { used } from './used.ts';\nconsole.log(used);\n");
      put('src/used.ts', 'export const used = 1;\nexport const unused = 2;\n');
      put('src/dead.ts', 'export const dead = 1;\n');
      expect(deadCodeViolations(knip(directory)).sort()).toEqual([
        'package.json: dependencies: zod',
        'src/dead.ts: files: src/dead.ts',
        'src/used.ts: exports: unused',
      ]);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
