import { standardDeviation } from '../../numeric/spread.ts';
import { betweenDatasets, type FigureErrors, joinErrors } from './release-error.ts';

/**
 * Resamples in which a figure of every row is kept, so that figures of some or all rows that are no sums can be found in each:
 * an error is off by an eighth.
 */
const KEPT_RESAMPLES = 32;

/** Evaluation from paired chains of half their length; those with each dataset left out follow. */
export const KEPT_HALF = 1 + KEPT_RESAMPLES;

/** Evaluations in which a figure of every row is kept: the estimate, resamples, half the length, and without each dataset. */
export const keptEvaluations = (datasets: number): number => KEPT_HALF + 1 + datasets;

/**
 * The standard errors of a figure that is found in each of {@link keptEvaluations}: of simulation, with the length of paired
 * chains in it, and over releases.
 */
export function keptErrors(values: Float64Array): FigureErrors {
  const evaluations = values.subarray(1, KEPT_HALF + 1);
  // Of what is exact a deviation is rounding.
  const simulation = evaluations.every((value) => value === values[0])
    ? 0
    : Math.max(standardDeviation(values.subarray(1, KEPT_HALF)), Math.abs(values[0]! - values[KEPT_HALF]!));
  const without = values.subarray(KEPT_HALF + 1);
  return joinErrors(simulation, without.length === 0 ? null : Math.sqrt(betweenDatasets(values[0]!, without)));
}
