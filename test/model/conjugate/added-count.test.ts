import { describe, expect, it } from 'vitest';
import { addedCount, recordGain } from '../../../shared/model/conjugate/added-count.ts';

/** All tables of counts over `cells` cells that sum to `total`. */
function countsOf(total: number, cells: number): number[][] {
  if (cells === 1) return [[total]];
  return Array.from({ length: total + 1 }, (_, first) => countsOf(total - first, cells - 1).map((rest) => [first, ...rest])).flat();
}

/** log of the probability of one sequence of draws with these counts. */
function logProbability(drawn: readonly number[], table: readonly number[], alpha: number): number {
  const total = table.reduce((sum, count) => sum + count, 0) + table.length * alpha;
  return drawn.reduce((sum, draws, cell) => sum + draws * Math.log((table[cell]! + alpha) / total), 0);
}

/** Largest absolute log ratio over all pairs of neighbouring tables and all outputs. */
function largestLoss(records: number, cells: number, draws: number, alpha: number): number {
  const outputs = countsOf(draws, cells);
  let largest = 0;
  for (const rest of countsOf(records - 1, cells)) {
    for (let a = 0; a < cells; a++) {
      for (let b = 0; b < cells; b++) {
        if (a === b) continue;
        const one = rest.with(a, rest[a]! + 1);
        const other = rest.with(b, rest[b]! + 1);
        for (const drawn of outputs) {
          const ratio = logProbability(drawn, one, alpha) - logProbability(drawn, other, alpha);
          largest = Math.max(largest, Math.abs(ratio));
          const gains = recordGain(rest[a]!, drawn[a]!, alpha) - recordGain(rest[b]!, drawn[b]!, alpha);
          expect(gains).toBeCloseTo(ratio, 9);
        }
      }
    }
  }
  return largest;
}

describe('addedCount', () => {
  it.each(
    [1, 2, 4].flatMap((records) =>
      [2, 3, 4].flatMap((cells) => [1, 3, 5].flatMap((draws) => [0.1, 2, 25].map((epsilon) => ({ records, cells, draws, epsilon })))),
    ),
  )(
    'makes the largest log ratio of neighbours epsilon, $records records, $cells cells, $draws draws, epsilon $epsilon',
    ({ records, cells, draws, epsilon }) => {
      const largest = largestLoss(records, cells, draws, addedCount(epsilon, draws));
      expect(largest).toBeCloseTo(epsilon, 9);
      expect(largest).toBeLessThanOrEqual(epsilon * (1 + 1e-12) + 1e-12);
    },
  );

  it.each([
    { records: 3, cells: 3, draws: 4, alpha: 0.7 },
    { records: 2, cells: 2, draws: 5, alpha: 3 },
  ])('is of draws one by one: shares drawn first lose log(1 + draws / alpha), %o', (one) => {
    const { records, cells, draws, alpha } = one;
    const rising = (from: number, steps: number): number => (steps === 0 ? 0 : Math.log(from) + rising(from + 1, steps - 1));
    const logMass = (drawn: readonly number[], table: readonly number[]) =>
      drawn.reduce((sum, count, cell) => sum + rising(table[cell]! + alpha, count), 0);
    let largest = 0;
    for (const rest of countsOf(records - 1, cells)) {
      for (let a = 0; a < cells; a++) {
        for (let b = 0; b < cells; b++) {
          if (a === b) continue;
          for (const drawn of countsOf(draws, cells)) {
            const own = logMass(drawn, rest.with(a, rest[a]! + 1));
            largest = Math.max(largest, own - logMass(drawn, rest.with(b, rest[b]! + 1)));
          }
        }
      }
    }
    expect(largest).toBeCloseTo(Math.log(1 + draws / alpha), 10);
  });

  it('is 1 / (exp(epsilon / draws) - 1), also where epsilon is small', () => {
    expect(addedCount(2, 1000)).toBeCloseTo(499.50016666, 6);
    expect(addedCount(1e-9, 1000)).toBeCloseTo(1e12 - 0.5, -1);
  });

  it.each([0, -1, NaN, Infinity])('refuses an epsilon of %d', (epsilon) => {
    expect(() => addedCount(epsilon, 10)).toThrow(/^epsilon must be positive/);
  });

  it.each([0, 1.5, -1])('refuses %d draws', (draws) => {
    expect(() => addedCount(1, draws)).toThrow(RangeError);
  });

  it('refuses what leaves double precision', () => {
    expect(() => addedCount(1e6, 1)).toThrow('double precision');
    expect(() => addedCount(1e-320, 10)).toThrow('double precision');
  });
});
