import { describe, expect, it } from 'vitest';
import { type ColumnPair, informationLoss, maskedUtility, subdomainsOf } from '../../shared/masking/information-loss.ts';
import type { Table } from '../../shared/table/table.ts';

const pair = (original: number[], masked: number[]): ColumnPair => ({
  original: Float64Array.from(original),
  masked: Float64Array.from(masked),
});

describe('informationLoss()', () => {
  it('is within-group over total sum of squares, by hand', () => {
    // SSE 2 of SST 20, and SSE 8 of SST 8.
    const pairs = [pair([0, 2, 4, 6], [1, 1, 4, 6]), pair([1, 1, 5, 1], [2, 2, 2, 2])];
    expect(informationLoss(pairs.slice(0, 1)).percent).toBeCloseTo(10, 12);
    expect(informationLoss(pairs).percent).toBeCloseTo((10 + (100 * 12) / 12) / 2, 12);
  });

  it('does not depend on units', () => {
    const scaled = pair([5, 25, 45, 65], [15, 15, 45, 65]);
    expect(informationLoss([scaled]).percent).toBeCloseTo(10, 12);
  });

  it('is null with a reason where nothing was masked, or a variable is constant', () => {
    expect(informationLoss([])).toEqual({ percent: null, reason: 'no continuous variable was masked' });
    expect(informationLoss([pair([1, 1], [1, 1])])).toEqual({ percent: null, reason: expect.any(String) });
  });
});

describe('maskedUtility()', () => {
  const a = [1, 2, 3, 4, 5, 6];
  const b = [2, 1, 4, 3, 6, 5];
  const c = [5, 1, 1, 6, 2, 2];

  it('is nothing where nothing changed', () => {
    const found = maskedUtility([pair(a, a), pair(b, b), pair(c, c)]);
    for (const { largest } of Object.values(found)) expect(largest).toBe(0);
  });

  it('gives differences in units of the original deviations', () => {
    const shifted = a.map((value) => 7 + value);
    const { means, covariances, correlations } = maskedUtility([pair(a, shifted), pair(b, b)]);
    // Seven over the deviation of 1 to 6, sqrt(3.5); the other mean has not changed.
    expect(means.largest).toBeCloseTo(7 / Math.sqrt(3.5), 12);
    expect(means.mean).toBeCloseTo(7 / Math.sqrt(3.5) / 2, 12);
    expect([covariances.largest, correlations.largest]).toEqual([expect.closeTo(0, 12), expect.closeTo(0, 12)]);
  });

  it('gives slopes of two variables by hand', () => {
    const doubled = a.map((value) => 2 * value);
    const { regressions, covariances } = maskedUtility([pair(a, doubled), pair(b, b)]);
    // In original units the slope of b on a goes from r to r/2, that of a on b from r to 2r.
    const r = 29 / 35;
    expect(regressions.largest).toBeCloseTo(r, 12);
    expect(regressions.mean).toBeCloseTo((r + r / 2) / 2, 12);
    // The variance of a goes from 1 to 4 and the covariance from r to 2r; the variance of b stays.
    expect(covariances.largest).toBeCloseTo(3, 12);
    expect(covariances.mean).toBeCloseTo((3 + r) / 3, 12);
  });

  it('leaves out variables that others determine, and is undefined for one alone', () => {
    const sum = a.map((value, i) => value + c[i]!);
    const found = maskedUtility([pair(a, a), pair(c, c), pair(sum, sum)]);
    expect(found.regressions.largest).toBe(0);
    expect(maskedUtility([pair(a, a)]).correlations).toEqual({ mean: null, largest: null, reason: expect.any(String) });
  });

  it('is undefined with a reason for too few records, and for constants', () => {
    expect(maskedUtility([pair([1], [1])]).means.reason).toBeDefined();
    expect(maskedUtility([pair([1, 1], [1, 2])]).means.reason).toBeDefined();
    expect(maskedUtility([pair([1, 2], [3, 3]), pair([1, 3], [1, 3])]).correlations.reason).toBeDefined();
  });
});

describe('subdomainsOf()', () => {
  const table: Table = {
    schema: {
      variables: [
        { name: 'A', type: 'continuous' },
        { name: 'S', type: 'categorical', categories: ['a', 'b', 'c'] },
      ],
    },
    records: 6,
    columns: [
      { type: 'continuous', values: Float64Array.of(6, 1, 5, 2, 3, 4) },
      { type: 'categorical', codes: Uint8Array.of(0, 2, 0, 2, 2, 0) },
    ],
  };

  it('has the categories, empty ones too, or quarters from the lowest', () => {
    expect(subdomainsOf(table, 1).domains.map((records) => [...records])).toEqual([[0, 2, 5], [], [1, 3, 4]]);
    expect(subdomainsOf(table, 0).domains.map((records) => [...records])).toEqual([[1, 3], [4], [5], [0, 2]]);
  });
});
