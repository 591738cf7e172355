import { exp, log } from '../../numeric/portable-math.ts';
import type { RandomSource } from '../../random/random-source.ts';
import { sliceOnLine } from '../../random/slice.ts';
import { type ArealCells, type ArealParameters, PRECISION } from './cells.ts';
import { logScalePrior } from './covariance.ts';
import { type CellGroups, logPrecisionPrior } from './groups.ts';

/** About the width of the density of a log scale. */
const WIDTH = 1;

/**
 * Moves each scale sigma_r, and with it phi*_r of the clusters that hold cells, which stay what they are in units of it; then
 * the scale of theta* with theta*. Given the log rates, the other half of {@link updateCovariance}: with few clusters
 * phi* tells little of its scale, and a small scale holds phi* at zero.
 *
 * @param means of log rates of each group; changed with the coefficients
 */
export function moveCoefficientScales(
  { clusters, regressors }: ArealCells,
  { logRates, coefficients, scales, precisions }: ArealParameters,
  { groupOf, groups, cells, starts, members }: CellGroups,
  means: Float64Array,
  random: RandomSource,
): void {
  const tau = precisions[PRECISION.rates]!;
  const width = 1 + regressors;
  // What the log rates of each group lie above their means, added up.
  const residuals = new Float64Array(groups);
  for (let cell = 0; cell < logRates.length; cell++) {
    const group = groupOf[cell]!;
    residuals[group]! += logRates[cell]! - means[group]!;
  }
  for (let column = 0; column < width; column++) {
    // The log-likelihood of the coefficients times f is linear * (f - 1) - square * (f - 1)^2 / 2.
    let square = 0;
    let linear = 0;
    for (let k = 0; k < clusters; k++) {
      const at = k * width + column;
      const effect = tau * coefficients[at]!;
      let count = 0;
      let residual = 0;
      for (let m = starts[at]!; m < starts[at + 1]!; m++) {
        count += cells[members[m]!]!;
        residual += residuals[members[m]!]!;
      }
      square += count * effect * coefficients[at]!;
      linear += residual * effect;
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
      // Coefficients of empty clusters are drawn afterwards.
      if (starts[k * width] === starts[k * width + 1]) continue;
      const at = k * width + column;
      const shift = coefficients[at]! * (factor - 1);
      coefficients[at]! += shift;
      for (let m = starts[at]!; m < starts[at + 1]!; m++) {
        const group = members[m]!;
        means[group]! += shift;
        residuals[group]! -= cells[group]! * shift;
      }
    }
  }
}
