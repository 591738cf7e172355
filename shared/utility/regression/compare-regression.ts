import type { UtilityRegression } from '../../contracts/results/utility.ts';
import { studentHalfWidth } from '../../numeric/student-t.ts';
import { type CombinedEstimate, combineEstimates, type DatasetEstimate, intervalOverlap } from './combining-rules.ts';
import type { Coefficient, FittedRegression, PreparedRegression } from './fit-regression.ts';

/**
 * Compares a regression on a table with the same on its datasets, combined.
 *
 * @param sizeRatio records of a dataset by those of the table
 */
export function compareRegression(
  prepared: PreparedRegression,
  original: FittedRegression,
  datasets: readonly FittedRegression[],
  kind: 'full' | 'partial',
  sizeRatio: number,
): Omit<UtilityRegression, 'asked' | 'records' | 'heldOut'> {
  const { formula, family } = prepared.opened;
  const coefficients = prepared.names.map((term, f) =>
    compareCoefficient(
      term,
      { ...one(original, f), df: original.df },
      datasets.map((fitted) => one(fitted, f)),
      kind,
      sizeRatio,
    ),
  );
  const overlaps = defined(coefficients.map(({ intervalOverlap: overlap }) => overlap));
  const lost = coefficients.length - overlaps.length;
  const distances = defined(coefficients.map(({ standardizedDifference }) => standardizedDifference));
  return {
    formula,
    family,
    coefficients,
    meanIntervalOverlap: meanOrNull(overlaps.map((overlap) => Math.max(0, overlap))),
    meanAbsoluteStandardizedDifference: meanOrNull(distances.map(Math.abs)),
    ...(lost > 0 && { reason: `${lost} of ${coefficients.length} coefficients are left out: their overlap is not defined` }),
  };
}

const one = ({ coefficients, reason }: FittedRegression, f: number): Coefficient =>
  coefficients === null ? { estimate: null, reason: reason! } : coefficients[f]!;

const defined = (values: readonly (number | null)[]) => values.filter((value) => value !== null);

const meanOrNull = (values: readonly number[]) =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

function compareCoefficient(
  term: string,
  original: Coefficient & { readonly df: number },
  datasets: readonly Coefficient[],
  kind: 'full' | 'partial',
  sizeRatio: number,
): UtilityRegression['coefficients'][number] {
  const estimates = datasets.filter((dataset): dataset is DatasetEstimate => dataset.estimate !== null);
  const lost = datasets.findIndex(({ estimate }) => estimate === null);
  const reasons = [
    ...(original.estimate === null ? [`in the table: ${original.reason}`] : []),
    ...(lost >= 0
      ? [`in ${datasets.length - estimates.length} of ${datasets.length} datasets: ${(datasets[lost] as { reason: string }).reason}`]
      : []),
  ];
  const ofTable = original.estimate === null ? null : withInterval(original);
  const combined = lost >= 0 ? null : combineEstimates(estimates, kind, sizeRatio);
  if (combined?.reason) reasons.push(combined.reason);
  const comparable = ofTable !== null && combined !== null;
  const hasWidth = comparable && ofTable.high > ofTable.low;
  return {
    term,
    original: ofTable,
    synthetic: combined && withoutReason(combined),
    intervalOverlap:
      hasWidth && combined.low !== null && combined.high! > combined.low
        ? intervalOverlap(ofTable, { low: combined.low, high: combined.high! })
        : null,
    standardizedDifference: hasWidth ? (combined.estimate - ofTable.estimate) / ofTable.se : null,
    ...(reasons.length > 0 && { reason: reasons.join('; ') }),
  };
}

const withoutReason = ({ reason: _, ...combined }: CombinedEstimate) => combined;

function withInterval({ estimate, se, df }: DatasetEstimate & { readonly df: number }) {
  const half = se * studentHalfWidth(df);
  return { estimate, se, low: estimate - half, high: estimate + half };
}
