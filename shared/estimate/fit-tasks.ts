import { MOST_FIT_TASKS } from '../contracts/cloud/cloud-environment.ts';
import { UnsupportedOptionError } from '../contracts/errors.ts';
import type { Plan } from '../contracts/run/plan.ts';
import type { CloudOptions } from '../cost/cloud-options.ts';
import type { CloudWork } from '../cost/cloud-work.ts';
import { fitOutcome } from '../cost/fit-outcome.ts';
import { hasChains } from '../pipeline/rounds/chains-needed.ts';

/** Tasks that are to share the chains of a round: what the upload asks for, or else what the environment is set to. */
export interface AskedTasks {
  readonly asked?: number | 'auto';
  readonly byDefault?: number | 'auto';
}

/** Chains that take no longer than this in one task (seconds) are not worth the start of others. */
const WORTH_SHARING_SECONDS = 600;

/**
 * How many tasks share the chains of a round. `auto` takes one task for chains of ten minutes or less, and else as many as
 * have a chain for each of their vCPU and may be at work at once.
 *
 * @throws UnsupportedOptionError `fit-tasks-without-chains`, `more-fit-tasks-than-chains` for what an upload asks for; what an
 *   environment is set to is for runs that have chains, and as many
 */
export function chooseFitTasks(
  { config }: Plan,
  work: Pick<CloudWork, 'phases'>,
  options: CloudOptions,
  { asked, byDefault = 1 }: AskedTasks,
): number {
  const tasks = asked ?? byDefault;
  if (!hasChains(config)) {
    if (asked === undefined || asked === 'auto' || asked === 1) return 1;
    throw new UnsupportedOptionError(
      'fit-tasks-without-chains',
      `The model ${config.model.name} has no chains that tasks could share: leave --fit-tasks out.`,
    );
  }
  const ofStage = (of: 1 | 2) => work.phases.reduce((sum, { stage, tasks: chains }) => sum + (stage === of ? chains : 0), 0);
  const most = Math.max(1, ofStage(1), ofStage(2));
  if (tasks !== 'auto') {
    if (tasks <= most) return tasks;
    if (asked === undefined) return most;
    throw new UnsupportedOptionError(
      'more-fit-tasks-than-chains',
      `The run has ${most} chains at once for ${tasks} tasks: ask for ${most} at most (--fit-tasks).`,
    );
  }
  if (fitOutcome(work, { ...options, fitTasks: 1 }).wallSeconds <= WORTH_SHARING_SECONDS) return 1;
  const { engine, vcpus, vcpusAtOnce } = options;
  const sideBySide = engine === 'fargate' ? vcpus : 1;
  const atOnce = engine === 'fargate' ? Math.floor(vcpusAtOnce / vcpus) : MOST_FIT_TASKS;
  return Math.max(1, Math.min(Math.ceil(most / sideBySide), atOnce, MOST_FIT_TASKS));
}
