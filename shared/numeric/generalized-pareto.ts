import { exp, log } from './portable-math.ts';

/**
 * A generalized Pareto distribution of x > 0: P(X > x) = (1 + k x / sigma)^(-1/k), exp(-x / sigma) at k = 0. The larger k, the
 * heavier the tail: moments below 1/k are finite. The scale sigma is in the unit of x.
 */
type GeneralizedPareto = { readonly k: number; readonly sigma: number };

/** Grid points of the profile likelihood beside the square root of the sample size (Zhang & Stephens 2009). */
const LEAST_GRID = 30;

/** The prior of Zhang & Stephens 2009 puts theta about this many times the inverse of the lower quartile's triple. */
const PRIOR_SCALE = 3;

/** The fitted k is drawn towards 1/2 as if by ten further observations (Vehtari et al. 2024). */
const PRIOR_K = 0.5;
const PRIOR_OBSERVATIONS = 10;

/**
 * Fit by the posterior mean of theta = -k / sigma over a grid under a weak prior (Zhang & Stephens 2009), with k
 * regularized for small samples (Vehtari et al. 2024).
 *
 * @param sorted values in ascending order, none below zero
 * @returns null where the value at a quarter of them is zero: they are not of such a distribution
 */
export function fitGeneralizedPareto(sorted: Float64Array): GeneralizedPareto | null {
  const n = sorted.length;
  const quartile = sorted[Math.floor(n / 4 + 0.5) - 1]!;
  const largest = sorted[n - 1]!;
  if (!(quartile > 0)) return null;
  const points = LEAST_GRID + Math.floor(Math.sqrt(n));
  const thetas = new Float64Array(points);
  const logs = new Float64Array(points);
  let most = -Infinity;
  for (let j = 0; j < points; j++) {
    const theta = 1 / largest + (1 - Math.sqrt(points / (j + 0.5))) / (PRIOR_SCALE * quartile);
    thetas[j] = theta;
    const k = shapeOf(sorted, theta);
    logs[j] = n * (log(-theta / k) - k - 1);
    most = Math.max(most, logs[j]!);
  }
  let total = 0;
  let sum = 0;
  for (let j = 0; j < points; j++) {
    const weight = exp(logs[j]! - most);
    total += weight;
    sum += weight * thetas[j]!;
  }
  const theta = sum / total;
  const k = shapeOf(sorted, theta);
  return { k: (n * k + PRIOR_OBSERVATIONS * PRIOR_K) / (n + PRIOR_OBSERVATIONS), sigma: -k / theta };
}

/** Factors of which one logarithm is taken: so few that values a factor of 1e30 apart leave no double's range. */
const FACTORS = 8;

/** The k of greatest likelihood at a theta: the mean of log(1 - theta x). */
function shapeOf(values: Float64Array, theta: number): number {
  let sum = 0;
  let product = 1;
  for (let i = 0; i < values.length; i++) {
    product *= 1 - theta * values[i]!;
    if (i % FACTORS < FACTORS - 1) continue;
    sum += log(product);
    product = 1;
  }
  return (sum + log(product)) / values.length;
}
