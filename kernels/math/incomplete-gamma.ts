/** The functions of shared/numeric/incomplete-gamma.ts, operation by operation: the same bits. See there. */
import { exp, log, log1p } from './portable-math';

const EPSILON: f64 = 1e-16;
const NEGLIGIBLE: f64 = 28;

/** True where Q(a, x) is below 1e-12. */
export function isWhole(a: f64, x: f64): bool {
  return x > a && x - a - a * log(x / a) > NEGLIGIBLE;
}

/**
 * Logarithm of the regularized lower incomplete gamma function P(a, x).
 *
 * @param logGamma lgamma(a), which many x share
 */
export function logLowerGamma(a: f64, x: f64, logGamma: f64): f64 {
  if (x == Infinity) return 0;
  const logFactor = a * log(x) - x - logGamma;
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n: f64 = 1; term > sum * EPSILON; n++) {
      term *= x / (a + n);
      sum += term;
    }
    return logFactor + log(sum);
  }
  let b = x + 1 - a;
  let c: f64 = Infinity;
  let d = 1 / b;
  let fraction = d;
  for (let n: f64 = 1; ; n++) {
    const numerator = n * (a - n);
    b += 2;
    d = 1 / (b + numerator * d);
    c = b + numerator / c;
    const change = c * d;
    fraction *= change;
    if (abs(change - 1) < 4 * EPSILON) break;
  }
  return log1p(-min<f64>(1, exp(logFactor) * fraction));
}
