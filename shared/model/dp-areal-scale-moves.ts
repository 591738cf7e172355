import { exp, log } from '../numeric/portable-math.ts';
import type { RandomStream } from '../random/random-stream.ts';
import { sliceOnLine } from '../random/slice.ts';
import type { ArealCells } from './dp-areal-cells.ts';
import type { CellClusters } from './dp-areal-clusters.ts';
import { logScalePrior } from './dp-areal-covariance.ts';
import { type ArealParameters, PRECISION } from './dp-areal-latent.ts';
import { logPrecisionPrior } from './dp-areal-precisions.ts';

/** About the width of the density of a log scale. */
const WIDTH = 1;

/**
 * Moves each scale sigma_r, and with it phi*_r of the clusters that hold cells, which stay what they are in units of it; then
 * the scale of theta* with theta*. Given the log rates, the other half of {@link updateCovariance}: with few clusters
 * phi* tells little of its scale, and a small scale holds phi* at zero.
 *
 * @param means of log rates, patterns x clusters; changed with the coefficients
 */
export function moveCoefficientScales(
  { patterns, categories, clusters, patternsWith }: ArealCells,
  { logRates, coefficients, scales, precisions }: ArealParameters,
  { clusterOf, sizes }: CellClusters,
  means: Float64Array,
  random: RandomStream,
): void {
  const tau = precisions[PRECISION.rates]!;
  const width = patternsWith.length;
  // Cells of each cluster and pattern, and what their log rates lie above their means, added up.
  const counts = new Float64Array(clusters * patterns);
  const residuals = new Float64Array(clusters * patterns);
  for (let b = 0; b < patterns; b++) {
    for (let cell = b * categories; cell < (b + 1) * categories; cell++) {
      const k = clusterOf[cell]!;
      counts[k * patterns + b]!++;
      residuals[k * patterns + b]! += logRates[cell]! - means[b * clusters + k]!;
    }
  }
  for (let column = 0; column < width; column++) {
    const within = patternsWith[column]!;
    // The log-likelihood of the coefficients times f is linear * (f - 1) - square * (f - 1)^2 / 2.
    let square = 0;
    let linear = 0;
    for (let k = 0; k < clusters; k++) {
      if (sizes[k] === 0) continue;
      const own = coefficients[k * width + column]!;
      for (const b of within) {
        square += tau * counts[k * patterns + b]! * own * own;
        linear += tau * residuals[k * patterns + b]! * own;
      }
    }
    const current = column === 0 ? -0.5 * log(precisions[PRECISION.theta]!) : log(scales[column - 1]!);
    const logPrior = column === 0 ? (s: number) => logPrecisionPrior(-2 * s) : logScalePrior;
    const logDensity = (logScale: number) => {
      const change = exp(logScale - current) - 1;
      return logPrior(logScale) + change * (linear - 0.5 * square * change);
    };
    const next = sliceOnLine(random, logDensity, current, WIDTH);
    if (column === 0) precisions[PRECISION.theta] = exp(-2 * next);
    else scales[column - 1] = exp(next);
    const factor = exp(next - current);
    for (let k = 0; k < clusters; k++) {
      if (sizes[k] === 0) continue;
      const shift = coefficients[k * width + column]! * (factor - 1);
      coefficients[k * width + column]! += shift;
      for (const b of within) {
        means[b * clusters + k]! += shift;
        residuals[k * patterns + b]! -= counts[k * patterns + b]! * shift;
      }
    }
  }
}
