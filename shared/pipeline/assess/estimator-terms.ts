import { decodeCheckedNpy } from '../../arrays/checked-npy.ts';
import { readGeneratingDraw } from '../../artifacts/stored-dataset.ts';
import { readDraws, type SomeCombinations } from '../../artifacts/stored-draws.ts';
import { earlySchedule } from '../../contracts/config/config.ts';
import { runKeys } from '../../contracts/keys.ts';
import { eachDraw, type ScoredDraw } from '../../model/chains/chain-draws.ts';
import { logSumExp } from '../../numeric/log-sum-exp.ts';
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
import {
  type LogMeans,
  logMeans,
  type MembershipTerm,
  type MembershipTerms,
  membershipTerm,
} from '../../risk/membership/membership-terms.ts';
import type { OtherPeople } from '../../risk/membership/other-people.ts';
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
  /** In the place of draws of somebody who has no record, where E[f(x)] is not the same for all x. */
  readonly prior?: ScoredDraw;
  /** Scores people who are not in the table, where membership is asked for: logarithms of densities, draws x people. */
  readonly others?: OtherPeople;
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
  /** Terms of the likelihood ratio of being in the table, where it is asked for. */
  readonly membership?: MembershipTerms;
}

/** What a set of chains says: of the ratios of candidates, and, where it is asked for, of single persons' densities. */
interface ChainScores {
  readonly scored: ScoredChains;
  readonly membership?: { readonly members: readonly LogMeans[]; readonly others: readonly LogMeans[] } | undefined;
}

/** Reads and scores chains one after the other, so that only one chain's draws are in memory. */
async function scoreChains(scoring: BatchScoring, { chains, pool, coefficient }: ChainTerm<StoredChains>): Promise<ChainScores> {
  const { store, plan, alone, withDataset, combinations, length, rows, prior, onChain } = scoring;
  const others = coefficient === 0 ? undefined : scoring.others;
  const ofRows: LogMeans[] = [];
  const ofOthers: LogMeans[] = [];
  const membership = others && { members: ofRows, others: ofOthers };
  if ('generating' in chains) {
    const draw = await readGeneratingDraw(store, plan, chains.generating);
    const ratios = new Float64Array(length);
    const logWeights = new Float64Array(rows);
    const scorer = await withDataset(chains.generating);
    scorer(draw.weights, draw.probabilities, ratios, logWeights);
    if (others?.logPossible) addByDraw(logWeights, others.logPossible([draw]));
    ofRows.push(logMeans(logWeights, rows));
    if (others) ofOthers.push(others.score([draw], 0));
    return { scored: exactChain(chains.name, ratios, chains.generating), membership };
  }
  if ('constant' in chains) {
    // On the scale of densities on which the uniform distribution has 1, unless there is a prior.
    const densities = new Float64Array(length).fill(1);
    const means = new Float64Array(rows);
    if (prior) alone(prior.weights, prior.probabilities, densities, means, prior.allocation);
    ofRows.push({ means });
    if (others) ofOthers.push(prior ? others.score([prior], 0) : { means: new Float64Array(others.people) });
    return { scored: exactChain(chains.name, densities), membership };
  }
  const scorer = chains.withDataset === null ? alone : await withDataset(chains.withDataset);
  const { name, drawsPerChain, dataset } = chains;
  const means = new ChainMeans(chains.draws.length, length, pool);
  // Of the base chains, which have no part in the likelihood, neither half lengths nor tails are told.
  const tails = dataset === null ? null : new WeightTails(rows, drawsPerChain * chains.draws.length);
  const logWeights = new Float64Array(drawsPerChain * rows);
  for (const chain of chains.draws) {
    const draws = await readDraws(store, plan.runId, chain, combinations);
    const half = dataset === null ? 0 : halfOf(draws.draws);
    means.add(ratioMeans(scorer, draws, length, half, logWeights));
    tails?.add(logWeights);
    // 1 / f(x_i | Theta), with the probability of possible cells in it where some are impossible.
    if (others?.logPossible) addByDraw(logWeights, others.logPossible(eachDraw(draws)));
    if (dataset === null || membership) ofRows.push(logMeans(logWeights, rows, half));
    if (others) ofOthers.push(others.score(eachDraw(draws), half));
    onChain();
  }
  return {
    scored: {
      name,
      drawsPerChain,
      ...means.scored(),
      ...(tails ? { paretoK: tails.shapes() } : {}),
      ...(dataset === null ? { logInverses: ofRows.map(({ means: ofChain }) => ofChain) } : { dataset }),
    },
    membership,
  };
}

/** Adds a number of each draw to logarithms, draws x rows. */
function addByDraw(logs: Float64Array, ofDraws: Float64Array): void {
  const rows = logs.length / ofDraws.length;
  for (let at = 0; at < logs.length; at++) logs[at]! += ofDraws[Math.floor(at / rows)]!;
}

/** The draws of base chains half way through their burn-in: for each chain, what {@link logMeans} says of 1 / f(x_i | Theta). */
async function scoreEarly({ store, plan, numbers, alone, combinations, rows, length }: BatchScoring): Promise<Float64Array[]> {
  const early: Float64Array[] = [];
  for (const chain of numbered(numbers.chains)) {
    const draws = await readDraws(store, plan.runId, `early/${chain}`, combinations);
    const logWeights = new Float64Array(draws.draws * rows);
    ratioMeans(alone, draws, length, 0, logWeights);
    early.push(logMeans(logWeights, rows).means);
  }
  return early;
}

async function scoreTerms(scoring: BatchScoring): Promise<BatchTerms> {
  const terms: ExpectationTerm[] = [];
  const membership: { members: MembershipTerm[]; others: MembershipTerm[] } = { members: [], others: [] };
  const { knows } = scoring.scenario;
  for (const term of await runTerms(scoring.store, scoring, scoring.numbers)) {
    const { scored: found, membership: means } = await scoreChains(scoring, term);
    const { logInverses, meanSquares, ...scored } = found;
    // Chains of somebody who has not all records but one never saw the record.
    const weighed = logInverses && !knows && earlySchedule(scoring.plan.config) !== null;
    if (weighed) weighModes(scored.means, logInverses, modeChoice(await scoreEarly(scoring), logInverses));
    // Mean squares of ratios that are weighed say nothing of draws.
    terms.push(expectationTerm({ ...term, chains: { ...scored, ...(meanSquares && !weighed ? { meanSquares } : {}) } }));
    if (means) {
      const { coefficient, pool } = term;
      const of = { chains: scored.name, pool, dataset: scored.dataset };
      // Where the chains hold the record, E[f(x_i) | D_-i] is 1 / E[1 / f(x_i) | D].
      membership.members.push(membershipTerm({ ...of, coefficient: knows ? coefficient : -coefficient }, means.members));
      membership.others.push(membershipTerm({ ...of, coefficient }, means.others));
    }
  }
  return { terms, ...(scoring.others ? { membership } : {}) };
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
