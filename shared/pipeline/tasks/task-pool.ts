import { Piscina } from 'piscina';
import { reviveError } from '../../contracts/errors.ts';
import type { Task } from '../../contracts/run/plan.ts';
import { secondsLeft } from './seconds-left.ts';
import type { SharedStop, TaskCall } from './task-worker.ts';

/**
 * Room for new objects in each thread. Node lets dead arrays pile up to twice the share that one of the three
 * parts of this room has; with its own default of 48 MiB a thread held 30 MiB of them, and was no faster.
 */
const YOUNG_GENERATION_MIB = 3;

/** Worker threads that run the tasks of one run. */
export class TaskPool {
  readonly #pool: Piscina;
  readonly #threads: number;
  /** Whether to stop: see `SharedStop`. */
  readonly #stop: Int32Array;
  /** The tasks of the last {@link run}, and how far they are: see `TaskCall`. */
  #tasks: readonly Task[] = [];
  #progress = new SharedArrayBuffer(0);
  readonly #ended = new Set<Task>();

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

  /**
   * Seconds until the last task of the {@link run} under way ends; null while nothing of it is done.
   *
   * @param units of work of each task
   */
  secondsLeft(units: readonly number[]): number | null {
    const progress = new Float64Array(this.#progress);
    const tasks = this.#tasks.map((task, place) => ({
      kind: task.step,
      units: units[place]!,
      done: progress[2 * place]!,
      seconds: progress[2 * place + 1]!,
      hasEnded: this.#ended.has(task),
    }));
    return secondsLeft(tasks, this.#threads);
  }

  /**
   * Runs independent tasks side by side, and returns when no thread is at work any more. When a task fails, or after {@link stop}, the
   * others end before their next unit of work: what they have not finished, they have not stored.
   *
   * @throws the error of the task that failed first
   */
  async run(tasks: readonly Task[]): Promise<void> {
    this.#tasks = tasks;
    this.#ended.clear();
    this.#progress = new SharedArrayBuffer(2 * tasks.length * Float64Array.BYTES_PER_ELEMENT);
    const failures: unknown[] = [];
    await Promise.all(
      tasks.map(async (task, place) => {
        try {
          const call: TaskCall = { task, progress: this.#progress, place };
          const report = await this.#pool.run(call);
          if (report) throw reviveError(report);
          this.#ended.add(task);
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
    Atomics.store(this.#stop, 0, 1);
  }

  /** Ends the idle threads. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}
