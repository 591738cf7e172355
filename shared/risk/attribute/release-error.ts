import { standardDeviation } from '../../numeric/spread.ts';
import { RESAMPLES } from './chain-evaluations.ts';
import { HALF_LENGTH, WITHOUT_DATASETS } from './value-figures.ts';

/**
 * The variance between releases of a sum to which m datasets contribute alike and independently, from what it is
 * without each of them: m / (m - 1) times the sum of the squared deviations of their contributions.
 *
 * @param without m
 */
export function betweenDatasets(whole: number, without: ArrayLike<number>): number {
  const m = without.length;
  let mean = 0;
  for (let l = 0; l < m; l++) mean += whole - without[l]!;
  mean /= m;
  let squares = 0;
  for (let l = 0; l < m; l++) squares += (whole - without[l]! - mean) * (whole - without[l]! - mean);
  return (m / (m - 1)) * squares;
}

/**
 * Variance of a sum over the resamples of the chains, or the square of what half the length of paired chains makes of it
 * where that is more.
 *
 * @param sum in every evaluation, as `Evaluations.figures` has them
 */
export function simulationVariance(sum: Float64Array): number {
  const error = Math.max(standardDeviation(sum.subarray(1, 1 + RESAMPLES)), Math.abs(sum[0]! - sum[HALF_LENGTH]!));
  return error * error;
}

/** Variance of a sum between releases; null when a single dataset cannot tell. */
export function releaseVariance(sum: Float64Array): number | null {
  const without = sum.subarray(WITHOUT_DATASETS);
  return without.length === 0 ? null : betweenDatasets(sum[0]!, without);
}

/** Standard errors of a figure: of simulation, over releases, and both together; the latter are null where nothing tells. */
export interface FigureErrors {
  readonly se: number | null;
  readonly simulationSe: number;
  readonly releaseSe: number | null;
}

/** Both errors together. */
export function joinErrors(simulationSe: number, releaseSe: number | null): FigureErrors {
  const se = releaseSe === null ? null : Math.sqrt(simulationSe * simulationSe + releaseSe * releaseSe);
  return { se, simulationSe, releaseSe };
}

/** Standard errors of a sum by a number; those over releases are null when a single dataset cannot tell. */
export function errorsOf(sum: Float64Array, over: number): FigureErrors {
  const release = releaseVariance(sum);
  return joinErrors(Math.sqrt(simulationVariance(sum)) / over, release === null ? null : Math.sqrt(release) / over);
}

/** An intruder who lacks no more bits than this lacks nothing: sums over records are kept in multiples of it. */
const SETTLED_BITS = 1 / 1_048_576;

/** A share of what the intruder did not know, with its standard errors; all null where there was nothing to know. */
export interface UncertaintyResolved extends Omit<FigureErrors, 'simulationSe'> {
  readonly share: number | null;
  readonly simulationSe: number | null;
}

/** The share alone; null where there was nothing to know. */
export function shareResolved(gained: number, lacked: number): number | null {
  // Above 1 by rounding alone.
  return lacked > SETTLED_BITS ? Math.min(1, gained / lacked) : null;
}

/**
 * The share of the intruder's uncertainty that the release resolves: what is gained at the true values, by what was
 * lacked before, -log2 of their prior probability. 1: the truth is certain afterwards; 0: nothing is learnt; below 0: the
 * release leads away from the truth.
 *
 * The error is that of a ratio: numerator and denominator move together, since both hold the prior, so that it is the
 * error of gained - share x lacked (Cochran 1977, chapter 6). No evaluation is divided by what it lacks itself, which
 * may be next to nothing in a resample of a single record.
 *
 * @param gained bits in every evaluation, as `Evaluations.figures` has them; `lacked` the same
 */
export function uncertaintyResolved(gained: Float64Array, lacked: Float64Array): UncertaintyResolved {
  const share = shareResolved(gained[0]!, lacked[0]!);
  if (share === null) return { share, se: null, simulationSe: null, releaseSe: null };
  const left = new Float64Array(gained.length);
  for (let e = 0; e < left.length; e++) left[e] = gained[e]! - share * lacked[e]!;
  return { share, ...errorsOf(left, lacked[0]!) };
}
