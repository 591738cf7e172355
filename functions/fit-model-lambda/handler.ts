import { fitInputSchema, roundReferenceSchema } from '../../shared/contracts/cloud/workflow.ts';
import type { Task } from '../../shared/contracts/run/plan.ts';
import { fitRun, fitShare } from '../../shared/pipeline/life/run-round.ts';
import { runTask } from '../../shared/pipeline/tasks/run-task.ts';
import { handle } from '../runtime/handle.ts';

/** `fit-model` in a function, or in several that share the chains, one after the other: for emulators and small tables. */
export const handler = handle(
  { step: 'fit-model', input: fitInputSchema, output: roundReferenceSchema },
  async ({ runId, round, share }, { store }) => {
    const runAll = async (tasks: readonly Task[]) => {
      for (const task of tasks) await runTask(store, task, () => undefined);
    };
    const reference = { runId, round };
    await (share ? fitShare(store, reference, share, runAll) : fitRun(store, reference, runAll));
    return { runId, round };
  },
);
