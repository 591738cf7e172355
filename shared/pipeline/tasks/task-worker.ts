import { type ErrorReport, SynthriskError } from '../../contracts/errors.ts';
import type { Task } from '../../contracts/run/plan.ts';
import type { Store } from '../../storage/store.ts';
import { runTask } from './run-task.ts';

/** What every thread of a `TaskPool` is started with. */
export interface SharedProgress {
  /** Two 32-bit numbers that all threads share: units of work done, and whether to stop (1). */
  readonly progress: SharedArrayBuffer;
}

/** Thrown between two units of work when the run stops. */
class Stopped extends Error {}

/**
 * What a thread does with a task: runs it over a store, or as much of it as there is until the run stops. A named
 * error is returned rather than thrown, since threads lose the class of what they throw.
 */
export function taskWorker(store: Store, { progress: shared }: SharedProgress): (task: Task) => Promise<ErrorReport | null> {
  const progress = new Int32Array(shared);
  const countUnit = () => {
    if (Atomics.load(progress, 1) === 1) throw new Stopped();
    Atomics.add(progress, 0, 1);
  };
  return async (task) => {
    try {
      if (Atomics.load(progress, 1) === 0) await runTask(store, task, countUnit);
      return null;
    } catch (error) {
      if (error instanceof Stopped) return null;
      if (!(error instanceof SynthriskError)) throw error;
      return error.report;
    }
  };
}
