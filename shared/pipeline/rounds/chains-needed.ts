import { attributeRiskReason } from '../../contracts/config/attribute-risk-reason.ts';
import type { Config } from '../../contracts/config/config.ts';
import { factsOf } from '../../contracts/models/models.ts';
import type { Plan, Task } from '../../contracts/run/plan.ts';
import type { RoundChains } from '../../contracts/run/round.ts';
import type { ChainNumbers } from './chain-growth.ts';

/** True for a model of chains; trees and counts have none. */
export const hasChains = ({ model }: Config) => factsOf(model).method === 'sampled';

/** True for a model of combinations, which can score a guess; trees take records as they are. */
export const hasCombinations = ({ model }: Config) => factsOf(model).fits === 'combinations';

/** True for a run that measures attribute risk: one that is judged, and whose plan has candidates to score. */
export const hasAttributeRisk = ({ purpose, config, scenarioCandidates, unscored, notAssessable }: Plan) =>
  purpose !== 'synthesize' &&
  unscored === undefined &&
  notAssessable === undefined &&
  attributeRiskReason(config) === null &&
  // The config alone does not tell: of trees it depends on which variables they synthesize.
  scenarioCandidates.length > 0;

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
  return { base: numbers.chains, pairs: needed.length > 0 ? plan.datasets.count * numbers.pairedChains : 0, sides: needed };
}

/** Tasks of a phase are independent of each other, and need all phases before theirs. */
export type PhaseTasks = Readonly<Record<'fit' | 'synthesize' | 'augment' | 'assess', readonly Task[]>>;

/** The chains of a run's first round. */
export function firstRound({ config }: Plan): RoundChains {
  if (!hasChains(config)) return { round: 1, chains: 0, pairedChains: 0 };
  const { chains, pairedChains } = config.mcmc;
  return { round: 1, chains, pairedChains };
}
