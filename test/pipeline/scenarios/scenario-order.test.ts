import { describe, expect, it } from 'vitest';
import { readJson } from '../../../shared/artifacts/stored-json.ts';
import { allPriorFiles } from '../../../shared/contracts/config/config.ts';
import { summarySchema } from '../../../shared/contracts/results/summary.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import type { RunRequest } from '../../../shared/pipeline/plan/planned-run.ts';
import { encodeCsv } from '../../../shared/table/files/write-csv.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { COUNT_SETTINGS, csvRows, hashesBelow, runFigures, smallConfig, smallTable } from '../small-run.ts';

type Row = Readonly<Record<string, string>>;
interface AskedScenario {
  readonly name: string;
  readonly candidates?: unknown;
  readonly prior?: unknown;
  readonly knows?: unknown;
}

const RECORDS = 40;
const table = smallTable({ records: RECORDS });
const [header, ...rows] = csvRows(table) as [string[], ...string[][]];
const [region, ageGroup, education, employment] = header as [string, string, string, string];
const valuesOf = (name: string) => [...new Set(rows.map((row) => row[header.indexOf(name)]!))].sort();

/** Weights of all values of a variable, those of later values larger. */
const weightsOf = (name: string) =>
  encodeCsv(
    [name, 'weight'],
    valuesOf(name).map((value, i) => [value, i + 1]),
  );

const FILES = new Map([
  ['region.csv', weightsOf(region)],
  ['employment.csv', weightsOf(employment)],
]);
const numbers = (from: number, to: number) =>
  encodeCsv(
    ['record'],
    Array.from({ length: to - from }, (_, i) => [from + i]),
  );
const KNOWN = new Map([
  ['first.csv', numbers(1, 21)],
  ['second.csv', numbers(11, 36)],
]);

/** A pair of values that no record has, so that it may be called impossible. */
function absentPair(): Uint8Array {
  for (const one of valuesOf(region)) {
    for (const other of valuesOf(employment)) {
      const isThere = rows.some((row) => row[header.indexOf(region)] === one && row[header.indexOf(employment)] === other);
      if (!isThere) return encodeCsv([region, employment], [[one, other]]);
    }
  }
  throw new RangeError('every pair of values is there');
}

/** Every ninth record lacks its education. */
const incomplete = encodeCsv(
  header,
  rows.map((row, i) => row.map((value, k) => (k === 2 && i % 9 === 0 ? '' : value))),
);

interface Kind {
  readonly scenarios: readonly AskedScenario[];
  readonly settings?: object;
  readonly table?: Uint8Array;
  readonly structuralZeros?: Uint8Array;
}

function requestOf({ settings = {}, structuralZeros, ...kind }: Kind, scenarios: readonly AskedScenario[]): RunRequest {
  const { attributeRisk, ...others } = settings as { attributeRisk?: object };
  const config = smallConfig({ ...others, attributeRisk: { ...attributeRisk, scenarios } });
  const priorFiles = allPriorFiles(config).map((name) => FILES.get(name)!);
  return {
    ...TEST_KEYS,
    purpose: 'evaluate',
    config,
    table: kind.table ?? table,
    knownFiles: KNOWN,
    ...(priorFiles.length > 0 ? { priorFiles } : {}),
    ...(structuralZeros ? { structuralZeros } : {}),
  };
}

/** Everything that a run says of each of its scenarios, by name, and of the release. */
async function found(kind: Kind, scenarios: readonly AskedScenario[]) {
  const { store, plan, keys } = await runFigures(requestOf(kind, scenarios));
  const rowsOf = async (key: string): Promise<Row[]> => {
    if ((await store.head(key)) === null) return [];
    const [names, ...values] = csvRows(await store.get(key)) as [string[], ...string[][]];
    return values.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]!])));
  };
  const { confidential } = keys;
  const summary = await readJson(store, confidential.summary, summarySchema);
  const risk = await rowsOf(confidential.table('attribute-risk').csv);
  const values = await rowsOf(confidential.table('variable-risk').csv);
  const ofScenario = Object.fromEntries(
    summary.attributeRisk.map((figures) => [
      figures.scenario,
      {
        figures,
        risk: risk.filter(({ scenario }) => scenario === figures.scenario),
        values: values.filter(({ scenario }) => scenario === figures.scenario),
      },
    ]),
  );
  return {
    names: summary.attributeRisk.map(({ scenario }) => scenario),
    ofScenario,
    rounds: summary.rounds,
    // Of candidates among all cells, which one scenario alone may have.
    cells: await Promise.all([confidential.table('guesses').csv, confidential.table('marginals').csv].map(rowsOf)),
    release: await hashesBelow(store, plan, 'release/'),
  };
}

const uniform = { name: 'one change', candidates: 'one-change' };
const lacksRegion = { name: 'lacks the region', candidates: { unknown: [region] } };
const KINDS: Record<string, Kind> = {
  'every kind of candidates': {
    scenarios: [
      uniform,
      { name: 'two changes', candidates: 'two-changes' },
      { name: 'all', candidates: 'all-cells' },
      { ...lacksRegion, candidates: { unknown: [region, education] } },
    ],
  },
  'every kind of prior': {
    scenarios: [
      { ...lacksRegion, name: 'file', prior: { file: 'region.csv' } },
      { ...lacksRegion, name: 'uniform' },
      { ...lacksRegion, name: 'empirical', prior: 'empirical' },
      { ...lacksRegion, name: 'model', prior: 'model' },
      { name: 'files', candidates: { unknown: [region, employment] }, prior: { file: ['region.csv', 'employment.csv'] } },
      { name: 'cells', candidates: 'all-cells', prior: 'model' },
    ],
  },
  'every kind of knowledge': {
    scenarios: [
      { ...uniform, name: 'second file', knows: { file: 'second.csv' } },
      uniform,
      { ...lacksRegion, name: 'nothing', knows: 'nothing' },
      { ...uniform, name: 'share', knows: { share: 0.5 } },
      { ...lacksRegion, name: 'first file', knows: { file: 'first.csv' } },
    ],
  },
  'structural zeros': {
    scenarios: [
      uniform,
      { ...lacksRegion, candidates: { unknown: [region, employment] } },
      { ...lacksRegion, name: 'empirical', prior: 'empirical' },
    ],
    structuralZeros: absentPair(),
    settings: { synthesis: { structuralZeros: 'zeros.csv' } },
  },
  'values to impute': {
    scenarios: [uniform, { ...uniform, name: 'the same again' }],
    settings: { synthesis: { missing: 'impute' } },
    table: incomplete,
  },
  'missing values as a category': {
    scenarios: [uniform, { name: 'education', candidates: { unknown: [education] }, prior: 'model' }],
    settings: { synthesis: { missing: 'category' } },
    table: incomplete,
  },
  'kept variables': {
    scenarios: [
      { name: 'both', candidates: { unknown: [region, employment] }, prior: 'model' },
      { ...lacksRegion, prior: { file: 'region.csv' } },
    ],
    settings: { synthesis: { synthesized: [region, employment] } },
  },
  trees: {
    scenarios: [{ name: 'both', candidates: { unknown: [region, employment] }, prior: 'model' }, uniform, lacksRegion],
    settings: { model: { name: 'cart' }, synthesis: { synthesized: [region, employment] } },
  },
  counts: {
    scenarios: [{ name: 'all', candidates: 'all-cells' }, uniform, { ...lacksRegion, prior: { file: 'region.csv' } }],
    settings: COUNT_SETTINGS,
  },
  rounds: {
    scenarios: [uniform, { name: 'age', candidates: { unknown: [ageGroup] }, prior: 'model' }, lacksRegion],
    settings: { mcmc: { reproducibility: 0.97, maxChains: 18 } },
  },
};

/** The other orders that are tried: all turned round, and, of more than two, the first put last. */
const otherOrders = <Item>(items: readonly Item[]) => [
  items.toReversed(),
  ...(items.length > 2 ? [[...items.slice(1), ...items.slice(0, 1)]] : []),
];

describe('what a run says of a scenario does not depend on its place', () => {
  it.each(Object.entries(KINDS))('with %s', async (_, kind) => {
    const { names, ...first } = await found(kind, kind.scenarios);
    expect(names).toEqual(kind.scenarios.map(({ name }) => name));
    for (const own of Object.values(first.ofScenario)) expect(own.risk.length).toBeGreaterThan(0);
    for (const order of otherOrders(kind.scenarios)) {
      const { names: now, ...same } = await found(kind, order);
      expect(now).toEqual(order.map(({ name }) => name));
      expect(same).toEqual(first);
    }
  });
});

const fitting = { ...uniform, name: 'fits' };
const cells = { name: 'x', candidates: 'all-cells' };

/** What is refused of a scenario, with others beside it that are not. */
const REFUSED: Record<string, Kind & { code: string; purpose?: 'calibrate' }> = {
  'all cells with structural zeros': {
    scenarios: [cells],
    structuralZeros: absentPair(),
    settings: { synthesis: { structuralZeros: 'zeros.csv' } },
    code: 'cells-beyond-support',
  },
  'unknown variables with values to impute': {
    scenarios: [lacksRegion],
    settings: { synthesis: { missing: 'impute' } },
    table: incomplete,
    code: 'candidates-of-missing',
  },
  'two changes with values to impute': {
    scenarios: [{ name: 'x', candidates: 'two-changes' }],
    settings: { synthesis: { missing: 'impute' } },
    table: incomplete,
    code: 'candidates-of-missing',
  },
  'all cells with importance weights': {
    scenarios: [cells],
    settings: { attributeRisk: { estimator: 'importance' } },
    code: 'all-cells-importance',
  },
  'a prior in a calibration': { scenarios: [{ ...lacksRegion, prior: 'model' }], purpose: 'calibrate', code: 'uncalibrated-prior' },
  'a variable that is not there': { scenarios: [{ name: 'x', candidates: { unknown: ['income'] } }], code: 'unknown-variable' },
};

describe('what is refused of a scenario is refused wherever it stands', () => {
  it.each(Object.entries(REFUSED))('%s', async (_, { code, purpose, ...kind }) => {
    const [refused] = kind.scenarios;
    for (const order of [[refused!], [refused!, fitting], [fitting, refused!]]) {
      const request: RunRequest = { ...requestOf(kind, order), ...(purpose ? { purpose } : {}) };
      await expect(planRun(request)).rejects.toMatchObject({ code });
    }
  });
});
