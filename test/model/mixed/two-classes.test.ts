import { describe, expect, it } from 'vitest';
import { createMixed } from '../../../shared/model/mixed/mixed.ts';
import { MISSING, type MixedRows } from '../../../shared/model/mixed/mixed-rows.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { logAllocated } from './mixed-marginal.ts';

const none = Number.NaN;
const ALPHA = 0.7;
const PRIOR = { kappa: 0.2, shape: 1.5, rate: 0.02 };
const BATCHES = 40;
const ITERATIONS = 1000;

/** Five rows: a categorical part with a missing value, a variable with a mass, and one without. */
const table = (smallest: number, first = 0.3): MixedRows => ({
  rows: 5,
  sizes: [3, 2],
  codes: Uint16Array.of(0, 1, MISSING, 2, 0, 0, 1, 0, 0, MISSING),
  continuous: [
    { smallest, indicator: 1 },
    { smallest, indicator: null },
  ],
  values: Float64Array.of(0.31, none, 0.35, 0.8, none, first, 0.33, none, 0.7, 0.75),
});

describe('allocations of five rows to two classes', () => {
  it.each([
    ['without a bound of the variance that matters', table(1e-6)],
    ['where the bound of the variance cuts off much of its prior', table(0.12)],
    ['with an extreme value under the same prior', table(1e-6, 1)],
    ['with an extreme value and the bound', table(0.12, 0)],
  ])('are drawn as often as products of Student’s t say, %s', (_, rows) => {
    const logs = Array.from({ length: 32 }, (__, allocation) => logAllocated(rows, allocation, ALPHA, PRIOR));
    const total = logs.reduce((sum, log) => sum + Math.exp(log), 0);
    const model = createMixed(rows, { classes: 2, concentration: { value: ALPHA }, normal: PRIOR });
    const random = new RandomStream(5, 'two classes');
    let state = model.init(random);
    const shares = Array.from({ length: BATCHES }, () => {
      const batch = new Float64Array(32);
      state = model.step(state, random, ITERATIONS, () => {
        const allocation = model.allocation!().classOfCombination.reduce((bits, f, row) => bits | (f << row), 0);
        batch[allocation]! += 1 / ITERATIONS;
      });
      return batch;
    });
    for (const [allocation, log] of logs.entries()) {
      const own = shares.map((batch) => batch[allocation]!);
      const mean = own.reduce((sum, share) => sum + share, 0) / BATCHES;
      const error = Math.sqrt(own.reduce((sum, share) => sum + (share - mean) ** 2, 0) / (BATCHES - 1) / BATCHES);
      const expected = Math.exp(log) / total;
      expect(Math.abs(mean - expected), `allocation ${allocation}`).toBeLessThan(4.5 * error + 2 / (BATCHES * ITERATIONS));
    }
  });
});
