import { ProgramError, reviveError } from '../../shared/contracts/errors.ts';
import type { Task } from '../../shared/contracts/run/plan.ts';
import type { Store } from '../../shared/storage/store.ts';
import { serveStore } from './remote-store.ts';
import type { TaskNews } from './task-thread.ts';

/** Threads that run the tasks of a run beside each other, over a store that this thread holds. */
export class TaskThreads {
  readonly #threads: readonly Worker[];
  /** Tasks begin when it is resolved. */
  #gate: Promise<void> = Promise.resolve();
  #openGate: (() => void) | null = null;

  /** @param script address of this program, with which each thread is started */
  constructor(script: string, store: Store, count: number) {
    this.#threads = Array.from({ length: count }, () => {
      const thread = new Worker(script);
      const { port1, port2 } = new MessageChannel();
      serveStore(store, port1);
      thread.postMessage({ role: 'task', port: port2 }, [port2]);
      return thread;
    });
  }

  /**
   * Runs independent tasks beside each other.
   *
   * @param onUnits hears of units of work as they are done
   * @throws the error of the task that failed first, when no other is at work any more
   */
  async run(tasks: readonly Task[], onUnits: (units: number) => void): Promise<void> {
    const waiting = [...tasks];
    const failures: Error[] = [];
    const work = async (thread: Worker) => {
      for (;;) {
        await this.#gate;
        const task = failures.length === 0 ? waiting.shift() : undefined;
        if (task === undefined) return;
        try {
          await runIn(thread, task, onUnits);
        } catch (error) {
          failures.push(error as Error);
        }
      }
    };
    await Promise.all(this.#threads.map(work));
    if (failures.length > 0) throw failures[0];
  }

  /** Lets tasks that are at work end, and no other begin until {@link goOn}. */
  pause(): void {
    this.#gate = new Promise((resolve) => {
      this.#openGate = resolve;
    });
  }

  /** Lets tasks begin again. */
  goOn(): void {
    this.#openGate?.();
  }

  /** Ends the threads, in the middle of their work if need be: what a task has not finished it has not stored. */
  close(): void {
    for (const thread of this.#threads) thread.terminate();
  }
}

function runIn(thread: Worker, task: Task, onUnits: (units: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    thread.onmessage = ({ data }: MessageEvent<TaskNews>) => {
      if ('units' in data) onUnits(data.units);
      else if (data.error) reject(reviveError(data.error));
      else resolve();
    };
    thread.onerror = (event) => {
      event.preventDefault();
      reject(new ProgramError('thread-failed', `A thread of the page ended with an error of the program: ${event.message}`));
    };
    thread.postMessage(task);
  });
}
