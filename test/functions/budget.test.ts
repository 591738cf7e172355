import { describe, expect, it } from 'vitest';
import { handler as planRun } from '../../functions/plan-run/handler.ts';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { readRunState, writeRunState } from '../../shared/pipeline/life/run-state.ts';
import { runInMemory, smallTable, WITHOUT_UTILITY } from '../pipeline/small-run.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { environmentSize, fakeBucket } from './fake-bucket.ts';
import { resultHashes } from './result-hashes.ts';
import { type AsStep, runWorkflow } from './run-workflow.ts';
import { uploadTable } from './upload-table.ts';

const bucket = fakeBucket({ ENVIRONMENT_SIZE: environmentSize({ batchSize: 20, budgetDollars: 50 }) });

const upload = (name: string, table: Uint8Array, settings: object, dollars?: number) =>
  uploadTable(bucket.store, name, table, settings, dollars === undefined ? undefined : { dollars });

const EXCEEDED = {
  name: 'BudgetExceededError',
  code: 'budget-exceeded',
  message: expect.stringMatching(/^The run has cost \$0\.\d+ of its budget of \$\d\.\d+, .* predicted to cost \$/),
};

/** Sets the budget of a run to what it has cost already, before its check of this number (from 1). */
function usingUp(runId: string, check: number): AsStep {
  let checks = 0;
  return async (step, work) => {
    if (step === 'check-budget' && ++checks === check) {
      const state = (await readRunState(bucket.store, runId))!;
      await writeRunState(bucket.store, { ...state, budgetDollars: state.used!.dollars });
    }
    return work();
  };
}

describe('a budget', () => {
  it('that cannot be read refuses the upload, says what belongs there, and repeats nothing of it', async () => {
    for (const [name, text] of Object.entries({ negative: '{"dollars": -7331}', word: '{"dollars": "P7331"}', cut: '{"dollars": 7331' })) {
      const event = await upload(name, smallTable({ seed: 50 }), WITHOUT_UTILITY);
      await bucket.store.put(`incoming/${name}/budget.json`, Buffer.from(text));
      const { failure } = await runWorkflow(bucket.store, name, event);
      expect(failure).toMatchObject({ name: 'InvalidConfigError', code: 'malformed-budget' });
      expect(failure!.message).toContain(`incoming/${name}/budget.json: expected {"dollars": 20, "fitTasks": 4}`);
      expect(failure!.message).not.toContain('7331');
    }
  });

  it('that does not suffice ends a run before its chains, and a larger one lets it go on to the same bytes', async () => {
    const table = smallTable({ seed: 51 });
    const event = await upload('before-chains', table, WITHOUT_UTILITY, 0.000_01);
    const { failure, runId } = await runWorkflow(bucket.store, 'first', event);
    expect(failure).toEqual(EXCEEDED);
    expect(failure!.message).toContain('chains of round 1');
    const state = (await readRunState(bucket.store, runId!))!;
    expect(state).toMatchObject({ status: 'failed', error: EXCEEDED, budgetDollars: 0.000_01 });
    expect(await bucket.store.list(runKeys(runId!).allDraws)).toEqual([]);

    const again = await runWorkflow(bucket.store, 'again', { runId, resume: true });
    expect(again.failure).toEqual(EXCEEDED);
    const resumed = await runWorkflow(bucket.store, 'more', { runId, resume: true, budgetDollars: 5 });
    expect(resumed.outcome).toBe('planned');
    const finished = (await readRunState(bucket.store, runId!))!;
    expect(finished).toMatchObject({ status: 'finished', budgetDollars: 5 });
    expect(finished.used!.dollars).toBeGreaterThan(state.used!.dollars);
    expect(finished.used!.dollars).toBeLessThan(5);
    const config = configSchema.parse(WITHOUT_UTILITY);
    const laptop = await runInMemory({ ...TEST_KEYS, purpose: 'evaluate', config, table });
    expect(await resultHashes(bucket.store, laptop.plan)).toEqual(await resultHashes(laptop.store, laptop.plan));
  }, 240_000);

  const mcmc = { ...WITHOUT_UTILITY.mcmc, reproducibility: 0.999, maxChains: 12 };
  it.each([
    ['the batches', 2, 'batches of round 1', 1],
    ['another round', 3, 'chains of round 2', 2],
  ])(
    'that is used up ends a run before %s',
    async (name, check, next, round) => {
      const table = smallTable({ seed: 52 + check });
      const input = await upload(name.replace(' ', '-'), table, { ...WITHOUT_UTILITY, mcmc }, 20);
      const { runId } = await planRun({ execution: 'plan', input });
      const resume = { runId, resume: true };
      const { failure } = await runWorkflow(bucket.store, name, resume, usingUp(runId, check));
      expect(failure).toEqual(EXCEEDED);
      expect(failure!.message).toContain(next);
      const keys = runKeys(runId);
      // What was done before is there, and nothing of what would have come.
      expect((await bucket.store.list(keys.allDraws)).length).toBeGreaterThan(0);
      expect((await bucket.store.list(keys.parts)).some((key) => key.startsWith(`${keys.parts}${round}/`))).toBe(false);
      const resumed = await runWorkflow(bucket.store, `${name}-2`, { ...resume, budgetDollars: 20 });
      expect(resumed.outcome).toBe('planned');
    },
    240_000,
  );

  it('is that of the deployment unless an upload has its own', async () => {
    for (const [name, dollars, expected] of [
      ['default', undefined, 50],
      ['own', 7, 7],
    ] as const) {
      const table = smallTable({ seed: expected });
      const { runId } = await planRun({ execution: name, input: await upload(name, table, WITHOUT_UTILITY, dollars) });
      expect((await readRunState(bucket.store, runId))!.budgetDollars).toBe(expected);
    }
  });
});
