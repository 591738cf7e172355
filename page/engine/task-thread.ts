import { type ErrorReport, SynthriskError } from '../../shared/contracts/errors.ts';
import type { Task } from '../../shared/contracts/run/plan.ts';
import { runTask } from '../../shared/pipeline/tasks/run-task.ts';
import { RemoteStore } from './remote-store.ts';

/** What a thread says of its task: units of work since it last said so, or that it has ended. */
export type TaskNews = { readonly units: number } | { readonly ended: true; readonly error: ErrorReport | null };

const TELL_MILLISECONDS = 100;

/** Runs one task after the other over a store behind a port, and says how far it is. */
export function runTaskThread(port: MessagePort): void {
  const store = new RemoteStore(port);
  const tell = (news: TaskNews) => postMessage(news);
  self.onmessage = async ({ data: task }: MessageEvent<Task>) => {
    let units = 0;
    let told = performance.now();
    const onUnit = () => {
      units++;
      if (performance.now() - told < TELL_MILLISECONDS) return;
      tell({ units });
      units = 0;
      told = performance.now();
    };
    try {
      await runTask(store, task, onUnit);
      tell({ units });
      tell({ ended: true, error: null });
    } catch (error) {
      if (!(error instanceof SynthriskError)) throw error;
      tell({ ended: true, error: error.report });
    }
  };
}
