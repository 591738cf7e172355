import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawClasses, paddedClasses, sumClasses } from '../../../shared/model/dpmpm/class-sums.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { zOfChiSquare, zOfMean } from '../../random/moments.ts';

/** Sums over classes of these weights. */
function sumsOf(weights: readonly number[]) {
  const padded = new Float64Array(paddedClasses(weights.length));
  padded.set(weights);
  return sumClasses(padded);
}

/** How many of so many records are in each class. */
function drawn(weights: readonly number[], records: number, random: RandomStream): Float64Array {
  const counts = new Float64Array(paddedClasses(weights.length));
  drawClasses(sumsOf(weights), records, random, (f, inClass) => {
    counts[f]! += inClass;
  });
  return counts;
}

const WEIGHTS = [0.5, 0, 3, 0.25, 1, 0, 2, 0.125, 4, 0.75, 0, 1.5, 0.3, 0, 0, 2.2, 1.1, 0, 0.9];
const TOTAL = WEIGHTS.reduce((sum, weight) => sum + weight, 0);

describe('sumClasses()', () => {
  it('adds up along lanes, then over lanes', () => {
    const sums = sumsOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect([...sums.withinLane]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 3, 4, 5, 6, 7, 8]);
    expect([...sums.lanes]).toEqual([10, 22, 25, 29, 34, 40, 47, 55]);
    expect(sums.total).toBe(55);
  });
});

describe('drawClasses()', () => {
  it.each([
    // One by one; by lanes, few in each; by lanes and classes.
    [1, 60_000],
    [31, 3_000],
    [40, 3_000],
    [2_000, 1_000],
  ])('of %i records follows the multinomial law of the weights', (records, repeats) => {
    const random = new RandomStream(60, `multinomial/${records}`);
    const draws = Array.from({ length: repeats }, () => drawn(WEIGHTS, records, random));
    const totals = WEIGHTS.map((_, f) => draws.reduce((sum, counts) => sum + counts[f]!, 0));
    const some = WEIGHTS.flatMap((weight, f) => (weight > 0 ? [f] : []));
    expect(totals.reduce((sum, count) => sum + count, 0)).toBe(records * repeats);
    expect(
      Math.abs(
        zOfChiSquare(
          some.map((f) => totals[f]!),
          some.map((f) => (records * repeats * WEIGHTS[f]!) / TOTAL),
        ),
      ),
    ).toBeLessThan(4);
    // Deviations from the mean: their products have expectation n (p_f [f = g] - p_f p_g).
    for (const f of [0, 2, 8, 18]) {
      for (const g of [0, 2, 8, 18]) {
        const [p, q] = [WEIGHTS[f]! / TOTAL, WEIGHTS[g]! / TOTAL];
        const products = draws.map((counts) => (counts[f]! - records * p) * (counts[g]! - records * q));
        const mean = records * ((f === g ? p : 0) - p * q);
        const spread = Math.sqrt(products.reduce((sum, one) => sum + (one - mean) ** 2, 0) / repeats);
        expect(Math.abs(zOfMean(products, mean, spread)), `${f} ${g}`).toBeLessThan(4);
      }
    }
  });

  it('places every record, in classes of positive weight alone, for any weights', () => {
    const weight = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1e-200, noNaN: true }));
    fc.assert(
      fc.property(
        fc.array(weight, { minLength: 1, maxLength: 40 }),
        fc.nat(39),
        fc.constantFrom(0, 1, 5, 31, 32, 200, 1_000_000),
        fc.nat(),
        (weights, at, records, seed) => {
          weights[at % weights.length] = 0.5;
          const counts = drawn(weights, records, new RandomStream(seed, 'any'));
          expect(counts.reduce((sum, count) => sum + count, 0)).toBe(records);
          for (const [f, count] of counts.entries()) if (!weights[f]) expect(count).toBe(0);
        },
      ),
    );
  });
});
