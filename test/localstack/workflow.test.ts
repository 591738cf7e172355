import { beforeAll, describe, expect, it, vi } from 'vitest';
import { clientEnvironment, endpoint } from '../../localstack/emulator.ts';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { planSchema } from '../../shared/contracts/run/plan.ts';
import { readRunState } from '../../shared/pipeline/life/run-state.ts';
import { readJudgements, readProgress } from '../../shared/pipeline/rounds/stored-round.ts';
import { uploadEvent } from '../functions/run-workflow.ts';
import { SMALL_SETTINGS, smallTable } from '../pipeline/small-run.ts';
import { synthrisk, temporaryFolder } from '../run-command.ts';
import { bucketHashes, laptopHashes, succeeded } from './compare-runs.ts';
import { BUCKET, ended, executionOf, executionsOf, runOf, start, stop, store, upload } from './emulated-stack.ts';
import { withSize } from './other-size.ts';

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

  it('leaves every byte that a laptop leaves, round after round, manifests included', async () => {
    expect(await bucketHashes(runId)).toEqual(await laptopHashes(table, settings));
    expect((await readJudgements(store, runId)).length).toBeGreaterThan(1);
  });

  it('is known to its execution by its key and version alone, and counts its chains where people read', async () => {
    const { input } = await executionOf('household');
    const { object } = JSON.parse(input!).detail;
    const version = { 'version-id': expect.any(String), sequencer: expect.any(String) };
    expect(object).toEqual({ key: 'incoming/household/table.csv', ...version });
    const { chains, round } = await readProgress(store, runId);
    expect(round).toBe((await readJudgements(store, runId)).length);
    expect(chains.done).toBe(chains.total);
  });

  it('leaves a state that says so', async () => {
    const state = (await readRunState(store, runId))!;
    expect(state.status).toBe('finished');
    expect(Math.min(...Object.values(state.seconds))).toBeGreaterThan(0);
  });

  it('has counted what it used: each call, and the requests of all', async () => {
    const { used } = (await readRunState(store, runId))!;
    const { batches } = await readJson(store, runKeys(runId).plan, planSchema);
    const rounds = (await readJudgements(store, runId)).length;
    // In each round two checks of the budget, the chains, the batches and the aggregation; before and after it one call.
    expect(used!.lambdaCalls).toBe(2 + rounds * (4 + batches.length));
    expect(used!.lambdaGiBSeconds).toBeGreaterThan(0);
    expect(used!.s3Reads).toBeGreaterThan(rounds * batches.length * 10);
    expect(used!.expressChildren).toBe(0);
  });

  it('is not evaluated again', async () => {
    const again = await ended(await start(uploadEvent(BUCKET, 'incoming/household/table.csv')));
    succeeded(again);
    expect(JSON.parse(again.output!).outcome).toBe('finished');
  });
});

describe('another size of batches, and more at once', () => {
  it('leave the tables of a laptop', async () => {
    const size = { batchSize: 11, concurrency: 7 };
    const name = 'size';
    const table = smallTable({ seed: 57 });
    await withSize(size, async () => {
      await upload(name, table, SMALL_SETTINGS);
      succeeded(await executionOf(name));
    });
    const runId = await runOf(name);
    const { batches } = await readJson(store, runKeys(runId).plan, planSchema);
    expect(batches[0]).toEqual({ batch: 1, scenario: 1, from: 0, to: size.batchSize });
    // The plan and the digests of all artifacts tell how rows are cut into batches.
    const results = (hashes: Record<string, string>) =>
      Object.entries(hashes).filter(([path]) => /^(release|confidential(?!\/(plan|manifest)\.json)|diagnostics|rounds|draws)\//.test(path));
    expect(results(await bucketHashes(runId))).toEqual(results(await laptopHashes(table, SMALL_SETTINGS)));
  });
});

describe('an execution that is stopped', () => {
  it('is noted in the state of its run, without anyone asking', async () => {
    // Chains that take a while.
    const mcmc = { ...SMALL_SETTINGS.mcmc, burnIn: 200_000 };
    await upload('stopped', smallTable({ seed: 25 }), { ...SMALL_SETTINGS, mcmc });
    await vi.waitFor(() => runOf('stopped'), { timeout: 60_000, interval: 500 });
    const runId = await runOf('stopped');
    await stop('stopped');
    await vi.waitFor(async () => expect((await readRunState(store, runId))!.status).toBe('interrupted'), {
      timeout: 60_000,
      interval: 500,
    });
  });
});

describe('a run with a budget', () => {
  it('that does not suffice fails by that name, and resumes with a larger one to the bytes of a laptop', async () => {
    const table = smallTable({ seed: 26 });
    await store.put('incoming/budget/budget.json', new TextEncoder().encode('{"dollars":0.0001}'));
    await upload('budget', table, SMALL_SETTINGS);
    const execution = await executionOf('budget');
    expect(execution).toMatchObject({ status: 'FAILED', error: 'BudgetExceededError' });
    const runId = await runOf('budget');
    expect(await readRunState(store, runId)).toMatchObject({
      status: 'failed',
      error: { name: 'BudgetExceededError', code: 'budget-exceeded' },
    });
    succeeded(await ended(await start({ runId, resume: true, budgetDollars: 1 })));
    expect(await bucketHashes(runId)).toEqual(await laptopHashes(table, SMALL_SETTINGS));
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
    expect(outcome).toMatchObject({
      table: { version: expect.any(String) },
      error: { name: 'InvalidTableError', code: 'ragged-row', message: execution.cause },
    });
    expect(execution.cause).toContain('row 2');
    const status = await synthrisk(
      temporaryFolder(),
      [...['cloud', 'status', 'invalid', '--wait', '--environment', 'local', '--endpoint', endpoint]],
      { env: clientEnvironment },
    );
    expect(status.code).toBe(3);
    expect(status.stderr).toContain('fields, as in the header, found');
    expect(status.stderr).toContain('row 2');
  });
});
