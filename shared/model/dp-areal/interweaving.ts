import { exp, log } from '../../numeric/portable-math.ts';
import { logRate } from '../../random/log-rate.ts';
import type { RandomSource } from '../../random/random-source.ts';
import type { ArealCells, RateLikelihood } from './cells.ts';
import type { CellGroups } from './groups.ts';
import { type ArealParameters, PRECISION } from './latent.ts';

/**
 * A shift of some log rates that share a coefficient, drawn given their counts and given that the coefficient after it is
 * normal. Their likelihood is exp(count shift - exposure exp(shift)).
 */
function drawShift(random: RandomSource, count: number, exposure: number, mean: number, precision: number): number {
  const logExposure = log(exposure);
  return logRate(random, count, mean + logExposure, precision) - logExposure;
}

/**
 * Moves mu and each coefficient of each cluster that holds cells, and with it all log rates that it enters, so that what
 * these lie from their means stays. {@link drawCoefficients} draws the same given the log rates instead. Where counts
 * are small the log rates follow the coefficients and these the log rates, and either way alone creeps; the two in turn do not
 * (Yu & Meng 2011).
 *
 * @param inverseCovariance of phi*, R x R
 */
export function moveCoefficients(
  { patterns, categories, clusters, regressors }: ArealCells,
  { logRates, coefficients, intercept, precisions }: ArealParameters,
  { groupOf, groups, starts, members }: CellGroups,
  { counts, weights, inverseCovariance }: RateLikelihood & { readonly inverseCovariance: Float64Array },
  random: RandomSource,
): void {
  const width = 1 + regressors;
  const totals = new Float64Array(groups);
  const exposures = new Float64Array(groups);
  const shifts = new Float64Array(groups);
  for (let b = 0; b < patterns; b++) {
    for (let cell = b * categories; cell < (b + 1) * categories; cell++) {
      const group = groupOf[cell]!;
      totals[group]! += counts[cell]!;
      exposures[group]! += weights[b]! * exp(logRates[cell]!);
    }
  }
  /** Shifts some groups, given the normal of their coefficient after the shift less now. */
  const shift = (shifted: Uint32Array, from: number, to: number, mean: number, precision: number) => {
    let total = 0;
    let exposure = 0;
    for (let at = from; at < to; at++) {
      total += totals[shifted[at]!]!;
      exposure += exposures[shifted[at]!]!;
    }
    // No cell is there: the counts tell nothing.
    if (exposure === 0) return 0;
    const drawn = drawShift(random, total, exposure, mean, precision);
    const factor = exp(drawn);
    for (let at = from; at < to; at++) {
      exposures[shifted[at]!]! *= factor;
      shifts[shifted[at]!]! += drawn;
    }
    return drawn;
  };
  const all = Uint32Array.from({ length: groups }, (_, group) => group);
  intercept[0]! += shift(all, 0, groups, -intercept[0]!, precisions[PRECISION.intercept]!);
  for (let k = 0; k < clusters; k++) {
    const from = k * width;
    const theta = coefficients[from]!;
    const precision = precisions[PRECISION.theta]!;
    coefficients[from] = theta + shift(members, starts[from]!, starts[from + 1]!, -theta, precision);
    for (let r = 0; r < regressors; r++) {
      const at = from + 1 + r;
      if (starts[at] === starts[at + 1]) continue;
      // Given the others, phi*_r is normal with precision Q_rr and mean phi*_r - (Q phi*)_r / Q_rr.
      const row = r * regressors;
      let product = 0;
      for (let s = 0; s < regressors; s++) product += inverseCovariance[row + s]! * coefficients[from + 1 + s]!;
      const precision = inverseCovariance[row + r]!;
      coefficients[at]! += shift(members, starts[at]!, starts[at + 1]!, -product / precision, precision);
    }
  }
  for (let cell = 0; cell < logRates.length; cell++) logRates[cell]! += shifts[groupOf[cell]!]!;
}
