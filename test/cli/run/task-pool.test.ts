import { describe, expect, it } from 'vitest';
import { finish } from '../../../shared/contracts/stepwise.ts';
import { TaskPool } from '../../../shared/pipeline/tasks/task-pool.ts';
import { measureUtility } from '../../../shared/utility/measure-utility.ts';
import { referenceMeasurement as what } from '../../utility/reference-tables.ts';

const bytesOf = (measured: unknown) => JSON.stringify(measured);

describe('TaskPool.measure()', () => {
  const pooled = (threads: number) =>
    new TaskPool(new URL('../../../dist/worker.mjs', import.meta.url), { directory: '.', keyPrefix: '' }, threads);

  it('finds the same with one thread, two and three, and knows how much is left', async () => {
    const alone = bytesOf(finish(measureUtility(...what('partial'))));
    for (const threads of [1, 2, 3]) {
      const pool = pooled(threads);
      try {
        expect(bytesOf(await pool.measure(...what('partial')))).toBe(alone);
        expect(pool.secondsLeft()).toBe(0);
      } finally {
        await pool.close();
      }
    }
  });

  it('ends without a result where it is stopped', async () => {
    const pool = pooled(1);
    try {
      const measured = pool.measure(...what('partial'));
      pool.stop();
      expect(await measured).toBeNull();
    } finally {
      await pool.close();
    }
  });

  it('throws what a thread throws', async () => {
    const pool = pooled(2);
    try {
      const [input, opened, open] = what('full');
      const broken = { ...opened, patterns: { by: [99], of: [0] } };
      await expect(pool.measure(input, broken, open)).rejects.toThrow();
    } finally {
      await pool.close();
    }
  });
});
