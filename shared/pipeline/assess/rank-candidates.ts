import { decodeCheckedNpy } from '../../arrays/checked-npy.ts';
import type { OfScenario, RunContext } from '../../artifacts/run-context.ts';
import { readDatasets } from '../../artifacts/stored-dataset.ts';
import { readDraws } from '../../artifacts/stored-draws.ts';
import { runKeys } from '../../contracts/keys.ts';
import { eachDraw } from '../../model/chains/chain-draws.ts';
import { synthesizeRecords } from '../../model/dpmpm/dpmpm-synthesis.ts';
import { chainCounts } from '../../risk/attribute/chain-evaluations.ts';
import { candidateScorer } from '../../risk/reconstruction/candidate-means.ts';
import { KeptMeans, PooledChains } from '../../risk/reconstruction/kept-means.ts';
import { DRAWN_RECORDS, hasAllCells, reconstructionCandidates } from '../../risk/reconstruction/reconstruction-candidates.ts';
import type { RankedCandidates, RankedRelease } from '../../risk/reconstruction/reconstruction-figures.ts';
import { halfOf } from '../../risk/scoring/ratio-means.ts';
import type { Store } from '../../storage/store.ts';
import { CombinationIndex } from '../../table/combination-index.ts';
import type { Combinations } from '../../table/combinations.ts';
import { combinationsFromCodes, countsOfRows } from '../../table/distinct-rows.ts';
import type { ChainNumbers } from '../rounds/chain-growth.ts';
import { baseChains, type RunOfScenario, runTerms } from './run-terms.ts';

/** Chains of which candidates are scored, by the name under which they are resampled. */
interface ChainSet {
  readonly name: string;
  readonly draws: readonly string[];
}

/** The chains of an intruder with each dataset. */
async function chainsOfDatasets(store: Store, run: RunOfScenario, numbers: ChainNumbers) {
  const terms = await runTerms(store, run, numbers);
  return terms.flatMap(({ chains }) => ('draws' in chains && chains.dataset !== null ? [{ ...chains, dataset: chains.dataset }] : []));
}

/** Records drawn from what the intruder believes, the same number from every draw of the chains of the first round. */
async function drawRecords(
  store: Store,
  { plan, scenario, streams, table: { sizes } }: RunContext & OfScenario,
): Promise<Combinations & { readonly drawn: number }> {
  const sets = await chainsOfDatasets(store, { plan, scenario }, plan.config.mcmc);
  const draws = sets.reduce((sum, set) => sum + set.draws.length * set.drawsPerChain, 0);
  const fromEach = Math.ceil(DRAWN_RECORDS / draws);
  const index = new CombinationIndex(sizes.length);
  for (const chain of sets.flatMap((set) => set.draws)) {
    const random = streams.open(`reconstruction/${chain}`);
    for (const draw of eachDraw(await readDraws(store, plan.runId, chain))) {
      const codes = synthesizeRecords(draw, sizes, fromEach, random);
      for (let record = 0; record < fromEach; record++) index.add(codes, record * sizes.length, 1);
    }
  }
  return { ...index.combinations(), drawn: fromEach * draws };
}

/** The people of a run's control, counted by candidate, and its own combinations, counted in the table; null where it has none. */
async function countControl(store: Store, { plan, table }: RunContext, candidates: Uint16Array) {
  if (plan.config.attributeRisk.control === undefined) return null;
  const key = runKeys(plan.runId).table.control;
  const { data, shape } = decodeCheckedNpy(await store.get(key), key);
  const [records, variables] = shape as [number, number];
  const { combinations } = combinationsFromCodes(data as Uint16Array, records, variables);
  return {
    control: { records, counts: countsOfRows(combinations, candidates) },
    ownCombinations: { counts: combinations.counts, inTable: countsOfRows(table.combinations, combinations.codes) },
  };
}

const recordsOf = ({ counts }: Combinations) => counts.reduce((sum, count) => sum + count, 0);

/**
 * Ranks the combinations that somebody would name who knows nothing but the release (docs/explanation/reconstruction.md). The
 * confidential table has no part in which are candidates nor in their order, and is looked at afterwards.
 */
export async function rankCandidates(
  store: Store,
  context: RunContext & OfScenario,
  numbers: ChainNumbers,
): Promise<{ readonly ranked: RankedCandidates; readonly release: RankedRelease }> {
  const { plan, scenario, streams, records, table } = context;
  const { sizes, combinations } = table;
  const datasets = await readDatasets(store, plan);
  const drawn = hasAllCells(sizes) ? null : await drawRecords(store, context);
  const candidates = reconstructionCandidates(sizes, datasets, drawn);
  const scorer = candidateScorer(candidates.codes, sizes, records);
  const score = async ({ name, draws }: ChainSet, withHalves: boolean) => {
    const counts = chainCounts(streams, name, draws.length);
    const pool = () => new PooledChains(counts, draws.length, candidates.count);
    const [densities, present] = [pool(), pool()];
    for (const chain of draws) {
      const own = eachDraw(await readDraws(store, plan.runId, chain));
      const means = scorer(own, withHalves ? halfOf(own.length) : 0);
      densities.add(means.densities.means, means.densities.half);
      present.add(means.present.means, means.present.half);
    }
    return { densities: densities.means(), present: present.means() };
  };
  const kept = () => new KeptMeans(candidates.count, datasets.length);
  const [densities, confidences] = [kept(), kept()];
  for (const set of await chainsOfDatasets(store, { plan, scenario }, numbers)) {
    const found = await score(set, true);
    densities.add(found.densities, set.dataset);
    confidences.add(found.present, set.dataset);
  }
  const simulate = async () => {
    const simulated = kept();
    simulated.add((await score(baseChains(plan, numbers), false)).present, null);
    return { simulated: simulated.evaluations };
  };
  return {
    ranked: {
      candidates,
      densities: densities.evaluations,
      confidences: confidences.evaluations,
      table: { records, counts: countsOfRows(combinations, candidates.codes) },
      baseline: (await countControl(store, context, candidates.codes)) ?? (await simulate()),
    },
    release: {
      released: datasets.map(recordsOf),
      drawn: drawn?.drawn ?? 0,
      cells: sizes.reduce((product, size) => product * size, 1),
      combinations: combinations.count,
    },
  };
}
