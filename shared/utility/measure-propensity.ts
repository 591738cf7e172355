import type { UtilitySummary } from '../contracts/results/utility.ts';
import { standardDeviation } from '../numeric/spread.ts';
import { type CountedRows, recordsOfRows, withCounts } from '../table/counted-rows.ts';
import type { OpenedUtility } from './open-utility.ts';
import { type FoundPropensity, type PropensityScore, scoreOf } from './propensity.ts';
import { drawRecords } from './sample-records.ts';
import { type GrownTree, permutedLabels, stackTables, swappedLabels, treePropensity } from './tree-propensity.ts';
import type { OpenStream, UtilityInput } from './utility-input.ts';

/** Records of a table to which trees are fitted at most: they are grown again for every permutation. */
export const MOST_TREE_RECORDS = 20_000;

type Propensity = UtilitySummary['propensity'][number];

/** The kinds of scores that are asked for which regressions find. */
export const regressionTerms = ({ settings }: OpenedUtility) => [...new Set(settings.propensity)].filter((terms) => terms !== 'tree');

/** How far every dataset can be told from the table by regressions, from what was found of each. */
export function propensityOfScores(
  terms: 'main' | 'pairs',
  records: number,
  kind: 'full' | 'partial',
  found: readonly FoundPropensity[],
): Propensity {
  const scores = found.map(({ score }) => score);
  const [first] = found;
  return {
    terms,
    coefficients: first!.coefficients,
    records,
    expectedBy: first!.score === null ? null : kind === 'full' ? 'formula' : 'pairs of rows',
    formulaCoefficients: first!.score === null ? null : first!.formulaCoefficients,
    datasets: scores,
    mean: meanScore(scores),
    ...('reason' in first! ? { reason: first.reason } : {}),
  };
}

/** The records that trees are grown on, and for each permutation its labels. */
export interface PreparedTrees {
  readonly table: CountedRows;
  readonly datasets: readonly CountedRows[];
  readonly labels: readonly Uint8Array[];
}

/** Draws the records that trees are grown on, and permutations of their labels. */
export function prepareTrees(
  { table, datasets }: UtilityInput,
  { kind, settings }: Pick<OpenedUtility, 'kind' | 'settings'>,
  open: OpenStream,
): PreparedTrees {
  const limited = (rows: CountedRows, name: string) =>
    rows.records <= MOST_TREE_RECORDS ? rows : withCounts(rows, drawRecords(rows, MOST_TREE_RECORDS, open(`utility/tree/${name}`)));
  const own = limited(table, 'table');
  const others = datasets.map((dataset, l) => limited(dataset, kind === 'partial' ? 'table' : `${l + 1}`));
  const random = open('utility/permutations');
  const relabel = kind === 'full' ? permutedLabels : swappedLabels;
  // What chance alone gives is the same of all datasets: they take turns.
  const labels = Array.from({ length: settings.permutations }, (_, p) => relabel(own.records, others[p % others.length]!.records, random));
  return { table: own, datasets: others, labels };
}

/** The tree of a dataset, or after those of all datasets that of a permutation, by its place. */
export function growPropensityTree({ table, datasets, labels }: PreparedTrees, place: number): GrownTree {
  const stacked = stackTables(recordsOfRows(table), recordsOfRows(datasets[place % datasets.length]!));
  if (place < datasets.length) return treePropensity(stacked);
  const { pmse, leaves } = treePropensity(stacked, labels[place - datasets.length]!);
  // Permuted, table and dataset are drawn, and of a synthesis the dataset alone: of the variance its share is left.
  return { pmse: (stacked.first / stacked.table.records) * pmse, leaves };
}

/** How far every dataset can be told from the table by trees, from what was found of each tree. */
export function propensityOfTrees({ table, datasets }: PreparedTrees, found: readonly GrownTree[]): Propensity {
  const [grown, permuted] = [found.slice(0, datasets.length), found.slice(datasets.length).map(({ pmse }) => pmse)];
  const expected = permuted.reduce((sum, value) => sum + value, 0) / permuted.length;
  const deviation = permuted.length < 2 ? null : standardDeviation(permuted);
  const scores = grown.map(({ pmse }) => scoreOf(pmse, { mean: expected, deviation }, null));
  return {
    terms: 'tree',
    coefficients: grown[0]!.leaves,
    records: table.records,
    expectedBy: 'permutation',
    formulaCoefficients: null,
    datasets: scores,
    mean: meanScore(scores),
  };
}

/** The means over datasets; null where some have no score. */
function meanScore(scores: readonly (PropensityScore | null)[]): PropensityScore | null {
  const defined = scores.filter((score) => score !== null);
  if (defined.length < scores.length) return null;
  const mean = (of: (score: PropensityScore) => number | null) => {
    const values = defined.map(of).filter((value) => value !== null);
    if (values.length < defined.length) return null;
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  return {
    pmse: mean(({ pmse }) => pmse)!,
    expected: mean(({ expected }) => expected)!,
    expectedDeviation: mean(({ expectedDeviation }) => expectedDeviation),
    ratio: mean(({ ratio }) => ratio),
    standardized: mean(({ standardized }) => standardized),
    expectedFormula: mean(({ expectedFormula }) => expectedFormula),
    ratioFormula: mean(({ ratioFormula }) => ratioFormula),
    standardizedFormula: mean(({ standardizedFormula }) => standardizedFormula),
  };
}
