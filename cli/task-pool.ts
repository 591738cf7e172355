import { Piscina } from 'piscina';
import { reviveError } from '../shared/contracts/errors.ts';
import type { Task } from '../shared/contracts/plan.ts';
import type { WorkerSettings } from './worker.ts';

/** Worker threads that run the tasks of one run over its folder. */
export class TaskPool {
  readonly #pool: Piscina;
  /** Units of work done, and whether to stop: see `WorkerSettings`. */
  readonly #progress: Int32Array;

  constructor(directory: string, keyPrefix: string, threads: number) {
    const progress = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
    const workerData: WorkerSettings = { directory, keyPrefix, progress };
    this.#progress = new Int32Array(progress);
    this.#pool = new Piscina({
      filename: new URL('./worker.mjs', import.meta.url).href,
      minThreads: threads,
      maxThreads: threads,
      workerData,
    });
  }

  /** Units of work done since the last {@link run} began. */
  get unitsDone(): number {
    return Atomics.load(this.#progress, 0);
  }

  /**
   * Runs independent tasks side by side, and returns when no thread is at work any more. When a task fails, or
   * after {@link stop}, the others end before their next unit of work: what they have not finished, they have
   * not stored.
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
