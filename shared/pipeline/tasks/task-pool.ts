import { Piscina } from 'piscina';
import { reviveError } from '../../contracts/errors.ts';
import type { Task } from '../../contracts/run/plan.ts';
import type { SharedProgress } from './task-worker.ts';

/**
 * Room for new objects in each thread. Node lets dead arrays pile up to twice the share that one of the three
 * parts of this room has; with its own default of 48 MiB a thread held 30 MiB of them, and was no faster.
 */
const YOUNG_GENERATION_MIB = 3;

/** Worker threads that run the tasks of one run. */
export class TaskPool {
  readonly #pool: Piscina;
  /** Units of work done, and whether to stop: see `SharedProgress`. */
  readonly #progress: Int32Array;

  /**
   * @param worker bundled file of the threads; its default export is a `taskWorker`
   * @param settings what each thread is started with beside {@link SharedProgress}
   */
  constructor(worker: URL, settings: object, threads: number) {
    const progress = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
    const workerData: SharedProgress = { ...settings, progress };
    this.#progress = new Int32Array(progress);
    this.#pool = new Piscina({
      filename: worker.href,
      minThreads: threads,
      maxThreads: threads,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
      workerData,
    });
  }

  /** Units of work done since the last {@link run} began. */
  get unitsDone(): number {
    return Atomics.load(this.#progress, 0);
  }

  /**
   * Runs independent tasks side by side, and returns when no thread is at work any more. When a task fails, or after {@link stop}, the
   * others end before their next unit of work: what they have not finished, they have not stored.
   *
   * @throws the error of the task that failed first
   */
  async run(tasks: readonly Task[]): Promise<void> {
    Atomics.store(this.#progress, 0, 0);
    const failures: unknown[] = [];
    await Promise.all(
      tasks.map(async (task) => {
        try {
          const report = await this.#pool.run(task);
          if (report) throw reviveError(report);
        } catch (error) {
          failures.push(error);
          this.stop();
        }
      }),
    );
    if (failures.length > 0) throw failures[0];
  }

  /**
   * Lets every task end before its next unit of work. Threads are not ended while they work: Node 20 aborts the
   * whole process when a thread ends in the middle of a file operation.
   */
  stop(): void {
    Atomics.store(this.#progress, 1, 1);
  }

  /** Ends the idle threads. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}
