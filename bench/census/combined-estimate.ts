/** Normal quantile of a 95 % interval. */
const QUANTILE = 1.959964;

/** An estimate from fully synthetic datasets, with its 95 % interval. */
export interface CombinedEstimate {
  readonly mean: number;
  readonly interval: readonly [low: number, high: number];
  /** Whether the variance of the combining rule was negative, so that another took its place. */
  readonly fallback: boolean;
}

/**
 * Combines the estimates of m fully synthetic datasets (Raghunathan et al. 2003): the mean q, with the variance T = (1 +
 * 1/m) b - u from the variance b between datasets and the mean u of those within. T can be negative; then u stands in its
 * place, which is what T is expected to be for datasets as large as the table.
 */
export function combineEstimates(estimates: readonly number[], variances: readonly number[]): CombinedEstimate {
  const m = estimates.length;
  const mean = estimates.reduce((sum, value) => sum + value, 0) / m;
  const between = estimates.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (m - 1);
  const within = variances.reduce((sum, value) => sum + value, 0) / m;
  const variance = (1 + 1 / m) * between - within;
  const half = QUANTILE * Math.sqrt(variance > 0 ? variance : within);
  return { mean, interval: [mean - half, mean + half], fallback: variance <= 0 };
}
