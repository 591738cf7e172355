import { CLOUD_ASSUMPTIONS as ASSUMED } from './cloud-assumptions.ts';
import type { CloudOptions } from './cloud-options.ts';
import type { CloudWork } from './cloud-work.ts';

/** What the chains of a round come to. */
export interface FitOutcome {
  /** From the first task to the end of the last. */
  readonly wallSeconds: number;
  /** Container tasks, or calls of a function, and the sum of the times that they take. */
  readonly tasks: number;
  readonly taskSeconds: number;
  readonly longestTaskSeconds: number;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Chains of one task that take turns on its vCPU, over tasks that share them evenly. */
function turnsSeconds(phases: CloudWork['phases'], tasks: number, sideBySide: number): number {
  const turns = phases.map((phase) => Math.ceil(Math.ceil(phase.tasks / tasks) / sideBySide) * phase.secondsPerTask);
  return sum(turns) / ASSUMED.vcpuSpeed;
}

/**
 * The chains of a round, in one task, or shared out over several. One task runs both stages. Several share first the
 * chains of stage 1 and then, started anew, those of stage 2, as many as there are chains for all of their vCPU; where fewer
 * may be at work at once, they take turns.
 */
export function fitOutcome({ phases }: Pick<CloudWork, 'phases'>, options: CloudOptions): FitOutcome {
  const { engine, fitTasks, timeFactors, vcpus, vcpusAtOnce } = options;
  const sideBySide = engine === 'fargate' ? vcpus : 1;
  const start = engine === 'fargate' ? ASSUMED.containerStartSeconds : ASSUMED.stepSeconds;
  const groups = fitTasks === 1 ? [phases] : ([1, 2] as const).map((s) => phases.filter(({ stage }) => stage === s));
  const atOnce = engine === 'fargate' ? Math.max(1, Math.floor(vcpusAtOnce / vcpus)) : fitTasks;
  const stages = groups
    .filter((group, i) => i === 0 || group.length > 0)
    .map((group) => {
      const chains = sum(group.map(({ tasks }) => tasks));
      const tasks = Math.max(1, Math.min(fitTasks, Math.ceil(chains / sideBySide)));
      return { tasks, seconds: start + timeFactors.fit * turnsSeconds(group, tasks, sideBySide) };
    });
  return {
    wallSeconds: sum(stages.map(({ seconds, tasks }) => Math.ceil(tasks / atOnce) * seconds)),
    tasks: sum(stages.map(({ tasks }) => tasks)),
    taskSeconds: sum(stages.map(({ seconds, tasks }) => tasks * seconds)),
    longestTaskSeconds: Math.max(...stages.map(({ seconds }) => seconds)),
  };
}
