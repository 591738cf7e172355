import { describe, expect, it } from 'vitest';
import { ExplicitAllocation } from '../../../bench/mixing/explicit-allocation.ts';
import { SplitMerge } from '../../../bench/mixing/split-merge.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { combinationsFromCodes } from '../../../shared/table/distinct-rows.ts';

const SIZES = [2, 3];
const RECORDS = [
  [0, 0],
  [0, 1],
  [1, 2],
  [1, 2],
];
const CLASSES = 3;
const ALPHA = 0.8;

const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));

/** Gamma(alpha + n) / Gamma(alpha). */
function rising(alpha: number, n: number): number {
  let product = 1;
  for (let i = 0; i < n; i++) product *= alpha + i;
  return product;
}

/** p(allocation, data | alpha), with sticks and phi integrated out, up to a constant. */
function joint(allocation: readonly number[]): number {
  const counts = Array.from({ length: CLASSES }, (_, f) => allocation.filter((own) => own === f).length);
  let value = 1;
  for (let f = 0; f < CLASSES; f++) {
    const after = counts.slice(f + 1).reduce((sum, count) => sum + count, 0);
    // B(1 + n, alpha + N) / B(1, alpha).
    if (f < CLASSES - 1) {
      value *= (factorial(counts[f]!) * rising(ALPHA, after)) / rising(ALPHA + 1, counts[f]! + after);
    }
    for (const [k, size] of SIZES.entries()) {
      for (let c = 0; c < size; c++) {
        value *= factorial(RECORDS.filter((record, i) => allocation[i] === f && record[k] === c).length);
      }
      value /= rising(size, counts[f]!);
    }
  }
  return value;
}

function* allocations(): Generator<number[]> {
  for (let i = 0; i < CLASSES ** RECORDS.length; i++) {
    yield RECORDS.map((_, r) => Math.floor(i / CLASSES ** r) % CLASSES);
  }
}

/** Records 0 and 1 together, records 2 and 3 together, and the number of occupied classes. */
const functionals = (z: ArrayLike<number>) => [z[0] === z[1] ? 1 : 0, z[2] === z[3] ? 1 : 0, new Set(Array.from(z)).size];

describe('split and merge by sequential allocation', () => {
  it('leaves the posterior of allocations as it is, between iterations of the sampler', () => {
    let total = 0;
    const exact = [0, 0, 0];
    for (const z of allocations()) {
      const weight = joint(z);
      total += weight;
      for (const [i, value] of functionals(z).entries()) exact[i]! += weight * value;
    }
    const codes = Uint16Array.from(RECORDS.flat());
    const { combinations } = combinationsFromCodes(codes, RECORDS.length, SIZES.length);
    const explicit = new ExplicitAllocation(combinations, SIZES, { classes: CLASSES, concentration: { value: ALPHA } });
    const random = new RandomStream(1, 'split-merge');
    const draws = 60_000;
    const sums = [0, 0, 0];
    let moves = 0;
    let state = explicit.drawParameters(explicit.empty(), ALPHA, random);
    for (let i = 0; i < draws; i++) {
      const allocation = explicit.allocate(state, random);
      const splitMerge = new SplitMerge(allocation, SIZES);
      for (let p = 0; p < 5; p++) splitMerge.propose(ALPHA, random);
      moves += splitMerge.accepted;
      // The records of the table are in the order of its combinations: the last two are equal.
      for (const [f, value] of functionals(allocation.classOf).entries()) sums[f]! += value;
      state = explicit.drawParameters(allocation, ALPHA, random);
    }
    expect(moves).toBeGreaterThan(draws / 10);
    for (const [i, sum] of sums.entries()) {
      // About 20,000 effective draws of figures whose standard deviation is at most 0.6.
      expect(Math.abs(sum / draws - exact[i]! / total)).toBeLessThan((4 * 0.6) / Math.sqrt(20_000));
    }
  });
});
