import { availableParallelism } from 'node:os';
import * as z from 'zod';
import { fitShareSchema, parseJson } from '../../shared/contracts/cloud/workflow.ts';
import { COMING_BACK, InterruptedError } from '../../shared/contracts/errors.ts';
import type { Task } from '../../shared/contracts/run/plan.ts';
import { fitRun, fitShare } from '../../shared/pipeline/life/run-round.ts';
import { noteState, requireOwnCode } from '../../shared/pipeline/life/run-state.ts';
import { noteProgress } from '../../shared/pipeline/rounds/stored-round.ts';
import { TaskPool } from '../../shared/pipeline/tasks/task-pool.ts';
import { S3Store } from '../../shared/storage/s3-store.ts';
import { parseEnvironment, readEnvironment } from '../runtime/environment.ts';
import { nameError } from '../runtime/name-error.ts';
import { UsageMeter } from '../runtime/usage-meter.ts';
import { SharedRequests } from './shared-requests.ts';

/** What the container's environment says beside that of every function: the round or a share of it, and how many threads. */
const taskSchema = z.object({
  RUN_ID: z.string().min(1),
  ROUND: z.coerce.number().int().positive(),
  /** The share of the chains as JSON, where several tasks share them. */
  SHARE: z.string().transform(parseJson).pipe(fitShareSchema).optional(),
  THREADS: z.coerce.number().int().positive().default(availableParallelism()),
});

/** A container that is ended without a word has noted its use and its progress up to this long before. */
const NOTE_MILLISECONDS = 60_000;

const MIB_A_GIB = 1024;

/** Whether the run's state says why the chains ended. */
let isNoted = false;

/**
 * Runs the chains of a round, or a share of them, and notes in its state why it ended when that is before its end. Where
 * others run the other shares, that is for an error that comes back alone: they go on, and so does another try of this one.
 */
async function main(): Promise<void> {
  const { code, location, size } = readEnvironment();
  const { RUN_ID: runId, ROUND: round, SHARE: share, THREADS: threads } = parseEnvironment(taskSchema);
  const requests = new SharedRequests();
  const store = new S3Store(location, (kind) => requests.count(kind));
  const rate = { vcpus: size.fitVcpu, memoryMiB: size.fitMemoryGiB * MIB_A_GIB };
  const meter = new UsageMeter({ step: 'fit-model', ...rate }, requests);
  let notedSeconds = 0;
  const noteUse = async (calls: number) => {
    const seconds = performance.now() / 1000;
    await meter.note(store, runId, { calls, seconds: seconds - notedSeconds });
    notedSeconds = seconds;
  };
  const settings = { ...location, requests: requests.shared };
  const reference = { runId, round };
  const pool = new TaskPool(new URL('./worker.mjs', import.meta.url), settings, threads);
  const interrupt = new AbortController();
  // Sent when the task is stopped, some time before it is ended: every thread stops before its next unit of work.
  process.on('SIGTERM', () => {
    interrupt.abort(new InterruptedError('interrupted', `The chains of run ${runId} were interrupted.`));
    pool.stop();
  });
  let noting = noteUse(1);
  // A failure is thrown at the end, where it is waited for.
  noting.catch(() => undefined);
  const notes = setInterval(() => {
    noting = noting.then(() => noteUse(0)).then(() => noteProgress(store, reference));
    noting.catch(() => undefined);
  }, NOTE_MILLISECONDS);
  try {
    await requireOwnCode(store, runId, code);
    const runAll = async (tasks: readonly Task[]) => {
      await pool.run(tasks);
      interrupt.signal.throwIfAborted();
    };
    await (share ? fitShare(store, reference, share, runAll) : fitRun(store, reference, runAll));
  } catch (error) {
    // Step Functions learns from a container only that it failed: the run's state says why.
    const named = nameError(error);
    if (share === undefined || COMING_BACK.includes(named.name)) {
      await (named instanceof InterruptedError
        ? noteState(store, runId, { status: 'interrupted' })
        : noteState(store, runId, { status: 'failed', error: named.report }));
      isNoted = true;
    }
    throw named;
  } finally {
    clearInterval(notes);
    await pool.close();
    await noting;
    await noteUse(0);
  }
}

await main().catch((error) => {
  const named = nameError(error);
  console.error(JSON.stringify({ level: 'error', ...named.report }));
  // Step Functions knows a container's errors by no name, and would try again what ends in the same way: the step that
  // follows finds the error in the run's state and raises it.
  process.exitCode = isNoted && COMING_BACK.includes(named.name) ? 0 : named.exitCode;
});
