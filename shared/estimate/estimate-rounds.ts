import type { Plan } from '../contracts/run/plan.ts';
import { estimateCloud } from '../cost/cloud-estimate.ts';
import type { CloudOptions } from '../cost/cloud-options.ts';
import type { CloudWork } from '../cost/cloud-work.ts';
import { addsChains, dearestChains, mostChains } from '../pipeline/rounds/chain-limit.ts';
import { firstRound } from '../pipeline/rounds/chains-needed.ts';
import { roundTasks } from '../pipeline/synthesizers/round-tasks.ts';
import type { RunEstimate } from './estimate-run.ts';
import { measuredWork } from './measured-work.ts';

/** What a run would take whose rounds add all chains that its limit allows, in one further round. */
export interface RoundsEstimate {
  /** What two evaluations are to agree on, and the correlation that ends the rounds. */
  readonly of: 'rank' | 'probability';
  readonly target: number;
  /** Base chains and pairs of all datasets together in the first round, and at most. */
  readonly firstChains: number;
  readonly mostChains: number;
  /** The first round included, like all that follows. */
  readonly minutes: number;
  readonly diskMiB: number;
  /** In AWS, where that is asked for. */
  readonly cloud?: { readonly minutes: number; readonly dollars: number };
}

const MIB = 1024 * 1024;

/** Steps of the workflow that a further round repeats. */
const REPEATED = ['fit', 'assess', 'aggregate'] as const;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** CPU seconds of chains and batches. */
const secondsOf = ({ phases, batches, secondsPerCombination }: CloudWork) =>
  sum(phases.map(({ tasks, secondsPerTask }) => tasks * secondsPerTask)) + sum(batches) * secondsPerCombination;

/**
 * What the rounds of a run may come to, from the estimate of its first: chains are added up to the limit, those that
 * cost most, and all candidates are scored a second time. More, smaller rounds score more often.
 *
 * @param options how the run would be carried out in AWS, if that is asked for
 * @returns null for a run that adds no chains
 */
export function estimateRounds(plan: Plan, first: RunEstimate, options: CloudOptions | null = null): RoundsEstimate | null {
  const { reproducibility } = plan.config.mcmc;
  if (reproducibility === 'off' || !addsChains(plan)) return null;
  const work = measuredWork(plan, first);
  const further = furtherWork(plan, first);
  return {
    ...reproducibility,
    firstChains: mostChains({ ...plan, config: fixedConfig(plan) }),
    mostChains: mostChains(plan),
    // Utility is measured once, when no round follows.
    minutes: first.utilityMinutes + (first.minutes - first.utilityMinutes) * (1 + (further ? secondsOf(further) / secondsOf(work) : 0)),
    diskMiB: further ? further.storedBytes / MIB : first.diskMiB,
    ...(options ? { cloud: cloudRounds(work, further, options) } : {}),
  };
}

/**
 * What a second round would have to do that adds all chains that the limit allows, those that cost most.
 *
 * @returns null where no round follows, or none can add chains
 */
export function furtherWork(plan: Plan, first: RunEstimate): CloudWork | null {
  if (plan.config.mcmc.reproducibility === 'off' || !addsChains(plan)) return null;
  const before = firstRound(plan);
  const chains = dearestChains(plan);
  if (chains.chains <= before.chains && chains.pairedChains <= before.pairedChains) return null;
  const tasks = roundTasks(plan, { round: 2, ...chains }, before);
  return { ...measuredWork(plan, first, { tasks, chains }), utilitySeconds: 0 };
}

/** The config of a plan whose first round is its last. */
function fixedConfig({ config }: Plan): Plan['config'] {
  return { ...config, mcmc: { ...config.mcmc, reproducibility: 'off' } };
}

/** Minutes and dollars of both rounds in AWS. */
function cloudRounds(work: CloudWork, further: CloudWork | null, options: CloudOptions) {
  const first = estimateCloud(work, options);
  if (further === null) return { minutes: first.minutes.total, dollars: first.dollars };
  const again = estimateCloud(further, options);
  const isRepeated = (step: string) => REPEATED.some((name) => name === step);
  return {
    minutes: first.minutes.total + sum(REPEATED.map((step) => again.minutes[step])),
    dollars: first.dollars + sum(again.items.flatMap(({ step, dollars }) => (isRepeated(step) ? [dollars] : []))),
  };
}
