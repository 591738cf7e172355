import type { FitShare } from '../../contracts/cloud/workflow.ts';
import type { Task } from '../../contracts/run/plan.ts';
import type { PhaseTasks } from './chains-needed.ts';

/**
 * The chains of a round in two stages, for tasks that share them: those that need no others, and those that go on from
 * datasets, which the first stage makes. Of trees and counts the first stage would not be of independent tasks.
 */
export function stagesOf({ fit, synthesize, augment }: PhaseTasks): readonly [readonly Task[], readonly Task[]] {
  return [[...fit, ...synthesize], augment];
}

/** What of a stage one of the tasks runs that share it: chains in turn, so that each has as many as the others. */
export function shareOf(stages: ReturnType<typeof stagesOf>, { stage, task, of }: FitShare): readonly Task[] {
  return stages[stage - 1]!.filter((_, i) => i % of === task - 1);
}

/** The shares of each stage: as many as are asked for, but none without a chain for each thread of it while others have several. */
export function fitShares(
  stages: ReturnType<typeof stagesOf>,
  tasks: number,
  threads: number,
): readonly [readonly FitShare[], readonly FitShare[]] {
  const sharesOf = (stage: 1 | 2): FitShare[] => {
    const of = Math.min(tasks, Math.ceil(stages[stage - 1].length / threads));
    return Array.from({ length: of }, (_, i) => ({ stage, task: i + 1, of }));
  };
  return [sharesOf(1), sharesOf(2)];
}
