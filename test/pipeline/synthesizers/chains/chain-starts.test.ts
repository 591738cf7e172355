import { describe, expect, it } from 'vitest';
import { readRunContext } from '../../../../shared/artifacts/run-context.ts';
import { readDataset, readDatasetSource } from '../../../../shared/artifacts/stored-dataset.ts';
import { readDraws } from '../../../../shared/artifacts/stored-draws.ts';
import { readRecordDataset, readRecordTable } from '../../../../shared/artifacts/stored-table.ts';
import { runKeys } from '../../../../shared/contracts/keys.ts';
import type { ChainDraws } from '../../../../shared/model/chains/chain-draws.ts';
import type { ChainSampler, ChainState } from '../../../../shared/model/chains/chain-sampler.ts';
import { stateOfDraw } from '../../../../shared/model/chains/sample-chain.ts';
import { synthesizeRecords } from '../../../../shared/model/dpmpm/dpmpm-synthesis.ts';
import type { RunRequest } from '../../../../shared/pipeline/plan/planned-run.ts';
import type { Chains } from '../../../../shared/pipeline/synthesizers/chain-model.ts';
import { openChainRun } from '../../../../shared/pipeline/synthesizers/chains/combination-run.ts';
import { synthesizerOf } from '../../../../shared/pipeline/synthesizers/synthesizers.ts';
import { runTask } from '../../../../shared/pipeline/tasks/run-task.ts';
import { MemoryStore } from '../../../../shared/storage/memory-store.ts';
import { combinationsFromCodes, stackCombinations } from '../../../../shared/table/distinct-rows.ts';
import { TEST_KEYS } from '../../../test-keys.ts';
import { runFigures, SMALL_SETTINGS, smallConfig, smallTable } from '../../small-run.ts';

const { mcmc } = SMALL_SETTINGS;
const table = smallTable();

/**
 * Carries a run out and runs its chains again, from where each has to start, over what, for how long and with which
 * random numbers: the draws that it stored have to be these.
 */
async function replay(request: Partial<RunRequest> & Pick<RunRequest, 'config'>) {
  const { store, plan } = await runFigures({ ...TEST_KEYS, purpose: 'evaluate', table, ...request });
  const { runId } = plan;
  const {
    table: own,
    streams,
    known,
    synthesized,
    bind,
    bindBeside,
  } = await openChainRun(store, { plan, chains: synthesizerOf(plan.config).chains as Chains });
  const alone = bind(own.combinations);
  const stackedWith = async (dataset: number): Promise<ChainSampler> => {
    if (synthesized === null) {
      const { combinations } = await readDataset(store, runId, dataset);
      return bind(stackCombinations(own.combinations, combinations));
    }
    const records = await readRecordTable(store, plan);
    return bindBeside(records, await readRecordDataset(store, plan, dataset, records));
  };
  /** The model of an intruder who has some records of each combination, and a dataset below them unless it is 0. */
  const lesserWith = async (knowledge: string, dataset: number): Promise<ChainSampler> => {
    const { codes, variables } = own.combinations;
    const rows = Array.from(known.get(knowledge)!, (count, c) =>
      Array.from({ length: count }, () => [...codes.subarray(c * variables, (c + 1) * variables)]),
    ).flat();
    const some = combinationsFromCodes(Uint16Array.from(rows.flat()), rows.length, variables).combinations;
    if (dataset === 0) return bind(some);
    return bind(stackCombinations(some, (await readDataset(store, runId, dataset)).combinations));
  };
  const draws = (name: string) => readDraws(store, runId, name);

  /** Whether a chain's stored draws are those that come from a state, null for a fresh one; where it ended. */
  async function expectFrom(
    name: string,
    model: ChainSampler,
    from: ChainState | null,
    { burnIn, count, thin }: { burnIn: number; count: number; thin: number },
  ): Promise<ChainState> {
    const stored: ChainDraws = await draws(name);
    const random = streams.open(`chain/${name}`);
    let state = from ?? model.init(random);
    if (burnIn > 0) state = model.step(state, random, burnIn);
    expect(stored.draws, name).toBe(count);
    for (let draw = 0; draw < count; draw++) {
      state = model.step(state, random, thin);
      const found = stateOfDraw(stored, draw);
      expect(found.weights, name).toEqual(state.weights);
      expect(found.probabilities, name).toEqual(state.probabilities);
      expect(stored.logLikelihood[draw], name).toBe(model.logLikelihood(state));
    }
    return state;
  }
  return { alone, stackedWith, lesserWith, draws, expectFrom };
}

const base = { burnIn: mcmc.burnIn, count: mcmc.draws, thin: mcmc.thin };
const paired = { burnIn: 0, count: mcmc.pairedDraws, thin: mcmc.pairedThin };

describe.each([
  ['all variables are synthesized', smallConfig()],
  ['some are kept', smallConfig({ synthesis: { synthesized: ['education', 'employment'] } })],
])('where %s', (_, config) => {
  it('base and synthesis chains are fresh; pairs go on from the draw that generated their dataset', async () => {
    const { alone, stackedWith, draws, expectFrom } = await replay({ config });
    for (const chain of [1, 2, 3]) await expectFrom(`base/${chain}`, alone, null, base);
    for (const dataset of [1, 2]) {
      await expectFrom(`synthesis/${dataset}`, alone, null, { ...base, count: 1 });
      const generating = stateOfDraw(await draws(`synthesis/${dataset}`), 0);
      for (const chain of [1, 2]) {
        const stacked = await stackedWith(dataset);
        await expectFrom(`stacked/${dataset}/${chain}`, stacked, generating, paired);
        await expectFrom(`alone/${dataset}/${chain}`, alone, generating, paired);
      }
    }
  });

  it('of datasets made elsewhere stacked chains are fresh, and those on the table go on from their ends', async () => {
    const { store, keys } = await runFigures({ ...TEST_KEYS, purpose: 'evaluate', table, config });
    const files = [await store.get(keys.release.dataset(1)), await store.get(keys.release.dataset(2))];
    const { alone, stackedWith, expectFrom } = await replay({ config, purpose: 'assess', datasets: { origin: 'elsewhere', files } });
    for (const dataset of [1, 2]) {
      for (const chain of [1, 2]) {
        const stacked = await stackedWith(dataset);
        const fresh = { ...paired, burnIn: mcmc.burnIn };
        const end = await expectFrom(`stacked/${dataset}/${chain}`, stacked, null, fresh);
        await expectFrom(`alone/${dataset}/${chain}`, alone, end, paired);
      }
    }
  });
});

it('draws of one chain for all datasets are as far apart as a base chain is long', async () => {
  const config = smallConfig({ synthesis: { chains: 'one' } });
  const { alone, stackedWith, draws, expectFrom } = await replay({ config });
  const far = { burnIn: mcmc.burnIn, count: 2, thin: mcmc.draws * mcmc.thin };
  await expectFrom('synthesis/1', alone, null, far);
  for (const dataset of [1, 2]) {
    const generating = stateOfDraw(await draws('synthesis/1'), dataset - 1);
    await expectFrom(`stacked/${dataset}/1`, await stackedWith(dataset), generating, paired);
    await expectFrom(`alone/${dataset}/1`, alone, generating, paired);
  }
});

it('chains of intruders who know less are fresh, on the records that they have and a dataset', async () => {
  const scenarios = [
    { name: 'nothing', knows: 'nothing' },
    { name: 'some', knows: { share: 0.4 } },
  ];
  const { lesserWith, expectFrom } = await replay({ config: smallConfig({ attributeRisk: { scenarios } }) });
  const some = await lesserWith('share-0.4', 0);
  for (const chain of [1, 2, 3]) await expectFrom(`weak/share-0.4/alone/${chain}`, some, null, base);
  for (const knowledge of ['nothing', 'share-0.4']) {
    for (const dataset of [1, 2]) {
      const stacked = await lesserWith(knowledge, dataset);
      for (const chain of [1, 2]) {
        await expectFrom(`weak/${knowledge}/stacked/${dataset}/${chain}`, stacked, null, base);
      }
    }
  }
});

it.each(['own', 'one'] as const)('a dataset is what its draw generates, with %s synthesis chains', async (chains) => {
  const datasets = [1, 2, 3];
  const { store, plan } = await runFigures({
    ...TEST_KEYS,
    purpose: 'synthesize',
    table,
    config: smallConfig({ synthesis: { chains, datasets: datasets.length } }),
  });
  const { streams, table: own } = await readRunContext(store, plan.runId);
  for (const dataset of datasets) {
    const { chain, draw, iteration } = await readDatasetSource(store, plan.runId, dataset);
    expect([chain, draw]).toEqual(chains === 'own' ? [`synthesis/${dataset}`, 0] : ['synthesis/1', dataset - 1]);
    const apart = chains === 'own' ? mcmc.thin : mcmc.draws * mcmc.thin;
    expect(iteration).toBe(mcmc.burnIn + (draw! + 1) * apart);
    const state = stateOfDraw(await readDraws(store, plan.runId, chain!), draw!);
    const { records } = plan.table;
    const codes = synthesizeRecords(state, own.sizes, records, streams.openReleased(`dataset/${dataset}`));
    const { combinations } = combinationsFromCodes(codes, records, own.sizes.length);
    expect((await readDataset(store, plan.runId, dataset)).combinations).toEqual(combinations);
  }
});

/** What of a run is stored, but for one key. */
async function storeWithout(store: MemoryStore, missing: string | null): Promise<MemoryStore> {
  const partial = new MemoryStore();
  for (const key of await store.list('')) if (key !== missing) await partial.put(key, await store.get(key));
  return partial;
}

it('one chain for all datasets is run again where one of them is missing, to the same bytes', async () => {
  const config = smallConfig({ synthesis: { chains: 'one' } });
  const { store, plan, keys } = await runFigures({ ...TEST_KEYS, purpose: 'synthesize', table, config });
  for (const missing of [1, 2]) {
    const { source } = keys.dataset(missing);
    const partial = await storeWithout(store, source);
    await runTask(partial, { step: 'synthesize', runId: plan.runId, chain: 1 }, () => undefined);
    expect(await partial.get(source)).toEqual(await store.get(source));
  }
});

describe('a pair of chains', () => {
  const task = (runId: string) => ({ step: 'pair' as const, runId, dataset: 1, chain: 2 });

  it('is run again where one side is missing, to the same bytes, and not where both are there', async () => {
    const { store, plan } = await runFigures({ ...TEST_KEYS, purpose: 'evaluate', table, config: smallConfig() });
    const keys = runKeys(plan.runId);
    for (const missing of ['stacked/1/2', 'alone/1/2', null]) {
      const partial = await storeWithout(store, missing && keys.draws(missing));
      let iterations = 0;
      await runTask(partial, task(plan.runId), () => iterations++);
      expect(iterations > 0).toBe(missing !== null);
      for (const name of ['stacked/1/2', 'alone/1/2']) {
        expect(await partial.get(keys.draws(name))).toEqual(await store.get(keys.draws(name)));
      }
    }
  });

  it('has no side with the dataset where the estimator needs none', async () => {
    const config = smallConfig({ attributeRisk: { estimator: 'parameters' } });
    const { store, plan } = await runFigures({ ...TEST_KEYS, purpose: 'evaluate', table, config });
    const names = await store.list(runKeys(plan.runId).allDraws);
    expect(names.some((name) => name.includes('/alone/'))).toBe(true);
    expect(names.some((name) => name.includes('/stacked/'))).toBe(false);
  });
});
