import { type Config, lesserKnowledge } from '../../contracts/config/config.ts';
import { type Knowledge, knowledgeName } from '../../contracts/config/knowledge.ts';
import type { Plan, Task } from '../../contracts/run/plan.ts';
import type { ChainNumbers } from './chain-growth.ts';

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
  const added = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i + 1);
  return firstScenarios(config).flatMap(({ scenario, knows }) => {
    const task = (dataset: number, chain: number): Task => ({ step: 'learn', runId, scenario, dataset, chain });
    const alone = hasChainsAlone(knows) ? added(before.chains, now.chains).map((chain) => task(0, chain)) : [];
    const stacked = added(0, datasets.count).flatMap((dataset) =>
      added(before.pairedChains, now.pairedChains).map((chain) => task(dataset, chain)),
    );
    return [...alone, ...stacked];
  });
}

/** True for a chain of such an intruder whose records and a dataset are both there, as in a stacked table. */
export function isStackedLesson({ config }: Plan, task: Task): boolean {
  if (task.step !== 'learn' || task.dataset === 0) return false;
  return config.attributeRisk.scenarios[task.scenario - 1]!.knows !== 'nothing';
}
