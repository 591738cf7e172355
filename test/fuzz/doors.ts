import { readdirSync, readFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { readCheckedJson, readJson } from '../../shared/artifacts/stored-json.ts';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { summarySchema } from '../../shared/contracts/results/summary.ts';
import { planSchema } from '../../shared/contracts/run/plan.ts';
import { completeConfig, parseSettings } from '../../shared/contracts/settings/complete-config.ts';
import { readPriorWeights } from '../../shared/risk/prior/prior-weights.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import { readingOf, readMoreRecords, readTable, readTableAs } from '../../shared/table/files/read-table.ts';
import { readStructuralZeros } from '../../shared/table/support/read-structural-zeros.ts';
import { argumentsDoor, maskedDoor, RULE_DOORS, runDoor } from './command-doors.ts';
import { CELL_ROWS, CSV_WORDS, type Door, JSON_WORDS, utf8 } from './door.ts';

/** From the root of the repository, where npm runs scripts and tests: a bundle lies elsewhere than its sources. */
const CORPUS = 'test/fuzz/corpus';
const parquet = readdirSync(CORPUS).map((name) => new Uint8Array(readFileSync(`${CORPUS}/${name}`)));

const csv = ['sex,area,whole', ...CELL_ROWS].join('\n');
const reading = readingOf(configSchema.parse({}));
const { table } = await readTable(utf8(csv), reading);

const YAML_WORDS = [
  ...[
    '&a ',
    '*a',
    '&a [*a, *a]',
    '<<: *a',
    '__proto__: {x: 1}',
    'constructor: {prototype: 1}',
    '!!js/function x',
    '!!binary aa',
    '? ',
    '- ',
    ': ',
  ],
  ...[
    '[[[[[[[[',
    '{{{{{{',
    '1e999',
    '-.inf',
    '.nan',
    '99999999999999999999',
    '0x7fffffffffffffff',
    '\t',
    '---\n',
    '...\n',
    '%YAML 1.1\n',
    'null',
    '"',
  ],
];
const config = {
  seed: 1,
  variables: { sex: { categories: ['Vf', 'Vm'] } },
  mcmc: { chains: 2, burnIn: 10 },
  synthesis: { datasets: 3, missing: 'category' },
  attributeRisk: { candidates: { unknown: ['sex'] }, prior: 'model' },
  identification: [{ known: ['sex'], synthesized: ['area'], radius: { whole: 0.1 } }],
  acceptance: ['attributeRisk.truthRankedFirstShare <= 0.05'],
};
const aliases = 'a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nseed: *c\n';

/** Reads a file of a run's folder. */
const stored = (read: (store: MemoryStore, key: string) => Promise<unknown>) => async (bytes: Uint8Array) => {
  const store = new MemoryStore();
  await store.put('runs/0000000000000000/file.json', bytes);
  return read(store, 'runs/0000000000000000/file.json');
};

export const DOORS: readonly Door[] = [
  { name: 'csv', files: [utf8(csv), utf8(csv.replaceAll(',', ';'))], words: CSV_WORDS, enter: (bytes) => readTable(bytes, reading) },
  { name: 'parquet', files: parquet, words: ['PAR1', '\x15\x00', '\xff\xff\xff\xff\x0f'], enter: (bytes) => readTable(bytes, reading) },
  { name: 'dataset', files: [utf8(csv)], words: CSV_WORDS, enter: (bytes) => readTableAs(bytes, table.schema, reading) },
  { name: 'control', files: [utf8(csv)], words: CSV_WORDS, enter: (bytes) => readMoreRecords(bytes, table.schema, reading) },
  { name: 'zeros', files: [utf8('sex,area\nVf,Va\n,Vb\n')], words: CSV_WORDS, enter: (bytes) => readStructuralZeros(bytes, table.schema) },
  {
    name: 'prior',
    files: [utf8('sex,weight\nVf,1\nVm,2.5\n')],
    words: [...CSV_WORDS, 'Infinity', '1e-320'],
    enter: (bytes) => readPriorWeights(bytes, table.schema, 1),
  },
  {
    name: 'yaml',
    files: [utf8(stringify(config)), utf8(JSON.stringify(config)), utf8(aliases)],
    words: YAML_WORDS,
    enter: (bytes) => completeConfig(parseSettings(bytes, 'run.yaml')),
  },
  {
    name: 'plan',
    files: [utf8(JSON.stringify({ runId: '0000000000000000', version: '0', config }))],
    words: JSON_WORDS,
    enter: stored((store, key) => readCheckedJson(store, key, planSchema)),
  },
  {
    name: 'summary',
    files: [utf8(JSON.stringify({ headline: [], version: '0', runId: '0000000000000000', seed: 1, table: { records: 24 } }))],
    words: JSON_WORDS,
    enter: stored((store, key) => readJson(store, key, summarySchema)),
  },
  maskedDoor,
  ...RULE_DOORS,
  argumentsDoor,
  runDoor,
];
