import type { MembershipOutcome, OptimalTest } from '../../contracts/results/attack.ts';
import { growCartTree } from '../../model/cart/growth.ts';
import { dropRecords } from '../../model/cart/tree.ts';
import { drawDistinct } from '../../random/draw-distinct.ts';
import type { RandomStream } from '../../random/random-stream.ts';
import { type Column, chosenRecords, stackedTables, type Table } from '../../table/table.ts';
import { drawRecords } from './closest-records.ts';
import { logDensities, spreads } from './log-densities.ts';
import { type MembershipScores, membershipOutcome } from './membership-outcome.ts';
import { nearestRecords, valueRanges } from './nearest/nearest-records.ts';
import { sharesOfOptimal } from './share-of-optimal.ts';

/** Members, others, records of a reference and rows of all datasets that are used at most: densities take the product of two. */
const MOST_RECORDS = 5000;

/** Records of a control from which it can be halved: errors need two people. */
export const LEAST_CONTROL = 4;

/** Trees of the classifier: leaves as those of the propensity score of utility, divisions as long as anything is gained. */
const GROWTH = { minimumLeaf: 5, complexity: 1e-8 };

/** How many tests there are. */
export const MEMBERSHIP_TESTS = 3;

/**
 * Tests of who is in the table, as they were published, all on the same members and others (docs/explanation/compared.md). A half
 * of the control, drawn by chance, is the reference of those that need one; the others are the rest.
 *
 * @param table at least two records
 * @param control at least {@link LEAST_CONTROL}
 * @param optimal what the optimal test finds, to hold each against
 * @param open opens a stream that is not published by its name
 */
export function* membershipTests(
  { table, datasets, control }: { readonly table: Table; readonly datasets: readonly Table[]; readonly control: Table },
  optimal: readonly OptimalTest[] | null,
  open: (name: string) => RandomStream,
): Generator<MembershipOutcome> {
  const stream = (what: string) => open(`attack/membership/${what}`);
  const shuffled = drawDistinct(stream('control'), control.records, control.records);
  const half = control.records >>> 1;
  const [reference, rest] = [shuffled.subarray(0, half), shuffled.subarray(half)].map((places) =>
    // As they are drawn by chance, so are the first.
    chosenRecords(control, places.slice(0, MOST_RECORDS)),
  ) as [Table, Table];
  const members = drawRecords(table, MOST_RECORDS, stream('members'));
  const people = stackedTables([members, rest]);
  const perDataset = Math.max(1, Math.floor(MOST_RECORDS / datasets.length));
  const rows = datasets.map((dataset, l) => drawRecords(dataset, perDataset, stream(`rows/${l + 1}`)));
  const synthetic = stackedTables(rows);

  const outcome = (
    test: MembershipOutcome['test'],
    scores: Float64Array,
    used: Pick<MembershipOutcome, 'syntheticRows' | 'referenceRecords'>,
  ) => {
    const sides: MembershipScores = { members: scores.subarray(0, members.records), others: scores.subarray(members.records) };
    const found = membershipOutcome(sides, stream(`resamples/${test}`));
    return { test, ...found, ...used, ofOptimal: optimal && sharesOfOptimal(found, optimal) };
  };
  const all = datasets.reduce((sum, { records }) => sum + records, 0);
  yield outcome('closestRecord', closeness(datasets, people), { syntheticRows: all, referenceRecords: 0 });
  const used = { syntheticRows: synthetic.records, referenceRecords: reference.records };
  yield outcome('domias', densityRatios(synthetic, reference, people), used);
  yield outcome('classifier', classified(rows, reference, people), used);
}

/** Distance to the closest row of any dataset, negated. Ranges are those of the release, which an intruder has. */
function closeness(datasets: readonly Table[], people: Table): Float64Array {
  const variables = [...people.columns.keys()];
  const ranges = valueRanges(datasets, variables);
  const distances = datasets.map((dataset) => nearestRecords(dataset, people, { variables, ranges }).distance);
  return Float64Array.from({ length: people.records }, (_, i) => -Math.min(...distances.map((distance) => distance[i]!)));
}

/** log p(x | synthetic) - log p(x | reference). */
function densityRatios(synthetic: Table, reference: Table, people: Table): Float64Array {
  const scales = spreads(stackedTables([synthetic, reference]));
  const ofReference = logDensities(reference, people, scales);
  return logDensities(synthetic, people, scales).map((value, i) => value - ofReference[i]!);
}

/**
 * Mean over datasets of the share of synthetic rows in the leaf of a tree that tells them from the reference. The label is a
 * number: least squares divide as Gini's index does, but pruning by classes would undo whatever leaves the majority the same.
 */
function classified(datasets: readonly Table[], reference: Table, people: Table): Float64Array {
  const scores = new Float64Array(people.records);
  const predictors = [...people.columns.keys()];
  for (const dataset of datasets) {
    const { schema, records, columns } = stackedTables([reference, dataset]);
    const label: Column = { type: 'continuous', values: new Float64Array(records).fill(1, reference.records) };
    const variables = [...schema.variables, { name: 'label', type: 'continuous' as const }];
    const tree = growCartTree({ schema: { variables }, records, columns: [...columns, label] }, predictors.length, predictors, GROWTH);
    const labels = tree.donors.type === 'continuous' ? tree.donors.values : new Float64Array(0);
    dropRecords(tree, people.columns, people.records, ({ from, to }, places) => {
      let ones = 0;
      for (let i = from; i < to; i++) ones += labels[i]!;
      for (const place of places) scores[place]! += ones / (to - from) / datasets.length;
    });
  }
  return scores;
}
