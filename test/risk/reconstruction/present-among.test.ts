import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { presentAmong, presentInSample } from '../../../shared/risk/reconstruction/present-among.ts';

describe('a value among records', () => {
  it.each([
    [0, 1000, 0],
    [1, 3, 1],
    [0.5, 3, 1 - 1 / 8],
    [0.01, 100, 1 - 0.99 ** 100],
    [1e-9, 1_000_000, -Math.expm1(1_000_000 * Math.log1p(-1e-9))],
  ])('of density %d is among %d with probability %d', (density, records, probability) => {
    expect(presentAmong(density, records)).toBeCloseTo(probability, 9);
  });

  it('is as probable as powers say, of any number of records', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 100_000 }), (density, records) => {
        expect(presentAmong(density, records)).toBeCloseTo(1 - (1 - density) ** records, 9);
      }),
    );
  });
});

describe('a value in a sample without replacement', () => {
  /** Samples of `taken` of `all` records that hold any of the first `count`, one after the other. */
  const counted = (count: number, all: number, taken: number) => {
    const samples = Array.from({ length: 2 ** all }, (_, set) => Array.from({ length: all }, (_, i) => (set >> i) & 1));
    const sized = samples.filter((sample) => sample.filter(Boolean).length === taken);
    return sized.filter((sample) => sample.slice(0, count).includes(1)).length / sized.length;
  };

  it('is there in as many samples as can be counted', () => {
    for (let taken = 0; taken <= 6; taken++) {
      for (let count = 0; count <= 6; count++) expect(presentInSample(count, 6, taken)).toBeCloseTo(counted(count, 6, taken), 12);
    }
  });
});
