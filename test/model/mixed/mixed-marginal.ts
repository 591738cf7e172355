import type { MixedRows } from '../../../shared/model/mixed/mixed-rows.ts';
import { MISSING } from '../../../shared/model/mixed/mixed-rows.ts';
import type { NormalPrior } from '../../../shared/model/mixed/normal-prior.ts';
import { lgamma } from '../../../shared/numeric/gamma-function.ts';

/** Probability that a Gamma(shape, 1) variate is at most x, by its series. */
export function gammaShare(shape: number, x: number): number {
  if (x > shape + 40 * Math.sqrt(shape) + 700) return 1;
  let term = Math.exp(shape * Math.log(x) - x - lgamma(shape + 1));
  let sum = 0;
  for (let k = 1; term > sum * 1e-17; k++) {
    sum += term;
    term *= x / (shape + k);
  }
  return Math.min(1, sum);
}

/** Log density of Student's t about `mean` with a scale, at y. */
function logStudent(y: number, freedom: number, mean: number, scale: number): number {
  const z = (y - mean) / scale;
  return (
    lgamma((freedom + 1) / 2) -
    lgamma(freedom / 2) -
    0.5 * Math.log(Math.PI * freedom) -
    Math.log(scale) -
    ((freedom + 1) / 2) * Math.log1p((z * z) / freedom)
  );
}

/**
 * log density of the values of a class, its normal integrated out: Student's t for each given those before it, by the
 * recursion of a normal with a normal-inverse-gamma prior, times the share of the last inverse gamma above the smallest
 * variance over that of the first.
 */
export function logValues(values: readonly number[], { kappa, shape, rate }: NormalPrior, smallest: number): number {
  let [k, m, a, b] = [kappa, 0.5, shape, rate];
  const least = smallest * smallest;
  let log = -Math.log(gammaShare(a, b / least));
  for (const y of values) {
    log += logStudent(y, 2 * a, m, Math.sqrt((b * (k + 1)) / (a * k)));
    b += (0.5 * k * (y - m) ** 2) / (k + 1);
    m = (k * m + y) / (k + 1);
    k += 1;
    a += 0.5;
  }
  return log + Math.log(gammaShare(a, b / least));
}

/** log probability of the rows with an allocation over two classes, everything but it integrated out. */
export function logAllocated({ rows, sizes, codes, continuous, values }: MixedRows, allocation: number, alpha: number, prior: NormalPrior) {
  const classOf = (row: number) => (allocation >> row) & 1;
  let second = 0;
  for (let row = 0; row < rows; row++) second += classOf(row);
  // V ~ Beta(1, alpha): n! Gamma(alpha + N) alpha Gamma(alpha + ...) of the first class.
  let log = Math.log(alpha) + lgamma(rows - second + 1) + lgamma(alpha + second) - lgamma(alpha + 1 + rows);
  for (const f of [0, 1]) {
    for (const [k, size] of sizes.entries()) {
      const counts = new Array<number>(size).fill(0);
      for (let row = 0; row < rows; row++) {
        const code = codes[k * rows + row]!;
        if (classOf(row) === f && code !== MISSING) counts[code]!++;
      }
      const total = counts.reduce((sum, count) => sum + count, 0);
      log += lgamma(size) - lgamma(size + total) + counts.reduce((sum, count) => sum + lgamma(count + 1), 0);
    }
    for (const [j, { smallest }] of continuous.entries()) {
      const own = Array.from(values.subarray(j * rows, (j + 1) * rows)).filter((y, row) => !Number.isNaN(y) && classOf(row) === f);
      log += logValues(own, prior, smallest);
    }
  }
  return log;
}
