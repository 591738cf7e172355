import { decodeCheckedNpy } from '../../arrays/checked-npy.ts';
import { readGeneratingDraw } from '../../artifacts/stored-dataset.ts';
import { readDraws, type SomeCombinations } from '../../artifacts/stored-draws.ts';
import { earlySchedule } from '../../contracts/config/config.ts';
import { runKeys } from '../../contracts/keys.ts';
import { logSumExp } from '../../numeric/log-sum-exp.ts';
import { log } from '../../numeric/portable-math.ts';
import {
  type ChainTerm,
  effectiveWeights,
  exactChain,
  expectationTerm,
  importanceTerms,
  type ScoredChains,
} from '../../risk/attribute/attribute-estimators.ts';
import { ChainMeans } from '../../risk/attribute/chain-means.ts';
import type { ExpectationTerm } from '../../risk/attribute/expectation.ts';
import { modeChoice, weighModes } from '../../risk/attribute/mode-choice.ts';
import { halfOf, ratioMeans, weightedRatioMeans } from '../../risk/scoring/ratio-means.ts';
import type { RatioScorer } from '../../risk/scoring/ratio-scorer.ts';
import { paretoShape, WeightTails } from '../../risk/scoring/weight-tails.ts';
import type { Store } from '../../storage/store.ts';
import type { ChainNumbers } from '../rounds/chain-growth.ts';
import { numbered } from '../rounds/chains-needed.ts';
import { baseChains, type RunOfScenario, runTerms, type StoredChains } from './run-terms.ts';

/** Scorers of some rows: ratios of the candidates on the table, and with what the datasets hold. */
export interface RowScorers {
  /** f(x) / f(x_i). */
  readonly alone: RatioScorer;
  /**
   * f2(x, z_i) / f2(x_i, z_i) of a dataset (from 1) in which each row has values of its own, synthesized from its
   * class (docs/explanation/estimators.md, partial synthesis); otherwise the same scorer as `alone`.
   */
  readonly withDataset: (dataset: number) => Promise<RatioScorer>;
  /** The combinations that the rows are, where phi is integrated out of what they are scored with. */
  readonly combinations?: SomeCombinations;
  readonly rows: number;
  /** Rows times candidates. */
  readonly length: number;
}

/** What is needed to score the chains of a run for one batch. */
interface BatchScoring extends RowScorers, RunOfScenario {
  readonly store: Store;
  readonly numbers: ChainNumbers;
  readonly onChain: () => void;
}

/** The estimator's terms, and the effective draws where they are the same for every combination. */
export interface BatchTerms {
  readonly terms: readonly ExpectationTerm[];
  readonly effectiveDraws?: number;
  /** The Pareto k of importance weights, which is the same for every combination. */
  readonly paretoK?: number;
}

/** Reads and scores chains one after the other, so that only one chain's draws are in memory. */
async function scoreChains(scoring: BatchScoring, { chains, pool }: ChainTerm<StoredChains>): Promise<ScoredChains> {
  const { store, plan, alone, withDataset, combinations, length, rows, onChain } = scoring;
  if ('generating' in chains) {
    const { weights, probabilities } = await readGeneratingDraw(store, plan, chains.generating);
    const ratios = new Float64Array(length);
    const scorer = await withDataset(chains.generating);
    scorer(weights, probabilities, ratios);
    return exactChain(chains.name, ratios, chains.generating);
  }
  if ('constant' in chains) return exactChain(chains.name, new Float64Array(length).fill(1));
  const scorer = chains.withDataset === null ? alone : await withDataset(chains.withDataset);
  const { name, drawsPerChain, dataset } = chains;
  const scored = new ChainMeans(chains.draws.length, length, pool);
  // Of the base chains, which have no part in the likelihood, neither half lengths nor tails are told.
  const tails = dataset === null ? null : new WeightTails(rows, drawsPerChain * chains.draws.length);
  const logInverses: Float64Array[] = [];
  const logWeights = new Float64Array(drawsPerChain * rows);
  for (const chain of chains.draws) {
    const draws = await readDraws(store, plan.runId, chain, combinations);
    const half = dataset === null ? 0 : halfOf(draws.draws);
    scored.add(ratioMeans(scorer, draws, length, half, logWeights));
    tails?.add(logWeights);
    if (dataset === null) logInverses.push(logMeans(logWeights, rows));
    onChain();
  }
  return {
    name,
    drawsPerChain,
    ...scored.scored(),
    ...(tails ? { paretoK: tails.shapes() } : {}),
    ...(dataset === null ? { logInverses } : { dataset }),
  };
}

/** Logarithms of the means over draws of what is given by its logarithm, draws x rows. */
function logMeans(logs: Float64Array, rows: number): Float64Array {
  const draws = logs.length / rows;
  return Float64Array.from(
    { length: rows },
    (_, row) => logSumExp(Float64Array.from({ length: draws }, (__, d) => logs[d * rows + row]!)) - log(draws),
  );
}

/** The draws of base chains half way through their burn-in: for each chain, what {@link logMeans} says of 1 / f(x_i | Theta). */
async function scoreEarly({ store, plan, numbers, alone, combinations, rows, length }: BatchScoring): Promise<Float64Array[]> {
  const early: Float64Array[] = [];
  for (const chain of numbered(numbers.chains)) {
    const draws = await readDraws(store, plan.runId, `early/${chain}`, combinations);
    const logWeights = new Float64Array(draws.draws * rows);
    ratioMeans(alone, draws, length, 0, logWeights);
    early.push(logMeans(logWeights, rows));
  }
  return early;
}

async function scoreTerms(scoring: BatchScoring): Promise<BatchTerms> {
  const terms: ExpectationTerm[] = [];
  for (const term of await runTerms(scoring.store, scoring, scoring.numbers)) {
    const { logInverses, meanSquares, ...scored } = await scoreChains(scoring, term);
    // Chains of somebody who has not all records but one never saw the record.
    const weighed = logInverses && !scoring.scenario.knows && earlySchedule(scoring.plan.config) !== null;
    if (weighed) weighModes(scored.means, logInverses, modeChoice(await scoreEarly(scoring), logInverses));
    // Mean squares of ratios that are weighed say nothing of draws.
    terms.push(expectationTerm({ ...term, chains: { ...scored, ...(meanSquares && !weighed ? { meanSquares } : {}) } }));
  }
  return { terms };
}

async function scoreImportance(scoring: BatchScoring): Promise<BatchTerms> {
  const { store, plan, alone, length } = scoring;
  const { runId } = plan;
  const datasets = plan.datasets.count;
  const { name, draws: chains, drawsPerChain } = baseChains(plan, scoring.numbers);
  const scorers = await Promise.all(numbered(datasets).map((l) => scoring.withDataset(l)));
  const base = new ChainMeans(chains.length, length, 'arithmetic');
  const weighted: Float64Array[][] = Array.from({ length: datasets }, () => []);
  const logWeights: Float64Array[][] = Array.from({ length: datasets }, () => []);
  for (const [c, chain] of chains.entries()) {
    const draws = await readDraws(store, runId, chain);
    const { data } = decodeCheckedNpy(await store.get(runKeys(runId).logWeights(c + 1)));
    const own = numbered(datasets).map((l) => (data as Float64Array).slice((l - 1) * draws.draws, l * draws.draws));
    base.add(ratioMeans(alone, draws, length));
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
  const scored = { name, drawsPerChain, ...base.scored() };
  const logMasses = logWeights.map((chains) => Float64Array.from(chains, (values) => logSumExp(values)));
  const ofDatasets = logWeights.map((chains) => Float64Array.from(chains.flatMap((values) => [...values])));
  return {
    terms: importanceTerms(scored, weighted, logMasses),
    effectiveDraws: Math.min(...ofDatasets.map(effectiveWeights)),
    paretoK: Math.max(...ofDatasets.map(paretoShape)),
  };
}

/**
 * The terms of a run's estimator for what scorers score: reads and scores every chain that they need.
 *
 * @throws ArtifactError `no-generating-draw` when `parameters` lacks one
 */
export function estimatorTerms(
  store: Store,
  { plan, scenario }: RunOfScenario,
  numbers: ChainNumbers,
  scorers: RowScorers,
  onChain: () => void,
): Promise<BatchTerms> {
  const score = plan.config.attributeRisk.estimator === 'importance' ? scoreImportance : scoreTerms;
  return score({ store, plan, scenario, numbers, ...scorers, onChain });
}
