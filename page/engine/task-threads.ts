import { reviveError } from '../../shared/contracts/errors.ts';
import type { Task } from '../../shared/contracts/run/plan.ts';
import type { Store } from '../../shared/storage/store.ts';
import { serveStore } from './remote-store.ts';
import type { TaskNews, ThreadPorts } from './task-thread.ts';

/** What starts threads and ends them: the page, since Firefox now and then blocks for ever where one thread starts another. */
export interface ThreadStarter {
  start(ports: ThreadPorts): void;
  /** Ends all of them. */
  end(): void;
}

/** Threads that run the tasks of a run beside each other, over a store that this thread holds. */
export class TaskThreads {
  /** At which each thread hears of its tasks. */
  readonly #threads: readonly MessagePort[];
  readonly #starter: ThreadStarter;
  /** Tasks begin when it is resolved. */
  #gate: Promise<void> = Promise.resolve();
  #openGate: (() => void) | null = null;

  constructor(starter: ThreadStarter, store: Store, count: number) {
    this.#starter = starter;
    this.#threads = Array.from({ length: count }, () => {
      const [ofStore, ofTasks] = [new MessageChannel(), new MessageChannel()];
      serveStore(store, ofStore.port1);
      starter.start({ store: ofStore.port2, tasks: ofTasks.port2 });
      return ofTasks.port1;
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
    const work = async (thread: MessagePort) => {
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
    this.#starter.end();
  }
}

function runIn(thread: MessagePort, task: Task, onUnits: (units: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    thread.onmessage = ({ data }: MessageEvent<TaskNews>) => {
      if ('units' in data) onUnits(data.units);
      else if (data.error) reject(reviveError(data.error));
      else resolve();
    };
    thread.postMessage(task);
  });
}
