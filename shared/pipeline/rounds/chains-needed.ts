import { attributeRiskReason } from '../../contracts/config/attribute-risk-reason.ts';
import { type Config, calibrationSettings } from '../../contracts/config/config.ts';
import { isCountModel } from '../../contracts/config/model.ts';
import { replicateRunId } from '../../contracts/keys.ts';
import type { Plan, Task } from '../../contracts/run/plan.ts';
import type { RoundChains } from '../../contracts/run/round.ts';
import type { ChainNumbers } from './chain-growth.ts';
import { lesserTasks } from './lesser-chains.ts';

/** True for a model of chains; trees and counts have none. */
export const hasChains = ({ model }: Config) => model.name !== 'cart' && !isCountModel(model);

/** True for a model of combinations, which can score a guess; trees take records as they are. */
export const hasCombinations = ({ model }: Config) => model.name !== 'cart';

/** True for a run that measures attribute risk: one that is judged, and whose plan has candidates to score. */
export const hasAttributeRisk = ({ purpose, config, scenarioCandidates, unscored, notAssessable }: Plan) =>
  purpose !== 'synthesize' &&
  unscored === undefined &&
  notAssessable === undefined &&
  attributeRiskReason(config) === null &&
  // Which variables trees synthesize decides: the config alone does not tell.
  (config.model.name !== 'cart' || scenarioCandidates.length > 0);

/** A side of the paired chains: on the table stacked with the dataset, or on the table alone. */
export type Side = 'stacked' | 'alone';

/** Chains that a run needs beside those that synthesize. */
export interface ChainsNeeded {
  /** Base chains. */
  readonly base: number;
  /** Pairs of chains, over all datasets. */
  readonly pairs: number;
  readonly sides: readonly Side[];
}

/**
 * What the estimator needs: the upper bound has no stacked side, the published estimator no pairs.
 *
 * @param numbers of chains; those of the plan unless a round has others
 */
export function chainsNeeded(plan: Plan, numbers: ChainNumbers = plan.config.mcmc): ChainsNeeded {
  if (!hasAttributeRisk(plan) || !hasChains(plan.config)) return { base: 0, pairs: 0, sides: [] };
  const { estimator } = plan.config.attributeRisk;
  const sides: Record<typeof estimator, Side[]> = {
    augmented: ['stacked', 'alone'],
    parameters: ['alone'],
    importance: [],
    exact: [],
    'fixed-structure': [],
  };
  const needed = sides[estimator];
  return {
    base: numbers.chains,
    pairs: needed.length > 0 ? plan.datasets.count * numbers.pairedChains : 0,
    sides: needed,
  };
}

/** Tasks of a phase are independent of each other, and need all phases before theirs. */
export type PhaseTasks = Readonly<Record<'fit' | 'synthesize' | 'augment' | 'assess', readonly Task[]>>;

/** Whole numbers after `from`, up to `to`. */
const after = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i + 1);

/**
 * The tasks of a run by trees: one tree a synthesized variable, then one dataset after the other, then every batch, which
 * is all where the datasets are given.
 */
function treeTasks(plan: Plan, round: number): PhaseTasks {
  const { runId, config, datasets } = plan;
  const { synthesized } = config.synthesis;
  if (datasets.origin !== 'synthesized') {
    return { fit: [], synthesize: [], augment: [], assess: batchTasks(plan, round) };
  }
  const isProper = config.model.name === 'cart' && config.model.proper;
  return {
    // Proper synthesis grows trees of their own for each dataset.
    fit: after(0, isProper ? 0 : synthesized.length).map((place) => ({ step: 'grow', runId, place })),
    synthesize: after(0, datasets.count).map((dataset) => ({ step: 'drop', runId, dataset })),
    augment: [],
    assess: batchTasks(plan, round),
  };
}

/** The tasks of a run by counts: one dataset after the other, then every batch. */
function countTasks(plan: Plan, round: number): PhaseTasks {
  const { runId, datasets } = plan;
  return {
    fit: [],
    synthesize: after(0, datasets.count).map((dataset) => ({ step: 'draw', runId, dataset })),
    augment: [],
    assess: batchTasks(plan, round),
  };
}

/** One task a batch, where nothing is simulated. */
function batchTasks(plan: Plan, round: number): Task[] {
  if (!hasAttributeRisk(plan)) return [];
  return plan.batches.map(({ batch }) => ({ step: 'assess', runId: plan.runId, round, batch }));
}

/**
 * The tasks of a round, phase after phase: the chains that it adds to those of the round before, and all
 * batches. The datasets are synthesized in the first.
 *
 * @param before chains of the round before; none in the first
 */
export function roundTasks(
  plan: Plan,
  { round, ...numbers }: RoundChains,
  before: ChainNumbers = { chains: 0, pairedChains: 0 },
): PhaseTasks {
  if (plan.purpose === 'calibrate') {
    // The tasks of its replicates, which add no chains in rounds.
    const each = after(0, calibrationSettings(plan.config).replicates).map((replicate) =>
      roundTasks(
        { ...plan, purpose: 'replicate', runId: replicateRunId(plan.runId, replicate) },
        { round, ...numbers },
      ),
    );
    return {
      fit: each.flatMap(({ fit }) => fit),
      synthesize: each.flatMap(({ synthesize }) => synthesize),
      augment: each.flatMap(({ augment }) => augment),
      assess: each.flatMap(({ assess }) => assess),
    };
  }
  if (!hasCombinations(plan.config)) return treeTasks(plan, round);
  if (!hasChains(plan.config)) return countTasks(plan, round);
  const { runId } = plan;
  const { base, sides } = chainsNeeded(plan, numbers);
  const { synthesis, attributeRisk } = plan.config;
  const synthesisChains =
    round > 1 || plan.datasets.origin !== 'synthesized'
      ? 0
      : synthesis.chains === 'own'
        ? plan.datasets.count
        : 1;
  const newBase = base > 0 ? after(before.chains, base) : [];
  const newPairs = sides.length > 0 ? after(before.pairedChains, numbers.pairedChains) : [];
  const paired = after(0, plan.datasets.count).flatMap((dataset) =>
    newPairs.map((chain): Task => ({ step: 'pair', runId, dataset, chain })),
  );
  const weighed = attributeRisk.estimator === 'importance' ? newBase : [];
  return {
    fit: newBase.map((chain) => ({ step: 'fit', runId, chain })),
    synthesize: after(0, synthesisChains).map((chain) => ({ step: 'synthesize', runId, chain })),
    augment: [
      ...paired,
      ...(hasAttributeRisk(plan) ? lesserTasks(plan, numbers, before) : []),
      ...weighed.map((chain): Task => ({ step: 'weigh', runId, chain })),
    ],
    assess: !hasAttributeRisk(plan)
      ? []
      : plan.batches.map(({ batch }) =>
          plan.purpose === 'replicate'
            ? { step: 'score', runId, batch }
            : { step: 'assess', runId, round, batch },
        ),
  };
}

/** The chains of a run's first round. */
export function firstRound({ config }: Plan): RoundChains {
  if (!hasChains(config)) return { round: 1, chains: 0, pairedChains: 0 };
  const { chains, pairedChains } = config.mcmc;
  return { round: 1, chains, pairedChains };
}
