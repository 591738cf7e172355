import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { paretoShape, shapeThreshold, tailLength, WeightTails } from '../../../shared/risk/scoring/weight-tails.ts';

/** Logarithms of weights with P(w > t) = t^(-1/k), which have moments below 1/k alone. */
function paretoLogs(random: RandomStream, k: number, draws: number): Float64Array {
  return Float64Array.from({ length: draws }, () => -k * Math.log(random.uniform()));
}

describe('tailLength()', () => {
  it('is a fifth of few draws, and 3 sqrt(S) of many', () => {
    expect([24, 25, 100, 225, 400, 1200, 1600].map(tailLength)).toEqual([5, 5, 20, 45, 60, 104, 120]);
  });
});

describe('shapeThreshold()', () => {
  it('is 1 - 1 / log10 S, and 0.7 from 2,155 draws on', () => {
    expect(shapeThreshold(100)).toBeCloseTo(0.5, 14);
    expect(shapeThreshold(1000)).toBeCloseTo(2 / 3, 14);
    expect(shapeThreshold(1600)).toBeCloseTo(0.6879, 4);
    expect(shapeThreshold(2154)).toBeLessThan(0.7);
    expect(shapeThreshold(2155)).toBe(0.7);
  });
});

describe('WeightTails', () => {
  it.each([0.2, 0.5, 0.8, 1.2])('finds the tail index of weights with k = %d', (k) => {
    const random = new RandomStream(91, `tail/${k}`);
    const found = Array.from({ length: 40 }, () => paretoShape(paretoLogs(random, k, 4000)));
    const mean = found.reduce((sum, one) => sum + one, 0) / found.length;
    // Of 190 draws in a tail: drawn towards 1/2 by 10 in 200, with a standard error of (1 + k) / sqrt(190 x 40).
    expect(Math.abs(mean - (190 * k + 10 * 0.5) / 200)).toBeLessThan((4 * (1 + k)) / Math.sqrt(190 * 40));
  });

  it('has a k near 0 or below of weights that are bounded', () => {
    const random = new RandomStream(92, 'bounded');
    expect(paretoShape(Float64Array.from({ length: 4000 }, () => Math.log(random.uniform())))).toBeLessThan(0);
  });

  it('finds of every row what its draws give together, whichever chain comes first and however far chains are apart', () => {
    const random = new RandomStream(93, 'rows');
    const rows = 3;
    const chains = Array.from({ length: 8 }, () => paretoLogs(random, 0.6, rows * 40));
    const shapesOf = (order: readonly Float64Array[]) => {
      const tails = new WeightTails(rows, 320);
      for (const chain of order) tails.add(chain);
      return tails.shapes();
    };
    const found = shapesOf(chains);
    const expected = Float64Array.from({ length: rows }, (_, row) =>
      paretoShape(
        Float64Array.from(
          chains.flatMap((chain) => {
            const own = chain.filter((_, i) => i % rows === row);
            const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
            return [...own.map((value) => value - mean)];
          }),
        ),
      ),
    );
    for (let row = 0; row < rows; row++) expect(found[row]!).toBeCloseTo(expected[row]!, 10);
    expect(shapesOf(chains.toReversed())).toEqual(found);
    const apart = shapesOf(chains.map((chain, c) => chain.map((value) => value + 3 * c)));
    for (let row = 0; row < rows; row++) expect(apart[row]!).toBeCloseTo(found[row]!, 8);
  });

  it('knows no unit of the weights, however far they are beyond doubles', () => {
    const logs = paretoLogs(new RandomStream(94, 'unit'), 0.4, 1000);
    expect(paretoShape(logs.map((value) => value + 5000))).toBeCloseTo(paretoShape(logs), 8);
  });

  it('has no k of fewer than 21 draws, or of weights that do not vary', () => {
    const random = new RandomStream(96, 'few');
    expect(paretoShape(paretoLogs(random, 0.5, 20))).toBeNaN();
    expect(paretoShape(paretoLogs(random, 0.5, 21))).not.toBeNaN();
    expect(paretoShape(new Float64Array(1000).fill(2))).toBeNaN();
    const single = new WeightTails(2, 1);
    single.add(Float64Array.of(1, 2));
    expect([...single.shapes()]).toEqual([NaN, NaN]);
  });
});
