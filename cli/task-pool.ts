import { Piscina } from 'piscina';
import { reviveError } from '../shared/contracts/errors.ts';
import type { Task } from '../shared/contracts/plan.ts';
import type { WorkerSettings } from './worker.ts';

/** Worker threads that run the tasks of one run over its folder. */
export class TaskPool {
  readonly #pool: Piscina;
  readonly #unitsDone: Int32Array;

  constructor(directory: string, keyPrefix: string, threads: number) {
    const unitsDone = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const workerData: WorkerSettings = { directory, keyPrefix, unitsDone };
    this.#unitsDone = new Int32Array(unitsDone);
    this.#pool = new Piscina({
      filename: new URL('./worker.mjs', import.meta.url).href,
      minThreads: threads,
      maxThreads: threads,
      workerData,
    });
  }

  /** Units of work done since the last {@link run} began. */
  get unitsDone(): number {
    return Atomics.load(this.#unitsDone, 0);
  }

  /**
   * Runs independent tasks side by side.
   *
   * @throws the named error of the task that failed first; close the pool to end the others
   */
  async run(tasks: readonly Task[]): Promise<void> {
    Atomics.store(this.#unitsDone, 0, 0);
    await Promise.all(
      tasks.map(async (task) => {
        const report = await this.#pool.run(task);
        if (report) throw reviveError(report);
      }),
    );
  }

  /**
   * Ends the threads, in the middle of their tasks if need be, and with them every {@link run} under way:
   * what a task has not finished, it has not stored.
   */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}
