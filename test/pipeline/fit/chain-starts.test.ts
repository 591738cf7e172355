import { describe, expect, it } from 'vitest';
import { readRunContext } from '../../../shared/artifacts/run-context.ts';
import { readPartialDataset, readRecordTable } from '../../../shared/artifacts/stored-columns.ts';
import { readDataset } from '../../../shared/artifacts/stored-dataset.ts';
import { readDraws } from '../../../shared/artifacts/stored-draws.ts';
import type { ChainDraws } from '../../../shared/model/chains/chain-draws.ts';
import type { ChainSampler, ChainState } from '../../../shared/model/chains/chain-sampler.ts';
import { stateOfDraw } from '../../../shared/model/chains/sample-chain.ts';
import type { RunRequest } from '../../../shared/pipeline/plan/planned-run.ts';
import { stackCombinations } from '../../../shared/table/distinct-rows.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { runInMemory, SMALL_SETTINGS, smallConfig, smallTable } from '../small-run.ts';

const { mcmc } = SMALL_SETTINGS;
const table = smallTable();

/**
 * Carries a run out and runs its chains again, from where each has to start, over what, for how long and with which
 * random numbers: the draws that it stored have to be these.
 */
async function replay(request: Partial<RunRequest> & Pick<RunRequest, 'config'>) {
  const { store, plan } = await runInMemory({ ...TEST_KEYS, purpose: 'evaluate', table, ...request });
  const { runId } = plan;
  const { table: own, streams, synthesized, bind, bindBeside } = await readRunContext(store, runId);
  const alone = bind(own.combinations);
  const stackedWith = async (dataset: number): Promise<ChainSampler> => {
    if (synthesized === null) {
      const { combinations } = await readDataset(store, runId, dataset);
      return bind(stackCombinations(own.combinations, combinations));
    }
    const records = await readRecordTable(store, plan);
    return bindBeside(records, await readPartialDataset(store, plan, dataset, records));
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
  return { alone, stackedWith, draws, expectFrom };
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
    const { store, keys } = await runInMemory({ ...TEST_KEYS, purpose: 'evaluate', table, config });
    const files = [await store.get(keys.release.dataset(1)), await store.get(keys.release.dataset(2))];
    const { alone, stackedWith, expectFrom } = await replay({
      config,
      purpose: 'assess',
      datasets: { origin: 'elsewhere', files },
    });
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
