import { runKeys } from '../../contracts/keys.ts';
import type { Plan, Task } from '../../contracts/run/plan.ts';
import type { Store } from '../../storage/store.ts';
import { hasChains } from '../rounds/chains-needed.ts';
import { currentRound } from '../rounds/stored-round.ts';
import { missingTasks, readRoundTasks } from './stored-tasks.ts';
import { releasedBy } from './task-objects.ts';

/** Tasks of a run that depend on none of each other, in the order of their numbers. */
export interface Stage {
  readonly round: number;
  /** Number of its first task. */
  readonly first: number;
  readonly tasks: readonly Task[];
  /** Numbers of those that have not left their results. */
  readonly missing: readonly number[];
}

/**
 * The stages of a run as far as its rounds are known, one after the other, with its tasks numbered from 1 through all of
 * them: a number stays that of its task, whatever comes later. Chains and datasets of a round are one stage, unless datasets
 * need what is fitted first.
 */
export async function numberedStages(store: Store, plan: Plan): Promise<Stage[]> {
  const { runId } = plan;
  const missing = await missingTasks(store, plan);
  const released = new Set(await store.list(runKeys(runId).release.root));
  const isReleased = (task: Task) => releasedBy(plan, task).every((key) => released.has(key));
  const stages: Stage[] = [];
  let first = 1;
  const last = await currentRound(store, plan);
  for (let round = 1; round <= last; round++) {
    const { fit, synthesize, augment, assess } = await readRoundTasks(store, { runId, round });
    const phases = hasChains(plan.config) ? [[...fit, ...synthesize], augment, assess] : [fit, synthesize, augment, assess];
    for (const tasks of phases.filter(({ length }) => length > 0)) {
      const left = new Set([...(await missing(tasks)), ...tasks.filter((task) => !isReleased(task))]);
      const numbers = [...tasks.keys()].filter((i) => left.has(tasks[i]!));
      const from = first;
      stages.push({ round, first: from, tasks, missing: numbers.map((i) => from + i) });
      first += tasks.length;
    }
  }
  return stages;
}

/** The stage with which a run goes on; undefined when all tasks of its rounds are done. */
export const openStage = (stages: readonly Stage[]): Stage | undefined => stages.find(({ missing }) => missing.length > 0);
