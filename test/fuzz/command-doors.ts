import { Command } from 'commander';
import { addEvaluationFlags } from '../../cli/flags/evaluation-flags.ts';
import { flagSettings, withStarter } from '../../cli/flags/flag-settings.ts';
import type { RunFlags } from '../../cli/flags/run-flags.ts';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { configSchema } from '../../shared/contracts/config/config.ts';
import type { Linkage } from '../../shared/contracts/config/linkage.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { runStateSchema } from '../../shared/contracts/run/run-state.ts';
import { parseRegionRule } from '../../shared/contracts/settings/acceptance-region.ts';
import { parseAcceptanceRule } from '../../shared/contracts/settings/acceptance-rule.ts';
import { completeConfig } from '../../shared/contracts/settings/complete-config.ts';
import { compareRuns } from '../../shared/pipeline/compare/compare-runs.ts';
import { planLinkage } from '../../shared/pipeline/masking/plan-linkage.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import { checkRelease } from '../../shared/pipeline/release/release-state.ts';
import { reportRun } from '../../shared/pipeline/results/report-run.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import { runInMemory, SMALL_SETTINGS } from '../pipeline/small-run.ts';
import { TEST_KEYS, testKey } from '../test-keys.ts';
import { CELL_ROWS, CSV_WORDS, type Door, JSON_WORDS, utf8 } from './door.ts';

const table = utf8(['sex,area,whole', ...CELL_ROWS].join('\n'));
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const RULE_WORDS = ['.', '[', ']', '"', "\\'", '["', '"]', ' or ', ' and ', '<=', '>', 'R', 'RR', '1e-400', '..', 'attributeRisk', '-'];

/** Rules of acceptance, of figures and of regions. */
export const RULE_DOORS: readonly Door[] = [
  {
    name: 'rule',
    files: [
      utf8('attributeRisk.truthRankedFirstShare <= 0.05'),
      utf8('attributeRisk["its name"].membership.auc < 0.6'),
      utf8('identificationRisk["all"].mean.expectedMatchRisk <= 0.1'),
    ],
    words: RULE_WORDS,
    enter: (bytes) => parseAcceptanceRule(textOf(bytes), 1),
  },
  {
    name: 'region',
    files: [utf8('R <= 0.1 or RR <= 1.05'), utf8('attributeRisk["its name"]: R <= 0.1 and RR < 2 or RR <= 1.05')],
    words: RULE_WORDS,
    enter: (bytes) => parseRegionRule(textOf(bytes), 1),
  },
];

const numbers = Array.from({ length: 12 }, (_, i) => `${70_001 + (i >> 1)},${90_001 + (i >> 1)}.5,V${'ab'[i % 2]}`);
const masked = utf8(['income,rent,sex', ...numbers].join('\n'));

const LINKAGE: Linkage = {
  masked: { method: 'individual-ranking', k: 2 },
  variables: null,
  link: 'weights',
  oneToOne: true,
  bands: null,
  tolerate: null,
  intruderShare: 1,
  errors: 0,
};

/** A masked file. */
export const maskedDoor: Door = {
  name: 'masked',
  files: [masked],
  words: [...CSV_WORDS, '70001', '1e308', '-1e308', '5e-324'],
  enter: (bytes) =>
    planLinkage({
      config: configSchema.parse({ variables: { income: { type: 'continuous' }, rent: { type: 'continuous' } } }),
      linkage: LINKAGE,
      table: masked,
      masked: bytes,
      rows: null,
      placeKey: testKey(1),
    }),
};

const FLAGS = [
  ...['--seed', '--model', '--classes', '--datasets', '--synthesized', '--known', '--radius', '--unknown', '--prior', '--marginals'],
  ...['--candidates', '--breaks', '--range', '--scale', '--masses', '--decimals', '--missing-codes', '--count', '--missing', '--drop'],
  ...['--chains', '--draws', '--thin', '--paired-chains', '--precision', '--reproducibility', '--max-chains', '--slope', '--epsilon'],
  ...['--accept', '--acceptance-region', '--accept-starter', '--regression', '--patterns', '--sweep', '--sweep-jointly', '--inherent'],
  ...['--estimator', '--categorical', '--continuous', '--batch-size', '--memory', '--jobs', '--shape', '--decimal-comma', '--thousands'],
];
const ARGUMENTS = [
  ...['sex', 'area', 'whole', 'sex,area', '', '-1', '0', '1e9', '1e308', 'NaN', '0x10', '9007199254740993', 'whole=0,70002', 'whole=abs:1'],
  ...['sex ~ area', 'sex=area', '__proto__', '__proto__=1', 'cart', 'mixed', 'all-cells', 'one-change', 'model', 'category', 'impute', ','],
  ...['a'.repeat(5000), '=', '4GiB', '1e999GiB', '--', '-', 'R <= 0.1 or RR <= 1.05', 'attributeRisk.probabilityMax <= 1'],
].map((value) => `\n${value}\n`);

/** The arguments of `evaluate`, one a line, up to the plan of the run. */
export const argumentsDoor: Door = {
  name: 'arguments',
  files: [
    utf8('--classes\n4\n--datasets\n2\n--seed\n3\n--known\nsex\n--synthesized\narea,whole'),
    utf8('--model\nmixed\n--continuous\nwhole\n--range\nwhole=0,100000\n--accept\nattributeRisk.probabilityMax <= 1'),
    utf8('--unknown\nsex,area\n--prior\nmodel\n--breaks\nwhole=0,70002\n--missing\nrefuse\n--precision\nquick'),
  ],
  words: [...FLAGS.map((flag) => `\n${flag}\n`), ...ARGUMENTS],
  async enter(bytes) {
    const command = new Command('evaluate').argument('[table]').exitOverride();
    command.configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
    const args = textOf(bytes)
      .split('\n')
      .filter((line) => !['', '--config', '--out', '--release-key'].includes(line));
    addEvaluationFlags(command).parse(args, { from: 'user' });
    const flags = command.opts<RunFlags>();
    const config = withStarter(completeConfig(flagSettings(flags, 'table.csv')), flags);
    await planRun({ ...TEST_KEYS, purpose: 'evaluate', config, table });
  },
};

const config = configSchema.parse({
  ...SMALL_SETTINGS,
  utility: 'off',
  identification: [{ known: ['sex'] }],
  synthesis: { datasets: 2, synthesized: ['area'] },
});
const request = { ...TEST_KEYS, purpose: 'evaluate' as const, config, table };
const { store: finished, plan } = await runInMemory(request);
const other = await runInMemory({ ...request, config: { ...config, seed: 2 } });
const { root, run: stateKey } = runKeys(plan.runId);
const paths = (await finished.list(root)).filter((key) => !/\.(html|parquet)$|-key$/.test(key)).map((key) => key.slice(root.length));
const written = await Promise.all(paths.map(async (path) => [path, await finished.get(root + path)] as const));
const joined = (path: string, bytes: Uint8Array) => new Uint8Array(Buffer.concat([utf8(`${path}\n`), bytes]));

/** A file of the folder of a finished run, which `report`, `compare` and `release` then open; its path is the first line. */
export const runDoor: Door = {
  name: 'run',
  files: written.map(([path, bytes]) => joined(path, bytes)),
  words: [...JSON_WORDS, ...CSV_WORDS],
  cases: 15,
  async enter(bytes) {
    const end = bytes.indexOf(10);
    const path = textOf(bytes.subarray(0, end));
    if (!paths.includes(path)) return;
    const store = new MemoryStore();
    for (const [name, was] of written) await store.put(root + name, name === path ? bytes.slice(end + 1) : was);
    if (path === stateKey.slice(root.length)) await readJson(store, stateKey, runStateSchema);
    const errors: unknown[] = [];
    const note = (error: unknown) => void errors.push(error);
    await reportRun(store, plan).catch(note);
    const runs = [
      { name: 'broken', plan, store },
      { name: 'other', plan: other.plan, store: other.store },
    ];
    await compareRuns(runs, {}).catch(note);
    await checkRelease(store, plan.runId).catch(note);
    // The one that is no named error, where there is one.
    if (errors.length > 0) throw errors.find((error) => !(error as { code?: string }).code) ?? errors[0];
  },
};
