import { MISSING, type MixedRows } from '../shared/model/mixed/mixed-rows.ts';
import { lgamma } from '../shared/numeric/gamma-function.ts';
import type { MixedModel } from '../shared/risk/mixed/class-tables.ts';

/** Composite Simpson's rule. */
export function integrate(f: (x: number) => number, from: number, to: number, steps = 2000): number {
  const h = (to - from) / steps;
  let sum = f(from) + f(to);
  for (let i = 1; i < steps; i++) sum += (i % 2 === 1 ? 4 : 2) * f(from + i * h);
  return (sum * h) / 3;
}

/** P(a, x), by Simpson's rule over the density of log X where X is Gamma(a, 1). */
export function lowerGamma(a: number, x: number): number {
  if (x > a + 60 * Math.sqrt(a) + 60) return 1;
  return integrate((y) => Math.exp(a * y - Math.exp(y) - lgamma(a)), -60 / a, Math.log(x), 600);
}

export const logSum = (logs: readonly number[]) => {
  const largest = Math.max(...logs);
  return largest + Math.log(logs.reduce((sum, value) => sum + Math.exp(value - largest), 0));
};

/** log probability of an allocation to two classes under a fixed concentration: B(1 + n, alpha + rest) / B(1, alpha). */
function logAllocation(first: number, second: number, alpha: number): number {
  return Math.log(alpha) + lgamma(1 + first) + lgamma(alpha + second) - lgamma(1 + alpha + first + second);
}

/** log density of the rows of one class, parameters integrated out. */
export function logClass({ sizes, continuous, prior }: MixedModel, rows: MixedRows, members: readonly number[]): number {
  let value = 0;
  for (const [k, size] of sizes.entries()) {
    const codes = members.map((i) => rows.codes[k * rows.rows + i]!).filter((code) => code !== MISSING);
    const counts = Array.from({ length: size }, (_, c) => codes.filter((code) => code === c).length);
    value += lgamma(size) - lgamma(size + codes.length) + counts.reduce((sum, count) => sum + lgamma(1 + count), 0);
  }
  for (const [j, { smallest }] of continuous.entries()) {
    const values = members.map((i) => rows.values[j * rows.rows + i]!).filter((one) => !Number.isNaN(one));
    const n = values.length;
    const mean = n === 0 ? 0 : values.reduce((sum, one) => sum + one, 0) / n;
    const squares = values.reduce((sum, one) => sum + (one - mean) ** 2, 0);
    const kappa = prior.kappa + n;
    const shape = prior.shape + n / 2;
    const rate = prior.rate + squares / 2 + (prior.kappa * n * (mean - 0.5) ** 2) / (2 * kappa);
    value += lgamma(shape) - lgamma(prior.shape) + prior.shape * Math.log(prior.rate) - shape * Math.log(rate);
    value += Math.log(prior.kappa / kappa) / 2 - (n / 2) * Math.log(2 * Math.PI);
    value += Math.log(lowerGamma(shape, rate / smallest ** 2) / lowerGamma(prior.shape, prior.rate / smallest ** 2));
  }
  return value;
}

/**
 * What the allocations of rows to two classes come to: of each its class for every row, and its log density with the rows.
 *
 * @param records where it is less than the rows, each row below has the class of the record so many rows above
 */
export function allocations(
  model: MixedModel,
  rows: MixedRows,
  alpha: number,
  records = rows.rows,
): { classes: number[]; logDensity: number }[] {
  return Array.from({ length: 2 ** records }, (_, number) => {
    const classes = Array.from({ length: rows.rows }, (_, i) => (number >> (i % records)) & 1);
    const members = [0, 1].map((f) => [...classes.keys()].filter((i) => classes[i] === f)) as [number[], number[]];
    const perRecord = rows.rows / records;
    const logDensity = logAllocation(members[0].length / perRecord, members[1].length / perRecord, alpha);
    return { classes, logDensity: logDensity + logClass(model, rows, members[0]) + logClass(model, rows, members[1]) };
  });
}

/** log density of rows under two classes with a fixed concentration, all parameters integrated out. */
export const logMixed = (model: MixedModel, rows: MixedRows, alpha: number, records = rows.rows): number =>
  logSum(allocations(model, rows, alpha, records).map(({ logDensity }) => logDensity));

/** One table below another. */
export function stacked(first: MixedRows, second: MixedRows): MixedRows {
  const rows = first.rows + second.rows;
  const join = <A extends Uint16Array | Float64Array>(a: A, b: A, parts: number): A => {
    const joined = new (a.constructor as new (length: number) => A)(parts * rows);
    for (let k = 0; k < parts; k++) {
      joined.set(a.subarray(k * first.rows, (k + 1) * first.rows), k * rows);
      joined.set(b.subarray(k * second.rows, (k + 1) * second.rows), k * rows + first.rows);
    }
    return joined;
  };
  return {
    ...first,
    rows,
    codes: join(first.codes, second.codes, first.sizes.length),
    values: join(first.values, second.values, first.continuous.length),
  };
}
