import { describe, expect, it } from 'vitest';
import { expectedSuccesses, measuredSizes, sizeCorrection } from '../../../shared/risk/attack/singling-out.ts';

/** Share of the sets of `size` of `records` records that hold exactly one of the first `matches`. */
function byEnumeration(matches: number, records: number, size: number): number {
  let [sets, hits] = [0, 0];
  for (let mask = 0; mask < 1 << records; mask++) {
    const held = [...Array(records).keys()].filter((record) => (mask >> record) & 1);
    if (held.length !== size) continue;
    sets++;
    if (held.filter((record) => record < matches).length === 1) hits++;
  }
  return hits / sets;
}

describe('expected successes', () => {
  it('are those of every sample', () => {
    for (const size of [1, 3, 6, 8]) {
      const counts = [0, 1, 2, 5, 8];
      const expected = counts.reduce((sum, matches) => sum + byEnumeration(matches, 8, size), 0);
      expect(expectedSuccesses(counts, 8, size)).toBeCloseTo(expected, 12);
    }
  });
});

describe('the correction for size', () => {
  it('is 1 for as many records, and where nothing succeeds', () => {
    expect(sizeCorrection([10, 20], [3, 5], 20, 20)).toBe(1);
    expect(sizeCorrection([10, 20], [0, 0], 20, 500)).toBe(1);
  });

  it('follows queries of one weight to where they single out nobody', () => {
    // Queries that a tenth of the records meet: a large table has no single one.
    const sizes = measuredSizes(200);
    const successes = sizes.map((size) => expectedSuccesses([20, 20, 20], 200, size));
    expect(sizeCorrection(sizes, successes, 200, 2000)).toBeLessThan(0.2);
  });

  it('measures from a tenth of a small control, or 1,000 records of a large one', () => {
    expect(measuredSizes(100)).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
    expect(measuredSizes(19_000)[0]).toBe(1000);
    expect(measuredSizes(19_000).at(-1)).toBe(19_000);
  });
});
