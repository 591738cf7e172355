import { describe, expect, it } from 'vitest';
import type { Prior } from '../../../shared/contracts/config/config.ts';
import { cellOrder } from '../../../shared/risk/intruder/cell-order.ts';
import { cellWeights } from '../../../shared/risk/prior/cell-weights.ts';
import { commonestValue, guessedShare } from '../../../shared/risk/prior/commonest-share.ts';
import type { PriorWeights } from '../../../shared/risk/prior/prior-weights.ts';
import { LOG_ZERO, priorOf } from '../../../shared/risk/prior/row-priors.ts';
import { combinationsFromCodes } from '../../../shared/table/distinct-rows.ts';

const sizes = [2, 3];
const { combinations } = combinationsFromCodes(Uint16Array.of(0, 1, 0, 1, 0, 1, 1, 2), 4, 2);
const weightsOf = (prior: Prior, files: readonly PriorWeights[]) => cellWeights(prior, cellOrder(sizes), combinations, files, sizes);

describe('weights of cells', () => {
  it('are the records of the table, without the own one, and one more spread evenly', () => {
    const { of, ofTruth } = weightsOf('empirical', []);
    expect([of(Uint16Array.of(0, 1)), of(Uint16Array.of(1, 2)), of(Uint16Array.of(1, 0))]).toEqual([3 + 1 / 6, 1 + 1 / 6, 1 / 6]);
    expect([ofTruth(0), ofTruth(1)]).toEqual([2 + 1 / 6, 1 / 6]);
  });

  it('are products over files against the most that a cell could have, and hardly anything where a file has none', () => {
    const first = { variables: Uint16Array.of(0), codes: Uint16Array.of(0, 1), weights: Float64Array.of(2, 8) };
    const second = { variables: Uint16Array.of(1), codes: Uint16Array.of(0, 1, 2), weights: Float64Array.of(0, 5, 1) };
    const { of, ofTruth } = weightsOf({ file: ['first.csv', 'second.csv'] }, [first, second]);
    const close = (value: number) => expect.closeTo(value, 12);
    expect([of(Uint16Array.of(0, 1)), of(Uint16Array.of(1, 1)), of(Uint16Array.of(0, 2))]).toEqual([close(1 / 4), close(1), close(1 / 20)]);
    expect(of(Uint16Array.of(1, 0))).toBe(1e-300);
    expect([ofTruth(0), ofTruth(1)]).toEqual([close(1 / 4), close(1 / 5)]);
  });

  it('are none of priors that prefer no cell, nor are those of a prior that does', () => {
    for (const prior of ['uniform', 'model'] as const) expect(() => weightsOf(prior, [])).toThrow(RangeError);
    expect([priorOf('uniform'), priorOf('model')]).toEqual([{ source: 'uniform' }, { source: 'model' }]);
    expect(() => priorOf('empirical')).toThrow(RangeError);
    expect([Math.exp(LOG_ZERO), 0 * LOG_ZERO + 0]).toEqual([0, 0]);
  });
});

describe('guessing the commonest value', () => {
  it('is right in its records among those that are asked', () => {
    const codes = [
      [0, 1],
      [0, 2],
      [1, 2],
    ];
    const rows = { counts: [2, 3, 4], codesOf: (row: number) => codes[row]!, isAsked: (row: number, v: number) => v === 0 || row !== 2 };
    const values = [0, 1].map((v) => commonestValue(rows, v));
    expect(values).toEqual([
      { right: 5, asked: 9 },
      { right: 3, asked: 5 },
    ]);
    expect(guessedShare(values)).toBeCloseTo(8 / 14, 14);
    expect(guessedShare([{ right: 0, asked: 0 }])).toBeNull();
  });
});
