import { workerData } from 'piscina';
import { type ErrorReport, SynthriskError } from '../shared/contracts/errors.ts';
import type { Task } from '../shared/contracts/plan.ts';
import { runTask } from '../shared/pipeline/run-task.ts';
import { FileStore } from '../shared/storage/file-store.ts';

/** What a worker thread is started with. */
export interface WorkerSettings {
  readonly directory: string;
  readonly keyPrefix: string;
  /** One 32-bit counter of units of work done, shared by all threads. */
  readonly unitsDone: SharedArrayBuffer;
}

const { directory, keyPrefix, unitsDone } = workerData as WorkerSettings;
const store = new FileStore(directory, keyPrefix);
const counter = new Int32Array(unitsDone);

/**
 * Runs one task in this thread. A named error is returned rather than thrown, since threads lose the class of
 * what they throw.
 */
export default async function work(task: Task): Promise<ErrorReport | null> {
  try {
    await runTask(store, task, () => Atomics.add(counter, 0, 1));
    return null;
  } catch (error) {
    if (!(error instanceof SynthriskError)) throw error;
    return { name: error.name, code: error.code, message: error.message };
  }
}
