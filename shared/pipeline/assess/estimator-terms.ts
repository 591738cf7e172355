import { decodeNpy } from '../../arrays/npy.ts';
import { readDatasetSource, readGeneratingState } from '../../artifacts/stored-dataset.ts';
import { readDraws } from '../../artifacts/stored-draws.ts';
import { ArtifactError } from '../../contracts/errors.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { ChainDraws } from '../../model/chains/chain-draws.ts';
import { logSumExp } from '../../numeric/log-sum-exp.ts';
import {
  augmentedTerms,
  effectiveWeights,
  importanceTerms,
  parametersTerms,
  type ScoredChains,
} from '../../risk/attribute/attribute-estimators.ts';
import { BASE_CHAINS } from '../../risk/attribute/chain-evaluations.ts';
import type { ExpectationTerm } from '../../risk/attribute/expectation.ts';
import { ratioMeans, weightedRatioMeans } from '../../risk/scoring/ratio-means.ts';
import type { RatioMeans, RatioScorer } from '../../risk/scoring/ratio-scorer.ts';
import type { Store } from '../../storage/store.ts';
import type { ChainNumbers } from '../rounds/chain-growth.ts';
import type { Side } from '../rounds/chains-needed.ts';

/** Scorers of some rows: ratios of the candidates on the table, and with what the datasets hold. */
export interface RowScorers {
  /** f(x) / f(x_i). */
  readonly alone: RatioScorer;
  /**
   * f2(x, z_i) / f2(x_i, z_i) of a dataset (from 1) in which each row has values of its own, synthesized from its
   * class (docs/estimators.md, partial synthesis); otherwise the same scorer as `alone`.
   */
  readonly withDataset: (dataset: number) => Promise<RatioScorer>;
  /** Rows times candidates. */
  readonly length: number;
}

/** What is needed to score the chains of a run for one batch. */
interface BatchScoring extends RowScorers {
  readonly store: Store;
  readonly runId: string;
  readonly datasets: number;
  readonly baseChains: number;
  readonly pairedChains: number;
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
  { store, runId, length, onChain }: BatchScoring,
  scorer: RatioScorer,
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
    scoring.alone,
    BASE_CHAINS,
    numbered(scoring.baseChains).map((chain) => `base/${chain}`),
  );

async function scoreSide(scoring: BatchScoring, side: Side, name: string, dataset: number) {
  const chains = numbered(scoring.pairedChains).map((chain) => `${side}/${dataset}/${chain}`);
  const scorer = side === 'stacked' ? await scoring.withDataset(dataset) : scoring.alone;
  return scoreChains(scoring, scorer, name, chains);
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
    const scorer = await scoring.withDataset(l);
    scorer(state.weights, state.probabilities, ratios);
    generating.push(ratios);
    tables.push(await scoreSide(scoring, 'alone', `alone/${l}`, l));
  }
  return { terms: parametersTerms(await scoreBase(scoring), generating, tables) };
}

async function scoreImportance(scoring: BatchScoring): Promise<BatchTerms> {
  const { store, runId, datasets, alone, length } = scoring;
  const scorers = await Promise.all(numbered(datasets).map((l) => scoring.withDataset(l)));
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
    base.push(ratioMeans(alone, draws, length));
    // Datasets with one scorer have the same ratios, which are found once.
    for (const scorer of new Set(scorers)) {
      const shared = [...scorers.keys()].filter((l) => scorers[l] === scorer);
      const means = weightedRatioMeans(
        scorer,
        draws,
        length,
        shared.map((l) => own[l]!),
      );
      for (const [i, l] of shared.entries()) {
        weighted[l]!.push(means[i]!);
        logWeights[l]!.push(own[l]!);
      }
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

/**
 * The terms of a run's estimator for what scorers score: reads and scores every chain that they need.
 *
 * @param onChain called after each chain is scored
 * @throws ArtifactError `no-generating-draw` when `parameters` lacks one
 */
export function estimatorTerms(
  store: Store,
  { runId, datasets, config }: Plan,
  { chains, pairedChains }: ChainNumbers,
  scorers: RowScorers,
  onChain: () => void,
): Promise<BatchTerms> {
  const score = { augmented: scoreAugmented, parameters: scoreParameters, importance: scoreImportance };
  return score[config.attributeRisk.estimator]({
    store,
    runId,
    datasets: datasets.count,
    baseChains: chains,
    pairedChains,
    ...scorers,
    onChain,
  });
}
