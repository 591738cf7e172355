import { exp } from '../../numeric/portable-math.ts';
import { gamma } from '../../random/distributions.ts';
import type { RandomSource } from '../../random/random-source.ts';
import type { ArealCells } from './cells.ts';
import type { CellGroups } from './groups.ts';
import { type ArealParameters, PRECISION } from './latent.ts';

/** Shape and rate of the gamma prior of every precision (001 section 2.3). */
const PRIOR = { shape: 1, rate: 1 };

/** Logarithm of the prior density of the logarithm of a precision. */
export function logPrecisionPrior(logPrecision: number): number {
  return PRIOR.shape * logPrecision - PRIOR.rate * exp(logPrecision);
}

/** A precision given the sum of squares of values that are normal with mean 0. */
function drawPrecision(values: number, squares: number, random: RandomSource): number {
  return gamma(random, PRIOR.shape + values / 2) / (PRIOR.rate + squares / 2);
}

/**
 * Draws the precisions of log rates, of theta* and of mu from their gamma conditionals. Of theta* only that of clusters
 * that hold cells counts: the others are drawn afterwards.
 *
 * @param means of log rates of each group
 */
export function drawPrecisions(
  { clusters, regressors }: ArealCells,
  { logRates, coefficients, intercept, precisions }: ArealParameters,
  { groupOf, starts }: CellGroups,
  means: Float64Array,
  random: RandomSource,
): void {
  let squares = 0;
  for (let cell = 0; cell < logRates.length; cell++) {
    const residual = logRates[cell]! - means[groupOf[cell]!]!;
    squares += residual * residual;
  }
  let occupied = 0;
  let thetaSquares = 0;
  for (let k = 0; k < clusters; k++) {
    const at = k * (1 + regressors);
    if (starts[at] === starts[at + 1]) continue;
    occupied++;
    const theta = coefficients[at]!;
    thetaSquares += theta * theta;
  }
  const mu = intercept[0]!;
  precisions[PRECISION.rates] = drawPrecision(logRates.length, squares, random);
  precisions[PRECISION.theta] = drawPrecision(occupied, thetaSquares, random);
  precisions[PRECISION.intercept] = drawPrecision(1, mu * mu, random);
}
