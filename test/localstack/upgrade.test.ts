import { describe, expect, it, vi } from 'vitest';
import { SMALL_SETTINGS, smallTable } from '../pipeline/small-run.ts';
import { bucketHashes, laptopHashes, succeeded } from './compare-runs.ts';
import { ended, executionOf, runOf, start, store, upload } from './emulated-stack.ts';
import { withFault } from './faulty-function.ts';
import { setVariables } from './published-function.ts';

const NEVER = "export const handler = () => { throw new Error('other code'); };";

describe('a deployment over a run that is under way', () => {
  it('leaves the run the functions that it began with, to the bytes of a laptop', async () => {
    const table = smallTable({ seed: 41 });
    const mcmc = { ...SMALL_SETTINGS.mcmc, burnIn: 20_000 };
    const settings = { ...SMALL_SETTINGS, mcmc };
    await upload('deployed-over', table, settings);
    await vi.waitFor(() => runOf('deployed-over'), { timeout: 60_000, interval: 100 });
    const runId = await runOf('deployed-over');
    await withFault('AssessBatch', NEVER, async () => {
      // The batches had not begun, and none is of the code that was deployed since.
      expect(await store.list(`runs/${runId}/parts/`)).toEqual([]);
      succeeded(await executionOf('deployed-over'));
    });
    expect(await bucketHashes(runId)).toEqual(await laptopHashes(table, settings));
  });

  it('refuses by name to go on with a run of other code, which the code before can', async () => {
    const table = smallTable({ seed: 42 });
    await store.put('incoming/other-code/budget.json', new TextEncoder().encode('{"dollars":0.0001}'));
    await upload('other-code', table, SMALL_SETTINGS);
    expect(await executionOf('other-code')).toMatchObject({ error: 'BudgetExceededError' });
    const runId = await runOf('other-code');
    const resume = async () => ended(await start({ runId, resume: true, budgetDollars: 1 }));
    let before = '';
    await setVariables('PlanRun', ({ CODE, ...variables }) => {
      before = CODE!;
      return { ...variables, CODE: 'f'.repeat(64) };
    });
    try {
      expect(await resume()).toMatchObject({
        status: 'FAILED',
        error: 'RunConflictError',
        cause: expect.stringMatching(/other-code|began with the code/),
      });
    } finally {
      await setVariables('PlanRun', (variables) => ({ ...variables, CODE: before }));
    }
    succeeded(await resume());
    expect(await bucketHashes(runId)).toEqual(await laptopHashes(table, SMALL_SETTINGS));
  });
});
