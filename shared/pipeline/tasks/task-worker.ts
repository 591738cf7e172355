import { type ErrorReport, SynthriskError } from '../../contracts/errors.ts';
import type { Task } from '../../contracts/run/plan.ts';
import type { Store } from '../../storage/store.ts';
import { measureShare, type UtilityShare } from '../utility/measure-share.ts';
import { runTask } from './run-task.ts';

/** What every thread of a `TaskPool` is started with. */
export interface SharedStop {
  /** One 32-bit number that all threads share: whether to stop (1). */
  readonly stop: SharedArrayBuffer;
}

/** What a thread is handed: a task, whose result is in the store, or a share of a measurement, whose result it gives back. */
export type PooledTask = Task | UtilityShare;

/** Doubles by which a thread says how far a task is. */
export const PROGRESS_DOUBLES = 3;

/** Milliseconds by a clock that all threads share. */
export const sharedClock = () => performance.timeOrigin + performance.now();

/** A task, and where its thread says how far it is. */
export interface TaskCall {
  readonly task: PooledTask;
  /** Of each task: units of work done, the seconds that they took, and when the last was done, or the task begun, by {@link sharedClock}. */
  readonly progress: SharedArrayBuffer;
  /** Its place among them. */
  readonly place: number;
}

/** What a share found, or the error of a task; null for a task that has ended, and for what the end of the run has stopped. */
export type TaskOutcome = { readonly found: readonly unknown[] } | { readonly error: ErrorReport } | null;

/** Thrown between two units of work when the run stops. */
class Stopped extends Error {}

/**
 * What a thread does with a task: runs it over a store, or as much of it as there is until the run stops. A named
 * error is returned rather than thrown, since threads lose the class of what they throw.
 */
export function taskWorker(store: Store, { stop: shared }: SharedStop): (call: TaskCall) => Promise<TaskOutcome> {
  const stop = new Int32Array(shared);
  return async ({ task, progress: all, place }) => {
    const progress = new Float64Array(all, PROGRESS_DOUBLES * place * Float64Array.BYTES_PER_ELEMENT, PROGRESS_DOUBLES);
    const began = sharedClock();
    const countUnits = (units = 1) => {
      if (Atomics.load(stop, 0) === 1) throw new Stopped();
      const now = sharedClock();
      progress.set([progress[0]! + units, (now - began) / 1000, now]);
    };
    try {
      if (Atomics.load(stop, 0) === 1) return null;
      progress[2] = began;
      if ('prepared' in task) return { found: measureShare(task, countUnits) };
      await runTask(store, task, countUnits);
      return null;
    } catch (error) {
      if (error instanceof Stopped) return null;
      if (!(error instanceof SynthriskError)) throw error;
      return { error: error.report };
    }
  };
}
