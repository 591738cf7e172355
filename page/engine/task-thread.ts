import { type ErrorReport, ProgramError, SynthriskError } from '../../shared/contracts/errors.ts';
import type { Task } from '../../shared/contracts/run/plan.ts';
import { runTask } from '../../shared/pipeline/tasks/run-task.ts';
import { RemoteStore } from './remote-store.ts';

/** What a thread hears and says at: the store that it works over, and its tasks. */
export interface ThreadPorts {
  readonly store: MessagePort;
  readonly tasks: MessagePort;
}

/** What a thread says of its task: units of work since it last said so, or that it has ended. */
export type TaskNews = { readonly units: number } | { readonly ended: true; readonly error: ErrorReport | null };

const TELL_MILLISECONDS = 100;

/** Not the message of the error, which may quote the table. */
const failed = (error: unknown) =>
  new ProgramError('thread-failed', `A thread of the page ended with an error of the program (${(error as Error).name}).`);

/** Runs one task after the other over a store behind a port, and says how far it is. */
export function runTaskThread({ store: port, tasks }: ThreadPorts): void {
  const store = new RemoteStore(port);
  const tell = (news: TaskNews) => tasks.postMessage(news);
  tasks.onmessage = async ({ data: task }: MessageEvent<Task>) => {
    let units = 0;
    let told = performance.now();
    const onUnits = (more = 1) => {
      units += more;
      if (performance.now() - told < TELL_MILLISECONDS) return;
      tell({ units });
      units = 0;
      told = performance.now();
    };
    try {
      await runTask(store, task, onUnits);
      tell({ units });
      tell({ ended: true, error: null });
    } catch (error) {
      // Of a rejection that nobody handles here, nobody elsewhere hears.
      tell({ ended: true, error: (error instanceof SynthriskError ? error : failed(error)).report });
    }
  };
}
