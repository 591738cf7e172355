import { synthesizeByCart } from '../../shared/model/cart/synthesis.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { createTreeRisk } from '../../shared/risk/trees/tree-risk.ts';
import type { TreeRelease } from '../../shared/risk/trees/tree-variables.ts';
import { treeTable } from '../tables/tree-table.ts';
import { compared, cpuMilliseconds, type Growth, growth, type Measurement } from './measure.ts';
import { plainLogLikelihood } from './plain-tree-risk.ts';

const CATEGORIES = 8;
const RECORDS = 1000;
const DATASETS = 5;

/** Records for which the plain program is run. */
const PLAIN_RECORDS = 4;

/** Datasets of the last variable of a table, with the defaults of synthesis. */
function releaseOf(records: number, categories: number, datasets: number): TreeRelease {
  const table = treeTable(records, categories);
  const settings = { synthesized: [table.columns.length - 1], minimumLeaf: 5, complexity: 1e-8, smoothing: false };
  return {
    ...{ table, settings },
    datasets: Array.from({ length: datasets }, (_, d) => synthesizeByCart(table, settings, new RandomStream(1, `bench/tree-risk/${d}`))),
  };
}

/** The risk of all records, every value of the synthesized variable being a candidate. */
function assess(release: TreeRelease): void {
  const risk = createTreeRisk(release, { exact: true, priorRecords: 1 });
  for (let record = 0; record < release.table.records; record++) {
    risk.risksOf(record, risk.valuesAt(record, 0));
  }
}

/** Exact attribute risk against the program that grows the tree again and drops all rows, for every candidate. */
export async function measureTreeRisk(): Promise<Measurement[]> {
  const release = releaseOf(RECORDS, CATEGORIES, DATASETS);
  const every = await cpuMilliseconds(() => assess(release));
  const plain = await cpuMilliseconds(() => {
    for (let record = 0; record < PLAIN_RECORDS; record++) {
      for (let one = 0; one < CATEGORIES; one++) plainLogLikelihood(release, record, [one], true);
    }
  });
  return [
    compared(
      `exact risk of a record by trees, ${CATEGORIES} candidates, ${RECORDS} records, ${DATASETS} datasets`,
      every / RECORDS,
      'plain TypeScript, the tree grown again for every candidate',
      plain / PLAIN_RECORDS,
    ),
  ];
}

/** How the time for the exact risk of all records grows. */
export async function growTreeRisk(): Promise<Growth[]> {
  const timesOf = async (sizes: readonly number[], release: (size: number) => TreeRelease) => {
    const points = [];
    for (const size of sizes) {
      const one = release(size);
      points.push({ size, milliseconds: await cpuMilliseconds(() => assess(one)) });
    }
    return points;
  };
  const work = 'exact risk of all records by trees';
  return [
    growth(work, 'records', await timesOf([500, 1000, 2000, 4000], (n) => releaseOf(n, CATEGORIES, DATASETS))),
    growth(
      `${work}, ${RECORDS} records`,
      'categories',
      await timesOf([4, 8, 16], (categories) => releaseOf(RECORDS, categories, DATASETS)),
    ),
    growth(`${work}, ${RECORDS} records`, 'datasets', await timesOf([1, 4, 16], (datasets) => releaseOf(RECORDS, CATEGORIES, datasets))),
  ];
}
