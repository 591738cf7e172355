import { exp, log } from '../numeric/portable-math.ts';
import type { RandomSource } from './random-source.ts';
import { exponential, normal } from './ziggurat.ts';

function requirePositive(name: string, value: number): void {
  if (!(value > 0 && value < Infinity)) throw new RangeError(`${name} must be positive and finite: ${value}`);
}

/** Gamma(shape, 1) for shape >= 1 (Marsaglia & Tsang 2000, ACM TOMS 26(3)). */
function gammaFromOne(random: RandomSource, shape: number): number {
  if (shape === 1) return exponential(random);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal(random);
    const root = 1 + c * x;
    if (root <= 0) continue;
    const v = root * root * root;
    const u = random.uniform();
    const square = x * x;
    // The squeeze of the paper's step 4 accepts 98 % without a logarithm.
    if (u < 1 - 0.0331 * square * square) return d * v;
    if (log(u) < 0.5 * square + d * (1 - v + log(v))) return d * v;
  }
}

/** Gamma(shape, 1) variate, of a positive and finite shape. A small one may underflow to 0: see {@link logGammaVariate}. */
export function gamma(random: RandomSource, shape: number): number {
  requirePositive('gamma shape', shape);
  return shape >= 1 ? gammaFromOne(random, shape) : exp(logGammaVariate(random, shape));
}

/**
 * Logarithm of a Gamma(shape, 1) variate, exact in logs for shapes far below 1:
 * Gamma(a) has the law of Gamma(a + 1) U^(1/a) (Marsaglia & Tsang 2000, section 6).
 */
export function logGammaVariate(random: RandomSource, shape: number): number {
  requirePositive('gamma shape', shape);
  if (shape >= 1) return log(gammaFromOne(random, shape));
  return log(gammaFromOne(random, shape + 1)) + log(random.uniform()) / shape;
}

/**
 * Logarithms of V and of 1 - V for V ~ Beta(a, b), as a quotient of gamma variates taken in logs, so that
 * neither end is lost when a parameter is small. Returned as `[log V, log(1 - V)]`.
 */
export function logBetaPair(random: RandomSource, a: number, b: number): [number, number] {
  if (a >= 1 && b >= 1) {
    // Neither variate can underflow.
    const first = gamma(random, a);
    const second = gamma(random, b);
    const logTotal = log(first + second);
    return [log(first) - logTotal, log(second) - logTotal];
  }
  const first = logGammaVariate(random, a);
  const second = logGammaVariate(random, b);
  const largest = Math.max(first, second);
  const logTotal = largest + log(exp(first - largest) + exp(second - largest));
  return [first - logTotal, second - logTotal];
}

/**
 * Index drawn from running sums of non-negative weights, `sums[from .. from + length)`, the last of which is
 * the total (they need not be normalised). The first index whose running sum exceeds a uniform share of it.
 */
export function categoricalFromSums(random: RandomSource, sums: Float64Array, from: number, length: number): number {
  const target = random.uniform() * sums[from + length - 1]!;
  let low = 0;
  let high = length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sums[from + middle]! > target) high = middle;
    else low = middle + 1;
  }
  return low;
}
