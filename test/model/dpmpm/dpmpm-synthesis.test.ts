import { describe, expect, it } from 'vitest';
import { synthesizeRecords } from '../../../shared/model/dpmpm/dpmpm-synthesis.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { zOfChiSquare } from '../../random/moments.ts';
import { naiveLogDensity, randomState } from '../random-state.ts';

describe('synthesizeRecords()', () => {
  it.each([1, 3, 5])('draws each cell as often as f(x | Theta) says, with %i classes', (classes) => {
    const sizes = [2, 3, 2];
    const random = new RandomStream(61, `synthesis/${classes}`);
    const state = randomState(random, sizes, classes);
    const records = 50_000;
    const codes = synthesizeRecords(state, sizes, records, random);
    expect(codes).toHaveLength(3 * records);
    const counts = new Float64Array(12);
    for (let i = 0; i < records; i++) {
      counts[(codes[3 * i]! * 3 + codes[3 * i + 1]!) * 2 + codes[3 * i + 2]!]!++;
    }
    const expected = Float64Array.from({ length: 12 }, (_, cell) => {
      const x = [Math.floor(cell / 6), Math.floor(cell / 2) % 3, cell % 2];
      return records * Math.exp(naiveLogDensity(state, sizes, x));
    });
    expect(Math.abs(zOfChiSquare(counts, expected))).toBeLessThan(4);
  });

  it('never draws a category, or a class, of probability zero', () => {
    // Class 0 has no weight and alone gives category 2; class 1 never gives category 0.
    const state = { weights: Float64Array.of(0, 1), probabilities: Float64Array.of(0, 0, 0, 1, 1, 0) };
    const codes = synthesizeRecords(state, [3], 1_000, new RandomStream(62, 'zero'));
    expect([...new Set(codes)]).toEqual([1]);
  });

  it('draws records one after the other: fewer records are the beginning of more', () => {
    const state = randomState(new RandomStream(63, 'state'), [4, 4], 3);
    const few = synthesizeRecords(state, [4, 4], 5, new RandomStream(63, 'draw'));
    const more = synthesizeRecords(state, [4, 4], 9, new RandomStream(63, 'draw'));
    expect(more.subarray(0, 10)).toEqual(few);
  });
});
