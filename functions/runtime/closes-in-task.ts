import { readRunState } from '../../shared/pipeline/life/run-state.ts';
import type { Runtime } from './handle.ts';

/** Whether a container task puts the results of a run together: where that was decided as it began, and there still are containers. */
export async function closesInTask({ environment, store }: Runtime, runId: string): Promise<boolean> {
  return environment.size.engine === 'fargate' && ((await readRunState(store, runId))?.closesInTask ?? false);
}
