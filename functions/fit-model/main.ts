import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { InterruptedError } from '../../shared/contracts/errors.ts';
import { fitRun } from '../../shared/pipeline/fit-run.ts';
import { failRun, interruptRun } from '../../shared/pipeline/run-phase.ts';
import { TaskPool } from '../../shared/pipeline/task-pool.ts';
import { S3Store } from '../../shared/storage/s3-store.ts';
import { parseEnvironment, readEnvironment } from '../runtime/environment.ts';
import { nameError } from '../runtime/name-error.ts';

/** What the container's environment says beside that of every function: the round, and how many threads. */
const taskSchema = z.object({
  RUN_ID: z.string().min(1),
  ROUND: z.coerce.number().int().positive(),
  THREADS: z.coerce.number().int().positive().default(availableParallelism()),
});

/** Runs the chains of a round, and notes in its state why it ended when that is before its end. */
async function main(): Promise<void> {
  const { location } = readEnvironment();
  const { RUN_ID: runId, ROUND: round, THREADS: threads } = parseEnvironment(taskSchema);
  const store = new S3Store(location);
  const pool = new TaskPool(new URL('./worker.mjs', import.meta.url), location, threads);
  const interrupt = new AbortController();
  // Sent when the task is stopped, some time before it is ended: every thread stops before its next unit of work.
  process.on('SIGTERM', () => {
    interrupt.abort(new InterruptedError('interrupted', `The chains of run ${runId} were interrupted.`));
    pool.stop();
  });
  try {
    await fitRun(store, { runId, round }, async (tasks) => {
      await pool.run(tasks);
      interrupt.signal.throwIfAborted();
    });
  } catch (error) {
    // Step Functions learns from a container only that it failed: the run's state says why.
    const named = nameError(error);
    await (named instanceof InterruptedError
      ? interruptRun(store, runId)
      : failRun(store, runId, named.report));
    throw named;
  } finally {
    await pool.close();
  }
}

await main().catch((error) => {
  const named = nameError(error);
  console.error(JSON.stringify({ level: 'error', ...named.report }));
  process.exitCode = named.exitCode;
});
