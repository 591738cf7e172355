import { z } from 'zod';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { budgetInputSchema, budgetOutputSchema } from '../../shared/contracts/cloud/workflow.ts';
import { reviveError } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { requireBudget } from '../../shared/estimate/check-budget.ts';
import { readRunState } from '../../shared/pipeline/life/run-state.ts';
import { accountRun } from '../runtime/account-run.ts';
import { handle } from '../runtime/handle.ts';

/**
 * `check-budget`: lets a run go on to its chains or batches, unless that is predicted to cost more than it may, or the
 * container has noted that its chains failed for good.
 */
export const handler = handle(
  { step: 'check-budget', accounts: true, input: budgetInputSchema, output: budgetOutputSchema },
  async (next, { store, environment }) => {
    const { runId, round } = next;
    const state = await readRunState(store, runId);
    if (next.before === 'batches' && state?.status === 'failed' && state.error)
      throw reviveError(state.error);
    const budget = state?.budgetDollars;
    if (budget !== undefined) {
      const { dollars: spent } = await accountRun(store, runId);
      await requireBudget(store, next, environment.size, { budget, spent });
    }
    const tasks = await readJson(store, runKeys(runId).tasks.assess(round), z.array(z.unknown()));
    return { runId, round, tasks: tasks.length };
  },
);
