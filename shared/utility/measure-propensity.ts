import type { PropensityTerms } from '../contracts/config/utility.ts';
import type { UtilitySummary } from '../contracts/results/utility.ts';
import type { Stepwise } from '../contracts/stepwise.ts';
import { standardDeviation } from '../numeric/spread.ts';
import { type CountedRows, recordsOfRows, withCounts } from '../table/counted-rows.ts';
import type { OpenedUtility } from './open-utility.ts';
import { type FoundPropensity, type PropensityScore, propensityUtility, scoreOf } from './propensity.ts';
import { drawRecords } from './sample-records.ts';
import { permutedLabels, stackTables, swappedLabels, treePropensity } from './tree-propensity.ts';
import type { OpenStream, UtilityInput } from './utility-input.ts';

/** Records of a table to which trees are fitted at most: they are grown again for every permutation. */
export const MOST_TREE_RECORDS = 20_000;

type Propensity = UtilitySummary['propensity'][number];

/** How far every dataset can be told from the table, by one kind of propensity score. */
export function measurePropensity(
  input: UtilityInput,
  opened: OpenedUtility,
  terms: PropensityTerms,
  open: OpenStream,
): Stepwise<Propensity> {
  return terms === 'tree' ? byTrees(input, opened, open) : byRegression(input, opened, terms);
}

function* byRegression(
  { table, datasets }: UtilityInput,
  { kind, synthesized }: OpenedUtility,
  terms: 'main' | 'pairs',
): Stepwise<Propensity> {
  const found: FoundPropensity[] = [];
  for (const [l, dataset] of datasets.entries()) {
    found.push(propensityUtility(table, dataset, terms, synthesized));
    yield l;
    if (found[0]!.score === null) break;
  }
  const scores = datasets.map((_, l) => found[l]?.score ?? null);
  const [first] = found;
  return {
    terms,
    coefficients: first!.coefficients,
    records: table.records,
    expectedBy: first!.score === null ? null : kind === 'full' ? 'formula' : 'pairs of rows',
    formulaCoefficients: first!.score === null ? null : first!.formulaCoefficients,
    datasets: scores,
    mean: meanScore(scores),
    ...('reason' in first! ? { reason: first.reason } : {}),
  };
}

function* byTrees({ table, datasets }: UtilityInput, { kind, settings }: OpenedUtility, open: OpenStream): Stepwise<Propensity> {
  const limited = (rows: CountedRows, name: string) =>
    rows.records <= MOST_TREE_RECORDS ? rows : withCounts(rows, drawRecords(rows, MOST_TREE_RECORDS, open(`utility/tree/${name}`)));
  const own = recordsOfRows(limited(table, 'table'));
  const stacked = datasets.map((dataset, l) =>
    stackTables(own, recordsOfRows(limited(dataset, kind === 'partial' ? 'table' : `${l + 1}`))),
  );
  let done = 0;
  const grown = [];
  for (const one of stacked) {
    grown.push(treePropensity(one));
    yield ++done;
  }
  const random = open('utility/permutations');
  const permuted: number[] = [];
  const relabel = kind === 'full' ? permutedLabels : swappedLabels;
  for (let p = 0; p < settings.permutations; p++) {
    // What chance alone gives is the same of all datasets: they take turns.
    const one = stacked[p % stacked.length]!;
    // Permuted, table and dataset are drawn, and of a synthesis the dataset alone: of the variance its share is left.
    const share = one.first / one.table.records;
    permuted.push(share * treePropensity(one, relabel(one, random)).pmse);
    yield ++done;
  }
  const expected = permuted.reduce((sum, value) => sum + value, 0) / permuted.length;
  const deviation = permuted.length < 2 ? null : standardDeviation(permuted);
  const scores = grown.map(({ pmse }) => scoreOf(pmse, { mean: expected, deviation }, null));
  return {
    terms: 'tree',
    coefficients: grown[0]!.leaves,
    records: own.records,
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
