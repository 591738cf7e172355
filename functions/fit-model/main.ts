import { availableParallelism } from 'node:os';
import * as z from 'zod';
import { fitShareSchema, parseJson } from '../../shared/contracts/cloud/workflow.ts';
import type { Task } from '../../shared/contracts/run/plan.ts';
import { fitRun, fitShare } from '../../shared/pipeline/life/run-round.ts';
import { noteProgress } from '../../shared/pipeline/rounds/stored-round.ts';
import { TaskPool } from '../../shared/pipeline/tasks/task-pool.ts';
import { parseEnvironment } from '../runtime/environment.ts';
import { runContainer } from '../runtime/run-container.ts';

/** What the container's environment says beside that of every task: the share of the chains, and how many threads. */
const fitSchema = z.object({
  /** As JSON, where several tasks share the chains. */
  SHARE: z.string().transform(parseJson).pipe(fitShareSchema).optional(),
  THREADS: z.coerce.number().int().positive().default(availableParallelism()),
});

// Runs the chains of a round, or a share of them.
await runContainer(({ location, size }, reference) => {
  const { SHARE: share, THREADS: threads } = parseEnvironment(fitSchema);
  return {
    step: 'fit-model',
    vcpus: size.fitVcpu,
    memoryGiB: size.fitMemoryGiB,
    isShare: share !== undefined,
    everyMinute: (store) => noteProgress(store, reference),
    async work(store, interrupt, requests) {
      const settings = { ...location, requests: requests.shared };
      const pool = new TaskPool(new URL('./worker.mjs', import.meta.url), settings, threads);
      // Every thread stops before its next unit of work.
      interrupt.addEventListener('abort', () => pool.stop());
      const runAll = async (tasks: readonly Task[]) => {
        await pool.run(tasks);
        interrupt.throwIfAborted();
      };
      try {
        await (share ? fitShare(store, reference, share, runAll) : fitRun(store, reference, runAll));
      } finally {
        await pool.close();
      }
    },
  };
});
