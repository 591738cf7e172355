import * as z from 'zod';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { budgetInputSchema, budgetOutputSchema } from '../../shared/contracts/cloud/workflow.ts';
import { reviveError } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { requireBudget, requireRoundFits } from '../../shared/estimate/check-budget.ts';
import { fitShares, stagesOf } from '../../shared/pipeline/life/run-round.ts';
import { beginUnnoted, endChains, readRunState, requireHolder } from '../../shared/pipeline/life/run-state.ts';
import { readRoundTasks } from '../../shared/pipeline/tasks/stored-tasks.ts';
import { accountRun } from '../runtime/account-run.ts';
import { handle } from '../runtime/handle.ts';

/**
 * `check-budget`: lets a run go on to its chains or batches, unless that is predicted to cost more than it may, or in a later
 * round to take longer, or a container has noted that its chains failed for good, or another execution has taken the run over. Says how the chains are shared.
 */
export const handler = handle(
  { step: 'check-budget', accounts: true, input: budgetInputSchema, output: budgetOutputSchema },
  async (next, { store, environment }) => {
    const { execution, runId, round } = next;
    await requireHolder(store, runId, execution);
    const { size } = environment;
    const state = await readRunState(store, runId);
    if (next.before === 'batches' && state?.status === 'failed' && state.error) throw reviveError(state.error);
    const budget = state?.budgetDollars;
    if (budget !== undefined) {
      const { dollars: spent } = await accountRun(store, runId);
      await requireBudget(store, next, size, { budget, spent, fitTasks: state?.fitTasks ?? 1 });
    }
    const tasks = await readJson(store, runKeys(runId).tasks.assess(round), z.array(z.unknown()));
    const fit = { tasks: state?.fitTasks ?? 1, chains: [], pairs: [] };
    if (fit.tasks === 1) {
      if (next.before === 'chains') await requireRoundFits(store, next, size, 1);
      return { runId, round, tasks: tasks.length, fit };
    }
    const threads = size.engine === 'fargate' ? size.fitVcpu : 1;
    const [chains, pairs] = fitShares(stagesOf(await readRoundTasks(store, next)), fit.tasks, threads);
    if (next.before === 'chains') {
      await requireRoundFits(store, next, size, fit.tasks);
      await beginUnnoted(store, runId, 'chainsSince');
    } else {
      await endChains(store, runId);
    }
    return { runId, round, tasks: tasks.length, fit: { ...fit, chains: [...chains], pairs: [...pairs] } };
  },
);
