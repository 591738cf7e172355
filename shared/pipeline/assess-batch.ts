import { ArtifactError, NumericalError } from '../contracts/errors.ts';
import { runKeys } from '../contracts/keys.ts';
import type { Plan, Task } from '../contracts/plan.ts';
import type { ChainDraws } from '../draws/chain-draws.ts';
import { decodeNpy } from '../draws/npy.ts';
import { logSumExp } from '../numeric/log-sum-exp.ts';
import {
  augmentedTerms,
  effectiveWeights,
  importanceTerms,
  parametersTerms,
  type ScoredChains,
} from '../risk/attribute-estimators.ts';
import { attributeRisk } from '../risk/attribute-risk.ts';
import { candidateSpace } from '../risk/candidate-space.ts';
import { BASE_CHAINS } from '../risk/chain-evaluations.ts';
import type { ChainNumbers } from '../risk/chain-growth.ts';
import type { ExpectationTerm } from '../risk/expectation.ts';
import { createRatioScorer, type RatioScorer } from '../risk/likelihood-ratio.ts';
import { type RatioMeans, ratioMeans, weightedRatioMeans } from '../risk/ratio-means.ts';
import type { Store } from '../storage/store.ts';
import { assessAllCells } from './assess-all-cells.ts';
import { readRoundChains } from './judge-round.ts';
import { readRunContext } from './run-context.ts';
import { writeCellPart } from './stored-cell-part.ts';
import { readDatasetSource, readGeneratingState } from './stored-dataset.ts';
import { readDraws } from './stored-draws.ts';
import { hasPart, writePart } from './stored-part.ts';

/** What is needed to score the chains of a run for one batch. */
interface BatchScoring {
  readonly store: Store;
  readonly runId: string;
  readonly datasets: number;
  readonly baseChains: number;
  readonly pairedChains: number;
  readonly scorer: RatioScorer;
  /** Combinations of the batch, or targets, times candidates. */
  readonly length: number;
  readonly onChain: () => void;
}

/** The estimator's terms, and the effective draws where they are the same for every combination. */
interface BatchTerms {
  readonly terms: readonly ExpectationTerm[];
  readonly effectiveDraws?: number;
}

const numbered = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

/** Reads and scores chains one after the other, so that only one chain's draws are in memory. */
async function scoreChains(
  { store, runId, scorer, length, onChain }: BatchScoring,
  name: string,
  chains: readonly string[],
): Promise<ScoredChains> {
  const scored: RatioMeans[] = [];
  let drawsPerChain = 0;
  for (const chain of chains) {
    const draws = await readDraws(store, runId, chain);
    drawsPerChain = draws.draws;
    scored.push(ratioMeans(scorer, draws, length));
    onChain();
  }
  return { name, drawsPerChain, chains: scored };
}

const scoreBase = (scoring: BatchScoring) =>
  scoreChains(
    scoring,
    BASE_CHAINS,
    numbered(scoring.baseChains).map((chain) => `base/${chain}`),
  );

function scoreSide(scoring: BatchScoring, side: 'stacked' | 'alone', name: string, dataset: number) {
  const chains = numbered(scoring.pairedChains).map((chain) => `${side}/${dataset}/${chain}`);
  return scoreChains(scoring, name, chains);
}

async function scoreAugmented(scoring: BatchScoring): Promise<BatchTerms> {
  const pairs = [];
  for (const l of numbered(scoring.datasets)) {
    const source = await readDatasetSource(scoring.store, scoring.runId, l);
    const chainByChain = source.origin === 'elsewhere';
    // Chains that are compared one by one share a name, so that they are resampled together.
    const names = chainByChain ? [`pair/${l}`, `pair/${l}`] : [`stacked/${l}`, `alone/${l}`];
    pairs.push({
      stacked: await scoreSide(scoring, 'stacked', names[0]!, l),
      table: await scoreSide(scoring, 'alone', names[1]!, l),
      chainByChain,
    });
  }
  return { terms: augmentedTerms(await scoreBase(scoring), pairs) };
}

async function scoreParameters(scoring: BatchScoring): Promise<BatchTerms> {
  const generating: Float64Array[] = [];
  const tables: ScoredChains[] = [];
  for (const l of numbered(scoring.datasets)) {
    const source = await readDatasetSource(scoring.store, scoring.runId, l);
    const state = await readGeneratingState(scoring.store, scoring.runId, source);
    if (state === null) throw new ArtifactError('no-generating-draw', `Dataset ${l} has no generating draw.`);
    const ratios = new Float64Array(scoring.length);
    scoring.scorer(state.weights, state.probabilities, ratios);
    generating.push(ratios);
    tables.push(await scoreSide(scoring, 'alone', `alone/${l}`, l));
  }
  return { terms: parametersTerms(await scoreBase(scoring), generating, tables) };
}

async function scoreImportance(scoring: BatchScoring): Promise<BatchTerms> {
  const { store, runId, datasets, scorer, length } = scoring;
  const base: RatioMeans[] = [];
  const weighted: Float64Array[][] = Array.from({ length: datasets }, () => []);
  const logWeights: Float64Array[][] = Array.from({ length: datasets }, () => []);
  let draws: ChainDraws | undefined;
  for (const chain of numbered(scoring.baseChains)) {
    draws = await readDraws(store, runId, `base/${chain}`);
    const { data } = decodeNpy(await store.get(runKeys(runId).logWeights(chain)));
    const own = numbered(datasets).map((l) =>
      (data as Float64Array).slice((l - 1) * draws!.draws, l * draws!.draws),
    );
    base.push(ratioMeans(scorer, draws, length));
    for (const [l, means] of weightedRatioMeans(scorer, draws, length, own).entries()) {
      weighted[l]!.push(means);
      logWeights[l]!.push(own[l]!);
    }
    scoring.onChain();
  }
  const scored = { name: BASE_CHAINS, drawsPerChain: draws?.draws ?? 0, chains: base };
  const logMasses = logWeights.map((chains) => Float64Array.from(chains, (values) => logSumExp(values)));
  return {
    terms: importanceTerms(scored, weighted, logMasses),
    effectiveDraws: logWeights.reduce(
      (least, chains) =>
        Math.min(least, effectiveWeights(Float64Array.from(chains.flatMap((values) => [...values])))),
      Infinity,
    ),
  };
}

/** The terms of a run's estimator for what a scorer scores: reads and scores every chain that they need. */
export function estimatorTerms(
  store: Store,
  { runId, datasets, config }: Plan,
  { chains, pairedChains }: ChainNumbers,
  scored: Pick<BatchScoring, 'scorer' | 'length' | 'onChain'>,
): Promise<BatchTerms> {
  const score = { augmented: scoreAugmented, parameters: scoreParameters, importance: scoreImportance };
  return score[config.attributeRisk.estimator]({
    store,
    runId,
    datasets: datasets.count,
    baseChains: chains,
    pairedChains,
    ...scored,
  });
}

/**
 * Attribute risk of one batch of combinations: scores every candidate under every draw of the run's chains,
 * puts the estimator together, and stores its part. A part that is there already is left alone.
 *
 * @param onUnit called after each chain is scored; where all cells are candidates, after each chain that is read and
 * each block of cells
 * @throws NumericalError naming the combination when an estimate is not a number
 */
export async function assessBatch(
  store: Store,
  { runId, round, batch }: Extract<Task, { step: 'assess' }>,
  onUnit: () => void,
): Promise<void> {
  if (await hasPart(store, { runId, round, batch })) return;
  const context = await readRunContext(store, runId);
  const { plan, table } = context;
  const { seed, attributeRisk: settings } = plan.config;
  const chains = await readRoundChains(store, plan, round);
  const { from, to } = plan.batches[batch - 1]!;
  const { codes, counts, variables } = table.combinations;
  try {
    if (settings.candidates === 'all-cells') {
      const cells = await assessAllCells(store, context, chains, { from, to }, onUnit);
      await writeCellPart(store, { runId, round, batch }, cells);
      await writePart(store, { runId, round, batch }, cells.risk);
      return;
    }
    const names = table.schema.variables.map(({ name }) => name);
    const space = candidateSpace(settings.candidates, names, table.sizes);
    const { terms, effectiveDraws } = await estimatorTerms(store, plan, chains, {
      scorer: createRatioScorer(space, codes.subarray(from * variables, to * variables)),
      length: (to - from) * space.perCombination,
      onChain: onUnit,
    });
    const risk = attributeRisk(
      terms,
      counts.subarray(from, to),
      space.perCombination,
      seed,
      settings.slope,
      effectiveDraws,
    );
    await writePart(store, { runId, round, batch }, risk);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new NumericalError(
      'assessment-failed',
      `Batch ${batch} (from combination ${from + 1}): ${error.message}.`,
    );
  }
}
