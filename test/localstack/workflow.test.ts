import { beforeAll, describe, expect, it } from 'vitest';
import { runKeys } from '../../shared/contracts/keys.ts';
import { readRunState } from '../../shared/pipeline/run-state.ts';
import { uploadEvent } from '../functions/run-workflow.ts';
import { SMALL_SETTINGS, smallTable } from '../pipeline/small-run.ts';
import { bucketHashes, laptopHashes, succeeded } from './compare-runs.ts';
import { BUCKET, ended, executionOf, executionsOf, runOf, start, store, upload } from './emulated-stack.ts';

describe('a table that is uploaded', () => {
  const table = smallTable({ seed: 21 });
  // So precise that the workflow goes round more than once.
  const mcmc = { ...SMALL_SETTINGS.mcmc, reproducibility: 0.999, maxChains: 12 };
  const settings = { ...SMALL_SETTINGS, mcmc };
  let runId: string;

  beforeAll(async () => {
    await upload('household', table, settings);
    succeeded(await executionOf('household'));
    runId = await runOf('household');
  });

  it('leaves every byte that a laptop leaves, round after round, manifest included', async () => {
    expect(await bucketHashes(runId)).toEqual(await laptopHashes(table, settings));
    expect((await store.list(runKeys(runId).rounds)).length).toBeGreaterThan(1);
  });

  it('leaves a state that says so', async () => {
    const state = (await readRunState(store, runId))!;
    expect(state.status).toBe('finished');
    expect(Math.min(...Object.values(state.seconds))).toBeGreaterThan(0);
  });

  it('is not evaluated again', async () => {
    const again = await ended(await start(uploadEvent(BUCKET, 'incoming/household/table.csv')));
    succeeded(again);
    expect(JSON.parse(again.output!).outcome).toBe('finished');
  });
});

describe('executions side by side', () => {
  it('evaluate two tables at once', async () => {
    const tables = [smallTable({ seed: 22 }), smallTable({ seed: 23 })];
    await Promise.all(tables.map((table, i) => upload(`side-${i}`, table, SMALL_SETTINGS)));
    for (const [i, table] of tables.entries()) {
      succeeded(await executionOf(`side-${i}`));
      expect(await bucketHashes(await runOf(`side-${i}`))).toEqual(await laptopHashes(table, SMALL_SETTINGS));
    }
  });

  it('are one run when one event is delivered five times', async () => {
    const table = smallTable({ seed: 24 });
    await upload('five', table, SMALL_SETTINGS);
    const event = uploadEvent(BUCKET, 'incoming/five/table.csv');
    await Promise.all([2, 3, 4, 5].map(() => start(event)));
    const all = await executionsOf('five', 5);
    for (const execution of all) succeeded(execution);
    const outcomes = all.map(({ output }) => JSON.parse(output!).outcome);
    expect(outcomes.filter((outcome) => outcome === 'planned')).toHaveLength(1);
    expect(await bucketHashes(await runOf('five'))).toEqual(await laptopHashes(table, SMALL_SETTINGS));
  });
});

describe('a table that is invalid', () => {
  it('ends in a failed execution with the error by name, and is told of beside the upload', async () => {
    await upload('invalid', new TextEncoder().encode('a,b\n1,2\n1\n'), SMALL_SETTINGS);
    const execution = await executionOf('invalid');
    expect(execution).toMatchObject({ status: 'FAILED', error: 'InvalidTableError' });
    const outcome = JSON.parse(Buffer.from(await store.get('incoming/invalid/outcome.json')).toString());
    expect(outcome).toEqual({
      error: { name: 'InvalidTableError', code: 'ragged-row', message: execution.cause },
    });
    expect(execution.cause).toContain('row 2');
  });
});
