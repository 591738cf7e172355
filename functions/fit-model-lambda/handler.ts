import { roundReferenceSchema } from '../../shared/contracts/cloud/workflow.ts';
import { fitRun } from '../../shared/pipeline/life/fit-run.ts';
import { runTask } from '../../shared/pipeline/tasks/run-task.ts';
import { handle } from '../runtime/handle.ts';

/** `fit-model` in one function, one chain after the other: for emulators and small tables. */
export const handler = handle(
  { step: 'fit-model', input: roundReferenceSchema, output: roundReferenceSchema },
  async ({ runId, round }, { store }) => {
    await fitRun(store, { runId, round }, async (tasks) => {
      for (const task of tasks) await runTask(store, task, () => undefined);
    });
    return { runId, round };
  },
);
