import { describe, expect, it } from 'vitest';
import { openScenario, openScenarios } from '../../../shared/contracts/run/scenarios.ts';
import { runTerms } from '../../../shared/pipeline/assess/run-terms.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import type { RunRequest } from '../../../shared/pipeline/plan/planned-run.ts';
import { storePlannedRun } from '../../../shared/pipeline/plan/store-planned-run.ts';
import { MemoryStore } from '../../../shared/storage/memory-store.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { runFigures, smallConfig, smallTable } from '../small-run.ts';

/** No two numbers are the same. */
const mcmc = { chains: 4, draws: 5, pairedChains: 2, pairedDraws: 6 };

/** What a later round may have. */
const ROUND = { chains: 7, pairedChains: 3 };

const base = {
  coefficient: 0,
  pool: 'arithmetic',
  chains: {
    name: 'base',
    draws: [1, 2, 3, 4, 5, 6, 7].map((chain) => `base/${chain}`),
    drawsPerChain: 5,
    dataset: null,
    withDataset: null,
  },
};
const stacked = (dataset: number) => ({
  draws: [1, 2, 3].map((chain) => `stacked/${dataset}/${chain}`),
  drawsPerChain: 6,
  dataset,
  withDataset: dataset,
});
const alone = (dataset: number) => ({
  draws: [1, 2, 3].map((chain) => `alone/${dataset}/${chain}`),
  drawsPerChain: 6,
  dataset,
  withDataset: null,
});

const request = (attributeRisk: object = {}): RunRequest => ({
  ...TEST_KEYS,
  purpose: 'evaluate',
  config: smallConfig({ mcmc, attributeRisk }),
  table: smallTable(),
});

describe('runTerms()', () => {
  it('has the two sides of each dataset, by the chains of the round, and the base chains for the prior', async () => {
    const { store, plan } = await runFigures(request());
    const pool = 'arithmetic';
    expect(await runTerms(store, { plan, scenario: openScenario(plan, 1) }, ROUND)).toEqual([
      { coefficient: 1, pool, chains: { name: 'stacked/1', ...stacked(1) } },
      { coefficient: -1, pool, chains: { name: 'alone/1', ...alone(1) } },
      { coefficient: 1, pool, chains: { name: 'stacked/2', ...stacked(2) } },
      { coefficient: -1, pool, chains: { name: 'alone/2', ...alone(2) } },
      base,
    ]);
  });

  it('resamples the chains of a dataset made elsewhere in pairs, and compares them one by one', async () => {
    const store = new MemoryStore();
    const files = [smallTable({ records: 45 }), smallTable({ records: 50 })];
    const planned = await planRun({ ...request(), purpose: 'assess', datasets: { origin: 'elsewhere', files } });
    const plan = await storePlannedRun(store, planned);
    const pool = 'geometric';
    expect(await runTerms(store, { plan, scenario: openScenario(plan, 1) }, ROUND)).toEqual([
      { coefficient: 1, pool, chains: { name: 'pair/1', ...stacked(1) } },
      { coefficient: -1, pool, chains: { name: 'pair/1', ...alone(1) } },
      { coefficient: 1, pool, chains: { name: 'pair/2', ...stacked(2) } },
      { coefficient: -1, pool, chains: { name: 'pair/2', ...alone(2) } },
      base,
    ]);
  });

  it('has the generating draw of each dataset in place of its stacked side with `parameters`', async () => {
    const store = new MemoryStore();
    const plan = await storePlannedRun(store, await planRun(request({ estimator: 'parameters' })));
    const pool = 'arithmetic';
    expect(await runTerms(store, { plan, scenario: openScenario(plan, 1) }, ROUND)).toEqual([
      { coefficient: 1, pool, chains: { name: 'generating/1', generating: 1 } },
      { coefficient: -1, pool, chains: { name: 'alone/1', ...alone(1) } },
      { coefficient: 1, pool, chains: { name: 'generating/2', generating: 2 } },
      { coefficient: -1, pool, chains: { name: 'alone/2', ...alone(2) } },
      base,
    ]);
  });

  it('compares what an intruder who knows less has, alone, with that and each dataset', async () => {
    const scenarios = [
      { name: 'some', knows: { share: 0.4 } },
      { name: 'nothing', knows: 'nothing' },
    ];
    const plan = await storePlannedRun(new MemoryStore(), await planRun(request({ scenarios })));
    const [some, nothing] = openScenarios(plan);
    const pool = 'arithmetic';
    const withDataset = (knowledge: string, dataset: number) => ({
      name: `weak/stacked/${dataset}`,
      draws: [1, 2, 3].map((chain) => `weak/${knowledge}/stacked/${dataset}/${chain}`),
      ...{ drawsPerChain: 5, dataset, withDataset: dataset },
    });
    const ofDatasets = (knowledge: string) =>
      [1, 2].map((dataset) => ({ coefficient: 1 / 2, pool, chains: withDataset(knowledge, dataset) }));
    const draws = [1, 2, 3, 4, 5, 6, 7].map((chain) => `weak/share-0.4/alone/${chain}`);
    expect(await runTerms(new MemoryStore(), { plan, scenario: some! }, ROUND)).toEqual([
      ...ofDatasets('share-0.4'),
      { coefficient: -1, pool, chains: { ...base.chains, draws } },
    ]);
    // Who has nothing has the prior, which no chain is run for.
    expect(await runTerms(new MemoryStore(), { plan, scenario: nothing! }, ROUND)).toEqual([
      ...ofDatasets('nothing'),
      { coefficient: -1, pool, chains: { name: 'base', constant: true } },
    ]);
  });
});
