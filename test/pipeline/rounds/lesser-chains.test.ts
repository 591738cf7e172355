import { beforeEach, describe, expect, it } from 'vitest';
import type { Plan } from '../../../shared/contracts/run/plan.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import { chainCosts } from '../../../shared/pipeline/rounds/chain-limit.ts';
import { isStackedLesson, lesserChain, lesserChains, lesserSets, lesserTasks } from '../../../shared/pipeline/rounds/chains-needed.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { smallConfig, smallTable } from '../small-run.ts';

const mcmc = { burnIn: 11, draws: 5, thin: 2, pairedDraws: 6, pairedThin: 3 };

/** Five scenarios of three knowledges that are less than all records but one, the fourth of them that of the third. */
const scenarios = [
  { name: 'all but one' },
  { name: 'nothing', knows: 'nothing' },
  { name: 'a tenth', knows: { share: 0.1 } },
  { name: 'the same tenth', knows: { share: 0.1 }, candidates: 'two-changes' },
  { name: 'a third', knows: { share: 0.3 } },
];

const learn = (scenario: number, dataset: number, chain: number) => ({
  ...{ step: 'learn' as const, runId: plan.runId },
  ...{ scenario, dataset, chain },
});

let plan: Plan;

beforeEach(async () => {
  const config = smallConfig({ mcmc, attributeRisk: { scenarios } });
  ({ plan } = await planRun({ ...TEST_KEYS, purpose: 'evaluate', config, table: smallTable() }));
});

describe('chains of intruders who know less than all records but one', () => {
  it('are one set of each knowledge, whatever the scenarios; who has nothing needs none without a dataset', () => {
    expect(lesserSets(plan.config)).toEqual({ alone: 2, stacked: 3 });
    // Of two sets five chains alone, and of three sets two chains with each of two datasets.
    expect(lesserChains(plan, { chains: 5, pairedChains: 2 })).toBe(2 * 5 + 3 * 2 * 2);
    expect(lesserSets(smallConfig())).toEqual({ alone: 0, stacked: 0 });
  });

  it('are named after what is known and the dataset', () => {
    expect(lesserChain('nothing', 2, 5)).toBe('weak/nothing/stacked/2/5');
    expect(lesserChain({ share: 0.1 }, 0, 4)).toBe('weak/share-0.1/alone/4');
  });

  it('are run for the first scenario of each knowledge, those that a round adds', () => {
    const ofShare = (scenario: number) => [
      learn(scenario, 0, 4),
      ...[1, 2].flatMap((dataset) => [learn(scenario, dataset, 3), learn(scenario, dataset, 4)]),
    ];
    expect(lesserTasks(plan, { chains: 4, pairedChains: 4 }, { chains: 3, pairedChains: 2 })).toEqual([
      ...[1, 2].flatMap((dataset) => [learn(2, dataset, 3), learn(2, dataset, 4)]),
      ...ofShare(3),
      ...ofShare(5),
    ]);
  });

  it('are on a stacked table where the intruder has records and a dataset', () => {
    expect(isStackedLesson(plan, learn(3, 1, 1))).toBe(true);
    expect(isStackedLesson(plan, learn(3, 0, 1))).toBe(false);
    expect(isStackedLesson(plan, learn(2, 1, 1))).toBe(false);
    expect(isStackedLesson(plan, { step: 'pair', runId: plan.runId, dataset: 1, chain: 1 })).toBe(false);
  });

  it('cost as much as others on as many records, with a dataset twice as much an iteration', () => {
    const base = 11 + 5 * (2 + 8);
    const pair = 6 * (2 * 3 + 8) + 6 * (3 + 8);
    const stacked = 2 * (11 + 5 * 2) + 5 * 8;
    expect(chainCosts(plan)).toEqual({ base: 3 * base, pairs: 2 * (pair + 3 * stacked) });
  });
});
