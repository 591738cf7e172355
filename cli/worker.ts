import { workerData } from 'piscina';
import { type ErrorReport, SynthriskError } from '../shared/contracts/errors.ts';
import type { Task } from '../shared/contracts/plan.ts';
import { runTask } from '../shared/pipeline/run-task.ts';
import { FileStore } from '../shared/storage/file-store.ts';

/** What a worker thread is started with. */
export interface WorkerSettings {
  readonly directory: string;
  readonly keyPrefix: string;
  /** Two 32-bit numbers that all threads share: units of work done, and whether to stop (1). */
  readonly progress: SharedArrayBuffer;
}

const { directory, keyPrefix, progress: shared } = workerData as WorkerSettings;
const store = new FileStore(directory, keyPrefix);
const progress = new Int32Array(shared);

/** Thrown between two units of work when the run stops. */
class Stopped extends Error {}

function countUnit(): void {
  if (Atomics.load(progress, 1) === 1) throw new Stopped();
  Atomics.add(progress, 0, 1);
}

/**
 * Runs one task in this thread, or as much of it as there is until the run stops. A named error is returned
 * rather than thrown, since threads lose the class of what they throw.
 */
export default async function work(task: Task): Promise<ErrorReport | null> {
  try {
    if (Atomics.load(progress, 1) === 0) await runTask(store, task, countUnit);
    return null;
  } catch (error) {
    if (error instanceof Stopped) return null;
    if (!(error instanceof SynthriskError)) throw error;
    return { name: error.name, code: error.code, message: error.message };
  }
}
