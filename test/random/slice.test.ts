import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { type LogDensity, sliceOnLine, sliceWithin } from '../../shared/random/slice.ts';
import { normal } from '../../shared/random/ziggurat.ts';
import { zOfMean } from './moments.ts';

const REPLICATES = 20_000;

/** One update of each of many exact draws: their distribution must stay what it is. */
function updated(name: string, exact: (random: RandomStream) => number, update: (random: RandomStream, x: number) => number) {
  const random = new RandomStream(63, name);
  return Float64Array.from({ length: REPLICATES }, () => update(random, exact(random)));
}

describe('sliceOnLine()', () => {
  it.each([0.05, 1, 30])('leaves a normal density as it is, with the width %d', (width) => {
    const logDensity: LogDensity = (x) => -0.5 * (x - 2) * (x - 2);
    const values = updated(
      `line/${width}`,
      (random) => 2 + normal(random),
      (random, x) => sliceOnLine(random, logDensity, x, width),
    );
    expect(Math.abs(zOfMean(values, 2, 1))).toBeLessThan(4);
    expect(
      Math.abs(
        zOfMean(
          values.map((x) => (x - 2) ** 2),
          1,
          Math.SQRT2,
        ),
      ),
    ).toBeLessThan(4);
    expect(
      Math.abs(
        zOfMean(
          values.map((x) => (x - 2) ** 3),
          0,
          Math.sqrt(15),
        ),
      ),
    ).toBeLessThan(4);
  });

  it('moves, and refuses a current point without density', () => {
    const random = new RandomStream(64, 'moves');
    expect(sliceOnLine(random, (x) => -x * x, 0.3, 1)).not.toBe(0.3);
    expect(() => sliceOnLine(random, () => Number.NaN, 0, 1)).toThrow(RangeError);
    expect(() => sliceOnLine(random, () => Number.NEGATIVE_INFINITY, 0, 1)).toThrow(RangeError);
  });
});

describe('sliceWithin()', () => {
  it('leaves a density on an interval as it is', () => {
    // Density 2x on (0, 1): the root of a uniform.
    const values = updated(
      'within',
      (random) => Math.sqrt(random.uniform()),
      (random, x) => sliceWithin(random, (at) => Math.log(at), x, 0, 1),
    );
    expect(Math.abs(zOfMean(values, 2 / 3, Math.sqrt(1 / 18)))).toBeLessThan(4);
    expect(
      Math.abs(
        zOfMean(
          values.map((x) => x * x),
          1 / 2,
          Math.sqrt(1 / 12),
        ),
      ),
    ).toBeLessThan(4);
    expect(values.every((x) => x > 0 && x < 1)).toBe(true);
  });
});
