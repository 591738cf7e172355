/** Numbers that decide how much a draw of DP-areal holds. */
export interface ArealShape {
  /** B, the patterns. */
  readonly patterns: number;
  /** G, the categories of the synthesized variable. */
  readonly categories: number;
  /** R, the categories of all known variables together. */
  readonly regressors: number;
  /** K, the clusters at which stick breaking is truncated. */
  readonly clusters: number;
}

/** The parameters of DP-areal but alpha (001 eq. 7-12), each a part of one array: what is written to one is in it. */
export interface ArealParameters {
  /** log lambda, patterns x categories. */
  readonly logRates: Float64Array;
  /** Clusters x (1 + R): theta*, then phi*, of each cluster. */
  readonly coefficients: Float64Array;
  /** log rho, one entry a cluster. */
  readonly logWeights: Float64Array;
  /** sigma, the standard deviations of phi*. */
  readonly scales: Float64Array;
  /** Omega, the correlations of phi*: R x R, both triangles. */
  readonly correlations: Float64Array;
  /** mu: one entry. */
  readonly intercept: Float64Array;
  /** tau of log lambda, of theta* and of mu: one entry each, by {@link PRECISION}. */
  readonly precisions: Float64Array;
}

/** Places in {@link ArealParameters.precisions}. */
export const PRECISION = { rates: 0, theta: 1, intercept: 2 } as const;

/** The one place that knows what a draw's latent array holds, in order. */
const LENGTHS: readonly [keyof ArealParameters, (shape: ArealShape) => number][] = [
  ['logRates', ({ patterns, categories }) => patterns * categories],
  ['coefficients', ({ clusters, regressors }) => clusters * (1 + regressors)],
  ['logWeights', ({ clusters }) => clusters],
  ['scales', ({ regressors }) => regressors],
  ['correlations', ({ regressors }) => regressors * regressors],
  ['intercept', () => 1],
  ['precisions', () => 3],
];

/** Length of a draw's latent array. */
export function latentLength(shape: ArealShape): number {
  return LENGTHS.reduce((sum, [, length]) => sum + length(shape), 0);
}

/**
 * The parameters that a latent array holds.
 *
 * @throws RangeError when it has not the length that the shape gives it
 */
export function arealParameters(latent: Float64Array, shape: ArealShape): ArealParameters {
  if (latent.length !== latentLength(shape)) {
    throw new RangeError(`${latent.length} latent numbers are not those of this table and model`);
  }
  let from = 0;
  const parts = LENGTHS.map(([name, length]) => {
    const part = latent.subarray(from, from + length(shape));
    from += part.length;
    return [name, part];
  });
  return Object.fromEntries(parts) as ArealParameters;
}
