import { Piscina } from 'piscina';
import { reviveError } from '../../contracts/errors.ts';
import { joinUtility } from '../../utility/measure-utility.ts';
import { prepareUtility } from '../../utility/prepare-utility.ts';
import type { MeasureUtility } from '../utility/measure-run.ts';
import { cutUtility, inSharedMemory } from '../utility/measure-share.ts';
import { secondsLeft } from './seconds-left.ts';
import { type PooledTask, PROGRESS_DOUBLES, type SharedStop, sharedClock, type TaskCall, type TaskOutcome } from './task-worker.ts';

/**
 * Room for new objects in each thread. Node lets dead arrays pile up to twice the share that one of the three
 * parts of this room has; with its own default of 48 MiB a thread held 30 MiB of them, and was no faster.
 */
const YOUNG_GENERATION_MIB = 3;

/** How far a task of a pool is. */
interface RunTask {
  readonly kind: string;
  readonly units: number;
  /** See `TaskCall`. */
  readonly progress: Float64Array;
  hasEnded: boolean;
}

/** Worker threads that run the tasks of one run. */
export class TaskPool {
  readonly #pool: Piscina;
  readonly #threads: number;
  /** Whether to stop: see `SharedStop`. */
  readonly #stop: Int32Array;
  /** The tasks under way and those that have ended since the last moment when none was. */
  #tasks: RunTask[] = [];

  /**
   * @param worker bundled file of the threads; its default export is a `taskWorker`
   * @param settings what each thread is started with beside {@link SharedStop}
   */
  constructor(worker: URL, settings: object, threads: number) {
    const stop = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const workerData: SharedStop = { ...settings, stop };
    this.#stop = new Int32Array(stop);
    this.#threads = threads;
    this.#pool = new Piscina({
      filename: worker.href,
      minThreads: threads,
      maxThreads: threads,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
      workerData,
    });
  }

  /** Seconds until the last task under way ends; null while nothing of them is done. */
  secondsLeft(): number | null {
    const tasks = this.#tasks.map(({ kind, units, progress, hasEnded }) => {
      const [done, seconds, at] = progress;
      return { kind, units, done: done!, seconds: seconds!, since: at! > 0 ? (sharedClock() - at!) / 1000 : 0, hasEnded };
    });
    return secondsLeft(tasks, this.#threads);
  }

  /**
   * Runs independent tasks side by side, and beside those of other calls, and returns when no thread is at work on one any more. When a task
   * fails, or after {@link stop}, all others end before their next unit of work: what they have not finished, they have not stored.
   *
   * @param units of work of each, for {@link secondsLeft}
   * @returns what each came to
   * @throws the error of the task that failed first
   */
  async run(tasks: readonly PooledTask[], units: readonly number[] = []): Promise<readonly TaskOutcome[]> {
    const all = new SharedArrayBuffer(PROGRESS_DOUBLES * tasks.length * Float64Array.BYTES_PER_ELEMENT);
    const own = tasks.map(({ step }, place): RunTask => {
      const progress = new Float64Array(all, PROGRESS_DOUBLES * place * Float64Array.BYTES_PER_ELEMENT, PROGRESS_DOUBLES);
      return { kind: step, units: units[place] ?? 0, progress, hasEnded: false };
    });
    this.#tasks = [...(this.#tasks.every(({ hasEnded }) => hasEnded) ? [] : this.#tasks), ...own];
    const failures: unknown[] = [];
    const outcomes = await Promise.all(
      tasks.map(async (task, place) => {
        try {
          const call: TaskCall = { task, progress: all, place };
          const outcome: TaskOutcome = await this.#pool.run(call);
          if (outcome !== null && 'error' in outcome) throw reviveError(outcome.error);
          return outcome;
        } catch (error) {
          failures.push(error);
          this.stop();
          return null;
        } finally {
          own[place]!.hasEnded = true;
        }
      }),
    );
    if (failures.length > 0) throw failures[0];
    return outcomes;
  }

  /** Measures utility in all threads, which share the memory of what they read; null where {@link stop} came before its end. */
  readonly measure: MeasureUtility = async (...what) => {
    const shared = inSharedMemory(prepareUtility(...what));
    const { shares, units } = cutUtility(shared);
    // What takes longest goes first, so that no thread has to wait for it in the end.
    const order = [...shares.keys()].sort((a, b) => units[b]! - units[a]!);
    const outcomes = await this.run(
      order.map((place) => shares[place]!),
      order.map((place) => units[place]!),
    );
    const found: (readonly unknown[])[] = [];
    for (const [k, outcome] of outcomes.entries()) {
      if (outcome === null || 'error' in outcome) return null;
      found[order[k]!] = outcome.found;
    }
    return joinUtility(shared, found.flat());
  };

  /**
   * Lets every task end before its next unit of work. Threads are not ended while they work: Node 20 aborts the
   * whole process when a thread ends in the middle of a file operation.
   */
  stop(): void {
    Atomics.store(this.#stop, 0, 1);
  }

  /** Ends the idle threads. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}
