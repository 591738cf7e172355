import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SMALL_SETTINGS, smallTable } from '../pipeline/small-run.ts';
import { bucketHashes, laptopHashes, succeeded } from './compare-runs.ts';
import { ended, executionOf, runOf, start, store, upload } from './emulated-stack.ts';
import { withFault } from './faulty-function.ts';
import { setVariables } from './published-function.ts';

const NEVER = "export const handler = () => { throw new Error('other code'); };";

describe('a deployment over a run that is under way', () => {
  it('leaves the run the functions that it began with, to the bytes of a laptop', async () => {
    const table = smallTable({ seed: 41 });
    const directory = mkdtempSync(join(tmpdir(), 'synthrisk-upgrade-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const deployed = join(directory, 'deployed');
    // The fit waits for the deployment, however long that takes.
    const waits = `
      import { existsSync } from 'node:fs';
      import { setTimeout } from 'node:timers/promises';
      import { handler as original } from './original.mjs';
      export const handler = async (task) => {
        while (!existsSync(${JSON.stringify(deployed)})) await setTimeout(100);
        return original(task);
      };`;
    const runId = await withFault('FitModel', waits, async () => {
      await upload('deployed-over', table, SMALL_SETTINGS);
      await vi.waitFor(() => runOf('deployed-over'), { timeout: 60_000, interval: 100 });
      const begun = await runOf('deployed-over');
      await withFault('AssessBatch', NEVER, async () => {
        // The batches had not begun, and none is of the code that was deployed since.
        expect(await store.list(`runs/${begun}/parts/`)).toEqual([]);
        writeFileSync(deployed, '');
        succeeded(await executionOf('deployed-over'));
      });
      return begun;
    });
    expect(await bucketHashes(runId)).toEqual(await laptopHashes(table, SMALL_SETTINGS));
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
