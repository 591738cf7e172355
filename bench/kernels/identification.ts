import { identificationScenarioSchema } from '../../shared/contracts/config/identification-scenario.ts';
import { finish } from '../../shared/contracts/stepwise.ts';
import { identifyRelease } from '../../shared/risk/identification/identification-risk.ts';
import { openScenario } from '../../shared/risk/identification/opened-scenario.ts';
import type { Table } from '../../shared/table/table.ts';
import { type MatchingTables, matchingTables } from '../tables/matching-table.ts';
import { compared, cpuMilliseconds, type Growth, growth, type Measurement, median } from './measure.ts';

const REPEATS = 5;

/** Calls on a small table until what they run is compiled: each of the first ten takes up to three times as long. */
const WARM_UP = 20;

/** A relative radius of the continuous variables. */
const RADIUS = 0.1;

/** The expected match risks by comparing every pair of a record and a row: the program that one writes first. */
function pairwise({ table, datasets }: MatchingTables): number[] {
  const { columns, records } = table;
  const agree = (dataset: Table, i: number, j: number) => {
    for (let v = 0; v < columns.length; v++) {
      const [a, b] = [columns[v]!, dataset.columns[v]!];
      if (a.type === 'categorical' && b.type === 'categorical') {
        if (a.codes[i] !== b.codes[j]) return false;
      } else if (a.type === 'continuous' && b.type === 'continuous') {
        const truth = a.values[i]!;
        if (Math.abs(b.values[j]! - truth) > RADIUS * Math.abs(truth)) return false;
      }
    }
    return true;
  };
  return datasets.map((dataset) => {
    let risk = 0;
    for (let i = 0; i < records; i++) {
      let matches = 0;
      for (let j = 0; j < records; j++) if (agree(dataset, i, j)) matches++;
      if (agree(dataset, i, i)) risk += 1 / matches;
    }
    return risk;
  });
}

/** The same with all figures, by the command's own way. */
async function matched({ table, datasets }: MatchingTables, settings: object = {}): Promise<number[]> {
  const names = table.schema.variables.filter(({ type }) => type === 'categorical').map(({ name }) => name);
  const continuous = table.schema.variables.filter(({ type }) => type === 'continuous');
  const scenario = identificationScenarioSchema.parse({
    known: names.slice(0, -1),
    radius: Object.fromEntries(continuous.map(({ name }) => [name, RADIUS])),
    ...settings,
  });
  const [risk] = finish(identifyRelease(table, datasets, [openScenario(table.schema, scenario)]));
  const { summary } = risk!;
  if (!summary.applies) throw new Error(summary.reason);
  return summary.datasets.map(({ expectedMatchRisk }) => expectedMatchRisk);
}

/** Milliseconds of CPU of a call: the median of some, after a first one. */
async function timed(call: () => unknown): Promise<number> {
  await call();
  const times = [];
  for (let i = 0; i < REPEATS; i++) times.push(await cpuMilliseconds(call));
  return median(times);
}

/** Both programs on the same tables; they must agree. Comparing pairs takes seconds: it is timed once. */
async function against(work: string, tables: MatchingTables): Promise<Measurement[]> {
  const ours = await matched(tables);
  let theirs: number[] = [];
  const slow = await cpuMilliseconds(() => {
    theirs = pairwise(tables);
  });
  for (const [l, risk] of ours.entries()) {
    if (Math.abs(risk - theirs[l]!) > 1e-6 * risk) throw new Error(`${work}: ${risk} and ${theirs[l]} differ`);
  }
  for (let i = 0; i < WARM_UP; i++) await matched(tables);
  const fast = await timed(() => matched(tables));
  return [compared(work, fast, 'every pair', slow)];
}

/** Matching against the program that compares every pair. */
export async function measureIdentification(): Promise<Measurement[]> {
  const survey = { datasets: 3, categorical: 7, continuous: 0 };
  const one = { datasets: 1, categorical: 4, continuous: 1 };
  return [
    ...(await against('match 10,000 records in 3 datasets, 7 categories', matchingTables(10_000, survey))),
    ...(await against('match 10,000 records in 1 dataset, 4 categories, 1 radius', matchingTables(10_000, one))),
    ...(await against(
      'match 10,000 records in 1 dataset, 2 categories, 2 radii in a box',
      matchingTables(10_000, { datasets: 1, categorical: 2, continuous: 2 }),
    )),
  ];
}

/** Records of tables whose matching is of order n log n, and of those that are matched by a tree of regions. */
const LARGE = [62_500, 250_000, 1_000_000];
const SMALLER = [15_625, 62_500, 250_000];

/** How matching grows with records, for each of its ways. */
export async function growIdentification(): Promise<Growth[]> {
  const grow = async (work: string, sizes: readonly number[], shape: [number, number], settings?: object) => {
    const [categorical, continuous] = shape;
    const points = [];
    for (const size of sizes) {
      const tables = matchingTables(size, { datasets: 1, categorical, continuous });
      points.push({ size, milliseconds: await timed(() => matched(tables, settings)) });
    }
    return growth(work, 'records', points);
  };
  return [
    await grow('match by 7 categories', LARGE, [7, 0]),
    await grow('match by 4 categories, 1 radius', LARGE, [4, 1]),
    await grow('match by 4 categories, 6 radii of one variable', LARGE, [4, 1], { radius: {}, sweep: {} }),
    await grow('match by 4 categories, 2 radii in a box', LARGE, [4, 2]),
    await grow('match by 4 categories, 2 radii in an ellipse', SMALLER, [4, 2], { shape: 'ellipse' }),
    await grow('match by 4 categories, 3 radii in a box', SMALLER, [4, 3]),
  ];
}
