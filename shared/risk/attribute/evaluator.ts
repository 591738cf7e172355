import { instantiateKernel, type KernelGlobal, setNumbers } from '../../numeric/kernel.ts';
import { TIES } from '../../numeric/ties.ts';
import type { Streams } from '../../random/streams.ts';
import { INTERVAL_TAIL } from '../continuous/continuous-figures.ts';
import { CELL_NUMBERS, type RowValueSets, type ValueSet } from '../intruder/value-sets.ts';
import { type RowPriors, UNIFORM } from '../prior/row-priors.ts';
import { EVALUATIONS, HALF_SPLITS, RESAMPLES } from './chain-evaluations.ts';
import {
  datasetContributions,
  datasetsOf,
  type ExpectationTerm,
  groupTerms,
  halfLengthEstimates,
  priorTerm,
  SAFE_PRODUCT,
  type TermGroup,
} from './expectation.ts';
import { NoEstimate, type TruthFigures, truthOf } from './posterior.ts';
import { HALF_LENGTH, TIE_RESAMPLES, VALUE_FIGURES, WITHOUT_DATASETS } from './value-figures.ts';

/** The risk of one combination in every evaluation (`chainCounts`): EVALUATIONS entries unless a shape is given. */
export interface Evaluations {
  /**
   * candidates considered that are ranked: log P(Z | D_i^x) from all chains, up to a constant and raised to the power of the
   * slope; without the prior.
   */
  readonly estimates: Float64Array;
  /** The same candidates: logarithms of their prior in the estimate, up to a constant; null where it is uniform. */
  readonly logPrior: Float64Array | null;
  /** Rank of the truth, 1 = the intruder's first guess, ties at their mean. */
  readonly ranks: Float64Array;
  /** Posterior probability of the truth. */
  readonly probabilities: Float64Array;
  /** Posterior against prior. */
  readonly informationBits: Float64Array;
  /** See {@link TruthFigures}. */
  readonly logBayesFactors: Float64Array;
  readonly losses: Float64Array;
  /**
   * (WITHOUT_DATASETS + datasets) x value sets x VALUE_FIGURES: in the estimate, in its resamples, from paired chains of
   * half their length (the estimate, where there are none) and with each dataset left out; those of a set without
   * candidates are 0, those of a continuous variable are CONTINUOUS_FIGURES.
   */
  readonly figures: Float64Array;
  /**
   * (2 HALF_SPLITS) x value sets x VALUE_FIGURES: the same from each half of each split of the chains, where nothing but numbers is
   * guessed at; else nothing.
   */
  readonly halfFigures: Float64Array;
  /** Null where no chains are paired. */
  readonly halfLength: TruthFigures | null;
  /** The truth with each dataset left out, in their order; none where value sets are not weighed, or there is one dataset. */
  readonly withoutDatasets: readonly TruthFigures[];
  /** value sets x 2: number of the likeliest value before and after the release; 0 of continuous variables. */
  readonly guesses: Uint32Array;
  /** All candidates considered, ranked or not: log P(Z | D_i^x), and the model's prior; of no use where no value set is weighed. */
  readonly allEstimates: Float64Array;
  readonly allPriors: Float64Array;
}

/** What combinations are evaluated by. */
export interface EvaluationRequest {
  /** The estimator of log P(Z | D_i^x), see `attribute-estimators.ts`. */
  readonly terms: readonly ExpectationTerm[];
  readonly streams: Streams;
  /** Candidates of each combination, the truth first. */
  readonly candidates: number;
  /** How many of them, the first ones, are ranked among each other, the others being of continuous variables; all if left out. */
  readonly ranked?: number | undefined;
  /** Power to which the likelihood is raised: 1 unless a calibration found another. */
  readonly slope: number;
  /** For each combination, which of the candidates there are, the truth first; all if left out. */
  readonly considered?: readonly Uint32Array[] | undefined;
  /** The value sets of each combination; none if left out. */
  readonly sets?: RowValueSets | undefined;
  /** What the intruder believes before the release; uniform if left out. */
  readonly priors?: RowPriors | undefined;
}

/** Evaluates a combination, given by its index; the result is valid until the next call. */
export type Evaluator = (combination: number) => Evaluations;

/** What kernels/evaluator/evaluator.ts exports; globals are addresses in its memory. */
interface EvaluatorKernel {
  readonly memory: WebAssembly.Memory;
  /** What the memory is laid out by; the candidates are then those of the present combination. */
  readonly candidates: KernelGlobal;
  readonly ranked: KernelGlobal;
  readonly evaluations: KernelGlobal;
  readonly resamples: KernelGlobal;
  readonly groups: KernelGlobal;
  readonly terms: KernelGlobal;
  readonly chains: KernelGlobal;
  readonly mostChains: KernelGlobal;
  readonly shareCount: KernelGlobal;
  readonly safeLeast: KernelGlobal;
  readonly safeMost: KernelGlobal;
  readonly priorGroup: KernelGlobal;
  readonly priorSource: KernelGlobal;
  readonly sets: KernelGlobal;
  readonly entries: KernelGlobal;
  readonly weighsHalves: KernelGlobal;
  readonly cellSets: KernelGlobal;
  readonly cellEntries: KernelGlobal;
  readonly others: KernelGlobal;
  readonly intervalTail: KernelGlobal;
  readonly tieRounding: KernelGlobal;
  readonly tieErrors: KernelGlobal;
  readonly tieMost: KernelGlobal;
  readonly tieResamples: KernelGlobal;
  prepare(): void;
  readonly stride: KernelGlobal;
  readonly coefficients: KernelGlobal;
  readonly stretches: KernelGlobal;
  readonly geometric: KernelGlobal;
  readonly groupSizes: KernelGlobal;
  readonly chainCounts: KernelGlobal;
  readonly shareStarts: KernelGlobal;
  readonly shareChains: KernelGlobal;
  readonly shares: KernelGlobal;
  readonly means: KernelGlobal;
  readonly estimates: KernelGlobal;
  readonly ranks: KernelGlobal;
  readonly probabilities: KernelGlobal;
  readonly informationBits: KernelGlobal;
  readonly logBayesFactors: KernelGlobal;
  readonly losses: KernelGlobal;
  readonly givenPrior: KernelGlobal;
  readonly priorEstimates: KernelGlobal;
  readonly otherEstimates: KernelGlobal;
  readonly setEntries: KernelGlobal;
  readonly setValues: KernelGlobal;
  readonly entryCandidates: KernelGlobal;
  readonly entryValues: KernelGlobal;
  readonly cells: KernelGlobal;
  readonly precisions: KernelGlobal;
  readonly truthEntries: KernelGlobal;
  readonly figures: KernelGlobal;
  readonly guesses: KernelGlobal;
  weighOther(other: number): void;
  evaluate(slope: number): number;
}

/** What the kernel calls the sources of a prior. */
const SOURCES = { uniform: 0, given: 1, model: 2 } as const satisfies Record<RowPriors['source'], number>;

/** Which chains count in each evaluation of each term, and their shares: lists end to end, with where each begins. */
interface ShareLists {
  /** terms x evaluations + 1. */
  readonly starts: Uint32Array;
  readonly chains: Uint32Array;
  readonly shares: Float64Array;
}

function listShares(terms: TermGroup['terms']): ShareLists {
  const starts = new Uint32Array(terms.length * EVALUATIONS + 1);
  const most = terms.reduce((sum, { shares }) => sum + shares.length, 0);
  const lists = { chains: new Uint32Array(most), shares: new Float64Array(most) };
  let entries = 0;
  for (const [t, { term, shares }] of terms.entries()) {
    const chains = term.means.length;
    for (let b = 0; b < EVALUATIONS; b++) {
      for (let c = 0; c < chains; c++) {
        const share = shares[b * chains + c]!;
        // What the estimate leaves out as well has a mean that may be infinite, which no evaluation must miss.
        if (share === 0 && shares[c] !== 0) continue;
        lists.chains[entries] = c;
        lists.shares[entries++] = share;
      }
      starts[t * EVALUATIONS + b + 1] = entries;
    }
  }
  return { starts, chains: lists.chains.subarray(0, entries), shares: lists.shares.subarray(0, entries) };
}

/**
 * Prepares the terms of an estimator for evaluation by `kernels/evaluator/evaluator.ts`.
 *
 * @throws RangeError from the evaluator, naming the combination, when an estimate is not a number
 */
export function createEvaluator(request: EvaluationRequest): Evaluator {
  const { terms, streams, candidates, ranked = candidates, slope, considered, sets: weighed, priors = UNIFORM } = request;
  const prior = weighed || priors.source === 'model' ? priorTerm(terms) : undefined;
  const groups = groupTerms(terms, streams, prior);
  const sets = weighed?.count ?? 0;
  const datasets = weighed ? datasetsOf(terms).length : 0;
  const mostEntries = weighed?.mostEntries ?? 0;
  const continuous = weighed?.continuous ?? { sets: 0, entries: 0 };
  // Where there is nothing to rank, halves of the chains are judged by the numbers.
  const halves = ranked === 1 && continuous.sets > 0 ? 2 * HALF_SPLITS : 0;
  const prepared = groups.flatMap((group) => group.terms);
  const chains = prepared.flatMap(({ term }) => term.means);
  const counted = listShares(prepared);
  const kernel = instantiateKernel<EvaluatorKernel>('evaluator');
  setNumbers(kernel, {
    candidates,
    ranked,
    evaluations: EVALUATIONS,
    resamples: RESAMPLES,
    groups: groups.length,
    terms: prepared.length,
    chains: chains.length,
    mostChains: prepared.reduce((largest, { term }) => Math.max(largest, term.means.length), 0),
    shareCount: counted.shares.length,
    safeLeast: SAFE_PRODUCT.least,
    safeMost: SAFE_PRODUCT.most,
    priorGroup: groups.findIndex((group) => prior !== undefined && group.terms[0]!.term === prior),
    priorSource: SOURCES[priors.source],
    sets,
    entries: mostEntries,
    weighsHalves: halves > 0 ? 1 : 0,
    cellSets: continuous.sets,
    cellEntries: continuous.entries,
    others: WITHOUT_DATASETS - HALF_LENGTH + datasets,
    intervalTail: INTERVAL_TAIL,
    tieRounding: TIES.rounding,
    tieErrors: TIES.errors,
    tieMost: TIES.most,
    tieResamples: TIE_RESAMPLES,
  });
  kernel.prepare();
  const { buffer } = kernel.memory;
  const numbers = (at: KernelGlobal, length: number) => new Float64Array(buffer, at.value, length);
  const wholes = (at: KernelGlobal, length: number) => new Uint32Array(buffer, at.value, length);
  numbers(kernel.coefficients, groups.length).set(groups.map(({ coefficient }) => coefficient));
  numbers(kernel.stretches, groups.length).set(groups.map(({ stretch }) => stretch));
  wholes(kernel.geometric, groups.length).set(groups.map(({ pool }) => (pool === 'geometric' ? 1 : 0)));
  wholes(kernel.groupSizes, groups.length).set(groups.map((group) => group.terms.length));
  wholes(kernel.chainCounts, prepared.length).set(prepared.map(({ term }) => term.means.length));
  wholes(kernel.shareStarts, counted.starts.length).set(counted.starts);
  wholes(kernel.shareChains, counted.chains.length).set(counted.chains);
  numbers(kernel.shares, counted.shares.length).set(counted.shares);
  const stride = kernel.stride.value;
  const means = numbers(kernel.means, chains.length * stride);
  // What pads a row must be an ordinary number.
  means.fill(1);
  const estimates = numbers(kernel.estimates, candidates);
  const evaluations = {
    ranks: numbers(kernel.ranks, EVALUATIONS),
    probabilities: numbers(kernel.probabilities, EVALUATIONS),
    informationBits: numbers(kernel.informationBits, EVALUATIONS),
    logBayesFactors: numbers(kernel.logBayesFactors, EVALUATIONS),
    losses: numbers(kernel.losses, EVALUATIONS),
    figures: numbers(kernel.figures, (WITHOUT_DATASETS + datasets) * sets * VALUE_FIGURES.length),
    halfFigures: numbers(kernel.figures, (WITHOUT_DATASETS + datasets + halves) * sets * VALUE_FIGURES.length).subarray(
      (WITHOUT_DATASETS + datasets) * sets * VALUE_FIGURES.length,
    ),
    guesses: wholes(kernel.guesses, 2 * sets),
  };
  const givenPrior = numbers(kernel.givenPrior, candidates);
  const priorEstimates = numbers(kernel.priorEstimates, candidates);
  const otherEstimates = numbers(kernel.otherEstimates, candidates);
  const setEntries = wholes(kernel.setEntries, sets);
  const setValues = wholes(kernel.setValues, sets);
  const entryCandidates = wholes(kernel.entryCandidates, mostEntries);
  const entryValues = wholes(kernel.entryValues, mostEntries);
  const everyCandidate = Uint32Array.from({ length: candidates }, (_, x) => x);
  const cells = numbers(kernel.cells, continuous.entries * CELL_NUMBERS);
  const precisions = numbers(kernel.precisions, continuous.sets);
  const truthEntries = new Int32Array(buffer, kernel.truthEntries.value, continuous.sets);
  const setSets = (valueSets: readonly ValueSet[]) => {
    let entry = 0;
    let cell = 0;
    for (const [s, { candidates: members, values, codes, scale }] of valueSets.entries()) {
      setEntries[s] = members.length;
      setValues[s] = codes.length;
      entryCandidates.set(members, entry);
      entryValues.set(values, entry);
      entry += members.length;
      if (scale === undefined) continue;
      const own = s - (sets - continuous.sets);
      cells.set(scale.cells, cell);
      precisions[own] = scale.logPrecision;
      truthEntries[own] = scale.truthEntry ?? -1;
      cell += scale.cells.length;
    }
  };
  return (combination) => {
    const from = combination * candidates;
    const candidateNumbers = considered?.[combination];
    const count = candidateNumbers?.length ?? candidates;
    for (let c = 0; c < chains.length; c++) {
      const row = chains[c]!.subarray(from, from + candidates);
      if (candidateNumbers === undefined) {
        means.set(row, c * stride);
        continue;
      }
      for (let x = 0; x < count; x++) means[c * stride + x] = row[candidateNumbers[x]!]!;
      means.fill(1, c * stride + count, (c + 1) * stride);
    }
    // Those that are considered are in ascending order.
    const places = candidateNumbers?.findIndex((x) => x >= ranked) ?? ranked;
    const first = places < 0 ? count : places;
    kernel.candidates.value = count;
    kernel.ranked.value = first;
    if (priors.source === 'given') givenPrior.set(priors.of(combination));
    if (weighed) {
      // Of a set without candidates nothing is written.
      evaluations.figures.fill(0);
      evaluations.halfFigures.fill(0);
      evaluations.guesses.fill(0);
      setSets(weighed.of(combination));
    }
    if (!kernel.evaluate(slope)) throw new NoEstimate(combination);
    const numbersOf = candidateNumbers ?? everyCandidate;
    const half = halfLengthEstimates(terms, combination, candidates, numbersOf, slope);
    const source = { uniform: null, given: givenPrior, model: priorEstimates }[priors.source];
    const logPrior = source?.subarray(0, first) ?? null;
    const withoutDatasets: TruthFigures[] = [];
    if (weighed) {
      otherEstimates.set(half ?? estimates.subarray(0, count));
      kernel.weighOther(0);
      const before = priorEstimates.subarray(0, count);
      const parts = datasets === 0 ? [] : datasetContributions(groups, combination, candidates, before, numbersOf);
      for (const [l, part] of parts.entries()) {
        for (let x = 0; x < count; x++) otherEstimates[x] = estimates[x]! - slope * part[x]!;
        kernel.weighOther(WITHOUT_DATASETS - HALF_LENGTH + l);
        withoutDatasets.push(truthOf(otherEstimates.subarray(0, first), logPrior));
      }
    }
    return {
      ...evaluations,
      withoutDatasets,
      halfLength: half && truthOf(half.subarray(0, first), logPrior),
      estimates: estimates.subarray(0, first),
      logPrior,
      allEstimates: estimates.subarray(0, count),
      allPriors: priorEstimates.subarray(0, count),
    };
  };
}
