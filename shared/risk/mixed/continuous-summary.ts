import { type ErrorsOf, withErrors } from '../../contracts/figure-errors.ts';
import { quantile } from '../../numeric/quantile.ts';
import { errorsOf, simulationVariance } from '../attribute/release-error.ts';
import { VALUE_FIGURES } from '../attribute/value-figures.ts';
import { type VALUE_COLUMNS, VALUE_SUMS, type ValueSums, valueAt } from '../attribute/value-risk.ts';
import { CONTINUOUS_FIGURES, type ContinuousFigure, INTERVALS } from '../continuous/continuous-figures.ts';

/** What is known of the continuous variables of all rows. */
export interface ContinuousRisk {
  /** rows x continuous variables x VALUE_COLUMNS. */
  readonly columns: Float64Array;
  /** rows x continuous variables x INTERVALS; NaN where there is nothing to guess. */
  readonly intervals: Float64Array;
}

/** Figures with an error over releases. */
type Released = 'withinAfter' | 'gainBitsMean' | 'crpsAfter' | 'coveredAfter';

/** Figures of a continuous variable over the records that have a value of it; errors before the release are of simulation alone. */
export interface ContinuousSummary extends ErrorsOf<Released> {
  readonly records: number;
  readonly withinBefore: number;
  readonly withinBeforeSe: number;
  readonly withinAfter: number;
  readonly gainBitsMean: number;
  readonly gainBitsClaimed: number;
  readonly crpsBefore: number;
  readonly crpsBeforeSe: number;
  readonly crpsAfter: number;
  readonly coveredBefore: number;
  readonly coveredBeforeSe: number;
  readonly coveredAfter: number;
  /** Medians over records: of the width of 90 % intervals, and of the distance of the median from the true value. */
  readonly widthBefore: number;
  readonly widthAfter: number;
  readonly medianErrorBefore: number;
  readonly medianErrorAfter: number;
  readonly valuesGivenAway: number;
}

/** Where a figure of a continuous variable stands among the sums. */
const placeOf = (name: ContinuousFigure) => VALUE_SUMS.indexOf(VALUE_FIGURES[CONTINUOUS_FIGURES.indexOf(name)]!);

/**
 * Figures of a continuous variable over a file.
 *
 * @param sets value sets of a row, of which the last are of `continuous` variables; `variable` is the place among these
 * @param truths the true value of every row; NaN where it is missing
 * @param isGivenAway by the probabilities near the true value, before and after
 * @returns null where no row has a value
 */
export function summarizeContinuous(
  { columns, sums, intervals }: ContinuousRisk & Pick<ValueSums, 'sums'>,
  { sets, continuous, variable }: Readonly<Record<'sets' | 'continuous' | 'variable', number>>,
  truths: Float64Array,
  isGivenAway: (before: number, after: number) => boolean,
): ContinuousSummary | null {
  const rows = [...truths.keys()].filter((row) => !Number.isNaN(truths[row]!));
  const records = rows.length;
  if (records === 0) return null;
  const set = sets - continuous + variable;
  const evaluations = sums.length / (sets * VALUE_SUMS.length);
  const total = (name: ContinuousFigure) =>
    Float64Array.from({ length: evaluations }, (_, e) => sums[(e * sets + set) * VALUE_SUMS.length + placeOf(name)]!);
  const column = (row: number, name: (typeof VALUE_COLUMNS)[number]) => valueAt({ columns }, row * continuous + variable, name);
  const bound = (row: number, name: (typeof INTERVALS)[number]) =>
    intervals[(row * continuous + variable) * INTERVALS.length + INTERVALS.indexOf(name)]!;
  const median = (of: (row: number) => number) => quantile(Float64Array.from(rows, of).sort(), 0.5);
  const before = (name: ContinuousFigure) => {
    const evaluated = total(name);
    return { mean: evaluated[0]! / records, se: Math.sqrt(simulationVariance(evaluated)) / records };
  };
  const after = <Name extends Released>(stated: Name, name: ContinuousFigure) => {
    const evaluated = total(name);
    return withErrors(stated, evaluated[0]! / records, errorsOf(evaluated, records));
  };
  const [within, crps, covered] = [before('withinBefore'), before('crpsBefore'), before('coveredBefore')];
  return {
    records,
    withinBefore: within.mean,
    withinBeforeSe: within.se,
    ...after('withinAfter', 'withinAfter'),
    ...after('gainBitsMean', 'gainBits'),
    gainBitsClaimed: total('claimedBits')[0]! / records,
    crpsBefore: crps.mean,
    crpsBeforeSe: crps.se,
    ...after('crpsAfter', 'crpsAfter'),
    coveredBefore: covered.mean,
    coveredBeforeSe: covered.se,
    ...after('coveredAfter', 'coveredAfter'),
    widthBefore: median((row) => bound(row, 'highBefore') - bound(row, 'lowBefore')),
    widthAfter: median((row) => bound(row, 'highAfter') - bound(row, 'lowAfter')),
    medianErrorBefore: median((row) => Math.abs(bound(row, 'medianBefore') - truths[row]!)),
    medianErrorAfter: median((row) => Math.abs(bound(row, 'medianAfter') - truths[row]!)),
    valuesGivenAway: rows.filter((row) => isGivenAway(column(row, 'probabilityBefore'), column(row, 'probabilityAfter'))).length,
  };
}
