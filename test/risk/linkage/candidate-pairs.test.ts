import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { CandidatePairs, type Comparison, NO_LEVEL } from '../../../shared/risk/linkage/candidate-pairs.ts';

const ROWS = 40;
const RECORDS = 300;

/** Comparisons with nested intervals around values that rows share with records. */
function comparisonsOf(seed: number, count: number, withSilent: boolean): Comparison[] {
  const random = new RandomStream(seed, 'pairs');
  return Array.from({ length: count }, (_, v) => {
    const values = Float64Array.from({ length: RECORDS }, () => random.below(60));
    const bands = Array.from({ length: 1 + (v % 3) }, (_, b) => ({
      low: Float64Array.from({ length: ROWS }, (_, row) => values[row]! - 2 * (b + 1)),
      high: Float64Array.from({ length: ROWS }, (_, row) => (b === 2 && row % 9 === 0 ? Infinity : values[row]! + 2 * (b + 1))),
    }));
    const tells = withSilent && v > 0 ? Uint8Array.from({ length: ROWS }, () => random.below(2)) : null;
    return { name: `V${v}`, values, bands, tells };
  });
}

/** Levels of a pair by the definition. */
const levelsOf = (comparisons: readonly Comparison[], row: number, record: number) =>
  comparisons.map(({ values, bands, tells }) => {
    if (tells?.[row] === 0) return NO_LEVEL;
    return bands.filter(({ low, high }) => low[row]! <= values[record]! && values[record]! <= high[row]!).length;
  });

describe.each([
  [1, false],
  [3, false],
  [5, false],
  [5, true],
])('CandidatePairs with %i comparisons, some silent: %s', (count, withSilent) => {
  const comparisons = comparisonsOf(count, count, withSilent);
  const pairs = new CandidatePairs(comparisons);

  it.each([0, 1, null, 3, Infinity])('finds what disagrees on at most %s, and each once', (tolerance) => {
    for (let row = 0; row < ROWS; row++) {
      const telling = comparisons.filter(({ tells }) => tells?.[row] !== 0).length;
      const most = Math.min(tolerance ?? Math.floor(telling / 3), telling - 1);
      const expected = Array.from({ length: RECORDS }, (_, record) => record).filter((record) => {
        const levels = levelsOf(comparisons, row, record);
        return levels.filter((level) => level === 0).length <= most;
      });
      const found = pairs.find(row, tolerance);
      const records = [...pairs.candidates.subarray(0, found)];
      expect(records.toSorted((a, b) => a - b)).toEqual(expected);
      for (const [place, record] of records.entries())
        expect([...pairs.levels.subarray(place * count, (place + 1) * count)]).toEqual(levelsOf(comparisons, row, record));
    }
  });
});

it('finds what lies in intervals whose ends have another order than their beginnings', () => {
  const values = Float64Array.from({ length: 30 }, (_, record) => (record * 7) % 30);
  const [low, high] = [Float64Array.of(0, 3, 1, 20, 2), Float64Array.of(25, 4, 29, 22, 2)];
  const pairs = new CandidatePairs([{ name: 'A', values, bands: [{ low, high }], tells: null }]);
  for (const row of low.keys()) {
    const found = pairs.find(row, 0);
    const within = [...values.keys()].filter((record) => low[row]! <= values[record]! && values[record]! <= high[row]!);
    expect([...pairs.candidates.subarray(0, found)].sort((a, b) => a - b)).toEqual(within);
  }
});
