import { readCheckedJson } from '../../../shared/artifacts/stored-json.ts';
import { RunConflictError } from '../../../shared/contracts/errors.ts';
import { runKeys } from '../../../shared/contracts/keys.ts';
import { type Plan, planSchema } from '../../../shared/contracts/run/plan.ts';
import { VERSION } from '../../../shared/contracts/version.ts';
import { numberedStages, openStage, type Stage } from '../../../shared/pipeline/tasks/numbered-tasks.ts';
import { openPlace, type RunPlace } from './run-place.ts';

/** A run whose tasks are carried out one by one, where `batch plan` put it. */
export interface OpenedBatch extends RunPlace {
  readonly directory: string;
  readonly plan: Plan;
}

/**
 * Opens a run, finished or not.
 *
 * @param directory its folder, or its address in a bucket
 * @throws as {@link openPlace}; RunConflictError `other-version`, whose bytes may be others
 */
export async function openBatch(directory: string): Promise<OpenedBatch> {
  const place = await openPlace(directory);
  const { state, store } = place;
  if (state.version === VERSION) {
    return { ...place, directory, plan: await readCheckedJson(store, runKeys(state.runId).plan, planSchema) };
  }
  throw new RunConflictError(
    'other-version',
    `Version ${state.version} planned the run in ${directory}, and this is ${VERSION}: use that version.`,
  );
}

/** What `batch list --json` says of a run. */
export interface BatchList {
  readonly runId: string;
  /** `to-close` when all tasks are done that are known of, and `batch close` goes on. */
  readonly status: 'tasks' | 'to-close' | 'finished';
  readonly round: number;
  /** Numbers of the tasks that can be carried out now, and have not been. */
  readonly tasks: readonly number[];
  /** Tasks of all rounds so far, and how many are done. */
  readonly total: number;
  readonly done: number;
}

/** What is to be done of a run now, and its stages. */
export async function listBatch({
  plan,
  state,
  store,
}: OpenedBatch): Promise<{ readonly stages: readonly Stage[]; readonly list: BatchList }> {
  const stages = await numberedStages(store, plan);
  const open = openStage(stages);
  const total = stages.reduce((sum, { tasks }) => sum + tasks.length, 0);
  const left = stages.reduce((sum, { missing }) => sum + missing.length, 0);
  const status = state.status === 'finished' ? 'finished' : open === undefined ? 'to-close' : 'tasks';
  const round = stages.at(-1)?.round ?? 1;
  return { stages, list: { runId: plan.runId, status, round, tasks: open?.missing ?? [], total, done: total - left } };
}

/** Numbers as ranges: 1-24,30. */
export function inRanges(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}
