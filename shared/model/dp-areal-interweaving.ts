import { exp, log } from '../numeric/portable-math.ts';
import { logRate } from '../random/log-rate.ts';
import type { RandomStream } from '../random/random-stream.ts';
import type { ArealCells } from './dp-areal-cells.ts';
import type { CellClusters } from './dp-areal-clusters.ts';
import { type ArealParameters, PRECISION } from './dp-areal-latent.ts';

/** What the counts say of log rates: each log rate l has the likelihood exp(count l - weight exp(l)). */
export interface RateLikelihood {
  /** Records of a cell, those of the synthetic dataset too; one entry a cell. */
  readonly counts: Float64Array;
  /** One entry a pattern. */
  readonly weights: Float64Array;
}

/**
 * A shift of some log rates that share a coefficient, drawn given their counts and given that the coefficient after it is
 * normal. Their likelihood is exp(count shift - exposure exp(shift)).
 */
function drawShift(
  random: RandomStream,
  count: number,
  exposure: number,
  mean: number,
  precision: number,
): number {
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
  cells: ArealCells,
  { logRates, coefficients, intercept, precisions }: ArealParameters,
  { clusterOf, sizes }: CellClusters,
  { counts, weights }: RateLikelihood,
  inverseCovariance: Float64Array,
  random: RandomStream,
): void {
  const { patterns, categories, clusters, patternsWith } = cells;
  const width = patternsWith.length;
  const totals = new Float64Array(clusters * patterns);
  const exposures = new Float64Array(clusters * patterns);
  const shifts = new Float64Array(clusters * patterns);
  for (let b = 0; b < patterns; b++) {
    for (let cell = b * categories; cell < (b + 1) * categories; cell++) {
      const at = clusterOf[cell]! * patterns + b;
      totals[at]! += counts[cell]!;
      exposures[at]! += weights[b]! * exp(logRates[cell]!);
    }
  }
  /** Shifts what clusters `from` to `to` have in some patterns, given the normal of the coefficient after the shift less now. */
  const shift = (from: number, to: number, within: Uint32Array, mean: number, precision: number) => {
    let total = 0;
    let exposure = 0;
    for (let k = from; k < to; k++) {
      for (const b of within) {
        total += totals[k * patterns + b]!;
        exposure += exposures[k * patterns + b]!;
      }
    }
    // No cell is there: the counts tell nothing.
    if (exposure === 0) return 0;
    const drawn = drawShift(random, total, exposure, mean, precision);
    const factor = exp(drawn);
    for (let k = from; k < to; k++) {
      for (const b of within) {
        exposures[k * patterns + b]! *= factor;
        shifts[k * patterns + b]! += drawn;
      }
    }
    return drawn;
  };
  intercept[0]! += shift(0, clusters, patternsWith[0]!, -intercept[0]!, precisions[PRECISION.intercept]!);
  for (let k = 0; k < clusters; k++) {
    if (sizes[k] === 0) continue;
    const own = coefficients.subarray(k * width, (k + 1) * width);
    own[0]! += shift(k, k + 1, patternsWith[0]!, -own[0]!, precisions[PRECISION.theta]!);
    for (let r = 1; r < width; r++) {
      // Given the others, phi*_r is normal with precision Q_rr and mean phi*_r - (Q phi*)_r / Q_rr.
      const row = inverseCovariance.subarray((r - 1) * (width - 1), r * (width - 1));
      let product = 0;
      for (let s = 1; s < width; s++) product += row[s - 1]! * own[s]!;
      own[r]! += shift(k, k + 1, patternsWith[r]!, -product / row[r - 1]!, row[r - 1]!);
    }
  }
  for (let b = 0; b < patterns; b++) {
    for (let cell = b * categories; cell < (b + 1) * categories; cell++) {
      logRates[cell]! += shifts[clusterOf[cell]! * patterns + b]!;
    }
  }
}
