import { attributeRiskReason } from '../../contracts/config/attribute-risk-reason.ts';
import { type Config, lesserKnowledge } from '../../contracts/config/config.ts';
import { type Knowledge, knowledgeName } from '../../contracts/config/knowledge.ts';
import { factsOf } from '../../contracts/models/models.ts';
import type { Plan, Task } from '../../contracts/run/plan.ts';
import type { RoundChains } from '../../contracts/run/round.ts';
import type { ChainNumbers } from './chain-growth.ts';

/** Whole numbers after `from`, up to `to`. */
export const numbersAfter = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i + 1);

/** The whole numbers from 1 up to `count`. */
export const numbered = (count: number) => numbersAfter(0, count);

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

/** The name of a chain (from 1) of an intruder who knows less: on what he has alone, with a dataset from 1. */
export function lesserChain(knows: Knowledge, dataset: number, chain: number): string {
  return `weak/${knowledgeName(knows)}/${dataset === 0 ? 'alone' : `stacked/${dataset}`}/${chain}`;
}

/** Whether such an intruder has chains without a dataset: who has nothing has the prior, which is known. */
export const hasChainsAlone = (knows: Knowledge) => knows !== 'nothing';

/** The first scenario (from 1) of each such knowledge, whose chains serve all others of it. */
function firstScenarios({ attributeRisk }: Config): { readonly scenario: number; readonly knows: Knowledge }[] {
  const seen = new Set<string>();
  return attributeRisk.scenarios.flatMap(({ knows }, s) => {
    if (knows === undefined || seen.has(knowledgeName(knows))) return [];
    seen.add(knowledgeName(knows));
    return [{ scenario: s + 1, knows }];
  });
}

/** How many sets of such chains a config has: without a dataset, and with each. */
export function lesserSets(config: Config): { readonly alone: number; readonly stacked: number } {
  return setsOf(lesserKnowledge(config));
}

const setsOf = (knowledge: readonly Knowledge[]) => ({ alone: knowledge.filter(hasChainsAlone).length, stacked: knowledge.length });

/**
 * Chains of such intruders in a round: `chains` of each on what they have alone, `pairedChains` with each dataset.
 *
 * @param knowledge of which intruders; by default of all of the run
 */
export function lesserChains(
  { config, datasets }: Plan,
  { chains, pairedChains }: ChainNumbers,
  knowledge: readonly Knowledge[] = lesserKnowledge(config),
): number {
  const { alone, stacked } = setsOf(knowledge);
  return alone * chains + stacked * datasets.count * pairedChains;
}

/** The tasks of these chains that a round adds to those of the round before. */
export function lesserTasks({ runId, config, datasets }: Plan, now: ChainNumbers, before: ChainNumbers): Task[] {
  return firstScenarios(config).flatMap(({ scenario, knows }) => {
    const task = (dataset: number, chain: number): Task => ({ step: 'learn', runId, scenario, dataset, chain });
    const alone = hasChainsAlone(knows) ? numbersAfter(before.chains, now.chains).map((chain) => task(0, chain)) : [];
    const stacked = numbered(datasets.count).flatMap((dataset) =>
      numbersAfter(before.pairedChains, now.pairedChains).map((chain) => task(dataset, chain)),
    );
    return [...alone, ...stacked];
  });
}

/** True for a chain of such an intruder whose records and a dataset are both there, as in a stacked table. */
export function isStackedLesson({ config }: Plan, task: Task): boolean {
  if (task.step !== 'learn' || task.dataset === 0) return false;
  return config.attributeRisk.scenarios[task.scenario - 1]!.knows !== 'nothing';
}
