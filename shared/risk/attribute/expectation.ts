import { exp, log } from '../../numeric/portable-math.ts';
import type { Streams } from '../../random/streams.ts';
import { BASE_CHAINS, chainCounts, EVALUATIONS, RESAMPLES } from './chain-evaluations.ts';

/**
 * One term of an estimator of log P(Z | D_i^x): a coefficient times log E[r_x | ...], the expectation of the
 * likelihood ratio over draws of some chains.
 */
export interface ExpectationTerm {
  /** 0 for the base chains where they are no part of the likelihood, and say the intruder's prior alone. */
  readonly coefficient: number;
  /**
   * The coefficient in what the term's dataset adds by itself, where that is another: an exact likelihood of all datasets is
   * one term, so that equal candidates tie whatever rounding makes of its factors.
   */
  readonly ownCoefficient?: number;
  /** Name of the chains; terms with the same name are resampled together, because they share their chains. */
  readonly chains: string;
  /** For each chain, the mean of r_x over its draws: combinations x candidates. */
  readonly means: readonly Float64Array[];
  /**
   * Logarithm of the expectation over the first halves of the chains, combinations x candidates; absent where chains are
   * no paired ones, or have too few draws.
   */
  readonly halfLength?: Float64Array;
  /** Mean of r_x squared over all draws of all chains, combinations x candidates; absent when r_x is exact. */
  readonly meanSquares?: Float64Array;
  /** Draws of all chains together. */
  readonly draws: number;
  /** Of each combination, the Pareto k of 1 / f(x_i | Theta) over the draws, NaN where there is none; absent when r_x is exact. */
  readonly paretoK?: Float64Array;
  /**
   * `arithmetic`: the mean over chains inside the logarithm. `geometric`: outside it, for chains each in a
   * mode of its own that are compared one by one (docs/explanation/estimators.md, datasets made elsewhere).
   */
  readonly pool: 'arithmetic' | 'geometric';
  /** Logarithm of each chain's share of the expectation, up to a constant; absent: equal shares. */
  readonly logMasses?: Float64Array;
  /** The dataset (from 1) of which the term tells, if it tells of one. */
  readonly dataset?: number | undefined;
}

/**
 * The term whose expectation is, up to a constant over x, the probability p(x | D_-i) that the model gives a candidate
 * before the release: that of r_x over the base chains (docs/explanation/estimators.md, records that are really there).
 *
 * @throws RangeError when there is not just one
 */
export function priorTerm(terms: readonly ExpectationTerm[]): ExpectationTerm {
  const ofBase = terms.filter(({ chains, logMasses }) => chains === BASE_CHAINS && logMasses === undefined);
  if (ofBase.length !== 1) throw new RangeError('an estimator has one term of the base chains');
  return ofBase[0]!;
}

/** An {@link ExpectationTerm} with each chain's share in every evaluation: EVALUATIONS x chains. */
interface PreparedTerm {
  readonly term: ExpectationTerm;
  readonly shares: Float64Array;
}

/** Terms that count alike, so that the logarithm of the product of their expectations is taken once. */
export interface TermGroup {
  readonly coefficient: number;
  readonly pool: ExpectationTerm['pool'];
  /** Stretches a resample's deviation by sqrt(K / (K - 1)), since K chains resampled vary too little. */
  readonly stretch: number;
  readonly terms: readonly PreparedTerm[];
}

/**
 * The two halves of a split lie on either side of the estimate from all chains, each as far from it as independent
 * evaluations with all chains lie from the truth. Brought nearer by the root of two, they differ as two such evaluations do
 * (docs/explanation/estimators.md, reproducibility).
 */
const HALF_SHRINK = Math.SQRT1_2;

/** Products of more expectations would often leave {@link SAFE_PRODUCT}. */
const LARGEST_GROUP = 8;

/**
 * Between these a product is as accurate as its factors. An evaluation in which the product over the terms of a
 * group so far leaves them, at any candidate, adds up logarithms instead.
 */
export const SAFE_PRODUCT = { least: 1e-300, most: 1e300 } as const;

function chainShares(term: ExpectationTerm, streams: Streams): Float64Array {
  const chains = term.means.length;
  const shares = chainCounts(streams, term.chains, chains);
  for (let b = 0; b < EVALUATIONS; b++) {
    const row = shares.subarray(b * chains, (b + 1) * chains);
    if (term.logMasses) {
      let largest = -Infinity;
      for (let c = 0; c < chains; c++) {
        if (row[c]! > 0) largest = Math.max(largest, term.logMasses[c]!);
      }
      for (let c = 0; c < chains; c++) {
        row[c] = row[c]! > 0 ? row[c]! * exp(term.logMasses[c]! - largest) : 0;
      }
    }
    const total = row.reduce((sum, share) => sum + share, 0);
    for (let c = 0; c < chains; c++) row[c]! /= total;
  }
  return shares;
}

/**
 * Puts terms together that count alike, at most {@link LARGEST_GROUP} in a group, in the order of the terms.
 *
 * @param alone a term that is to have a group of its own
 */
export function groupTerms(terms: readonly ExpectationTerm[], streams: Streams, alone?: ExpectationTerm): TermGroup[] {
  const groups: (TermGroup & { readonly terms: PreparedTerm[] })[] = [];
  for (const term of terms) {
    const chains = term.means.length;
    const { coefficient, pool } = term;
    const stretch = chains > 1 ? Math.sqrt(chains / (chains - 1)) : 1;
    let group = groups.find(
      (other) =>
        term !== alone &&
        other.terms[0]!.term !== alone &&
        other.coefficient === coefficient &&
        other.pool === pool &&
        other.stretch === stretch &&
        other.terms.length < LARGEST_GROUP,
    );
    if (group === undefined) {
      group = { coefficient, pool, stretch, terms: [] };
      groups.push(group);
    }
    group.terms.push({ term, shares: chainShares(term, streams) });
  }
  return groups;
}

/**
 * What each dataset adds to log P(Z | D_i^x), for a combination: its own terms, each against the expectation of the
 * {@link priorTerm}, so that leaving a dataset out gives the base chains back what it took of them.
 *
 * @param groups the terms, prepared
 * @param prior logarithm of the prior's expectation for each position
 * @param numbers candidate at each position
 * @returns datasets x positions; none where terms tell of fewer than two datasets, which leaves nothing to compare
 */
export function datasetContributions(
  groups: readonly TermGroup[],
  combination: number,
  candidates: number,
  prior: Float64Array,
  numbers: ArrayLike<number>,
): Float64Array[] {
  const ofDatasets = groups.flatMap(({ coefficient, pool, terms }) =>
    terms.map((prepared) => ({ coefficient: prepared.term.ownCoefficient ?? coefficient, pool, ...prepared })),
  );
  const datasets = datasetsOf(ofDatasets.map(({ term }) => term));
  return datasets.map((dataset) => {
    const sums = new Float64Array(prior.length);
    for (const { coefficient, pool, term, shares } of ofDatasets) {
      if (term.dataset !== dataset) continue;
      for (let x = 0; x < sums.length; x++) {
        const at = combination * candidates + numbers[x]!;
        let value = 0;
        for (let c = 0; c < term.means.length; c++) {
          const mean = term.means[c]![at]!;
          value += shares[c]! * (pool === 'geometric' ? log(mean) : mean);
        }
        sums[x]! += coefficient * ((pool === 'geometric' ? value : log(value)) - prior[x]!);
      }
    }
    return sums;
  });
}

/**
 * log P(Z | D_i^x) of a combination up to a constant, from paired chains of half their length, to the power `slope`.
 *
 * @param numbers candidate at each position
 * @returns null where no term has chains of half length
 */
export function halfLengthEstimates(
  terms: readonly ExpectationTerm[],
  combination: number,
  candidates: number,
  numbers: ArrayLike<number>,
  slope: number,
): Float64Array | null {
  const counted = terms.filter(({ coefficient }) => coefficient !== 0);
  if (!counted.some(({ halfLength }) => halfLength)) return null;
  return Float64Array.from(numbers, (x) => {
    const at = combination * candidates + x;
    let sum = 0;
    for (const { coefficient, halfLength, means, pool } of counted) {
      sum += coefficient * (halfLength ? halfLength[at]! : logExpectation(means, at, pool));
    }
    return slope * sum;
  });
}

/** Logarithm of the expectation at one place, all chains counting alike. */
export function logExpectation(means: readonly Float64Array[], at: number, pool: ExpectationTerm['pool']): number {
  let sum = 0;
  for (const mean of means) sum += pool === 'geometric' ? log(mean[at]!) : mean[at]!;
  return pool === 'geometric' ? sum / means.length : log(sum / means.length);
}

/** The datasets that terms tell of, in order; none where they are fewer than two. */
export function datasetsOf(terms: readonly Pick<ExpectationTerm, 'dataset'>[]): number[] {
  const datasets = [...new Set(terms.flatMap(({ dataset }) => dataset ?? []))].sort((a, b) => a - b);
  return datasets.length < 2 ? [] : datasets;
}

/** Adds up the chains of a term, each with its share in one evaluation. */
function addChains(values: readonly Float64Array[], shares: Float64Array, evaluation: number, sums: Float64Array): void {
  sums.fill(0);
  for (const [c, chainValues] of values.entries()) {
    const share = shares[evaluation * values.length + c]!;
    for (let x = 0; x < sums.length; x++) sums[x]! += share * chainValues[x]!;
  }
}

/**
 * Prepares terms for evaluation and returns a function of a combination's index that gives
 * log P(Z | D_i^x) up to a constant: EVALUATIONS x candidates, valid until the next call.
 * Row 0 is the estimate, the others its resamples and halves; see {@link chainCounts}.
 *
 * @param evaluations how many rows to give: 1 for the estimate alone
 * @param alone a term that is to have a group of its own
 */
export function evaluateTerms(
  terms: readonly ExpectationTerm[],
  streams: Streams,
  candidates: number,
  evaluations = EVALUATIONS,
  alone?: ExpectationTerm,
): (combination: number) => Float64Array {
  const groups = groupTerms(terms, streams, alone);
  const result = new Float64Array(evaluations * candidates);
  const sums = new Float64Array(candidates);
  const pooled = new Float64Array(candidates);
  const estimates = new Float64Array(candidates);
  return (combination) => {
    result.fill(0);
    const from = combination * candidates;
    for (const { coefficient, pool, stretch, terms: prepared } of groups) {
      const geometric = pool === 'geometric';
      const members = prepared.map(({ term, shares }) => ({
        shares,
        values: term.means.map((means) => {
          const row = means.subarray(from, from + candidates);
          return geometric ? row.map(log) : row;
        }),
      }));
      for (let b = 0; b < evaluations; b++) {
        let safe = true;
        pooled.fill(geometric ? 0 : 1);
        for (const { values, shares } of members) {
          addChains(values, shares, b, sums);
          for (let x = 0; x < candidates; x++) {
            if (geometric) pooled[x]! += sums[x]!;
            else pooled[x]! *= sums[x]!;
            safe &&= geometric || (pooled[x]! >= SAFE_PRODUCT.least && pooled[x]! <= SAFE_PRODUCT.most);
          }
        }
        if (!safe) {
          pooled.fill(0);
          for (const { values, shares } of members) {
            addChains(values, shares, b, sums);
            for (let x = 0; x < candidates; x++) pooled[x]! += log(sums[x]!);
          }
        }
        const factor = b <= RESAMPLES ? stretch : HALF_SHRINK;
        for (let x = 0; x < candidates; x++) {
          let value = geometric || !safe ? pooled[x]! : log(pooled[x]!);
          if (b === 0) estimates[x] = value;
          if (b > 0) value = estimates[x]! + factor * (value - estimates[x]!);
          result[b * candidates + x]! += coefficient * value;
        }
      }
    }
    return result;
  };
}

/**
 * Kish's effective number of draws behind the noisiest expectation that matters to a combination: the
 * smallest, over terms and over candidates that hold at least their uniform share of the posterior, of
 * (sum of r_x)^2 / (sum of r_x^2). Infinity when every r_x is exact. Draws of a chain resemble each other,
 * which this number does not see; the standard errors do.
 *
 * @param posterior probability of each candidate considered, the truth (whose r is 1) first
 * @param candidates of each combination
 * @param considered which of them there are; all if left out
 */
export function effectiveDraws(
  terms: readonly ExpectationTerm[],
  combination: number,
  posterior: Float64Array,
  candidates = posterior.length,
  considered?: Uint32Array,
): number {
  const count = posterior.length;
  let smallest = Infinity;
  for (const { coefficient, means, meanSquares, draws } of terms) {
    if (coefficient === 0 || !meanSquares) continue;
    for (let x = 0; x < count; x++) {
      if (x > 0 && posterior[x]! * count < 1) continue;
      const at = combination * candidates + (considered?.[x] ?? x);
      let mean = 0;
      for (const chain of means) mean += chain[at]! / means.length;
      smallest = Math.min(smallest, (draws * mean * mean) / meanSquares[at]!);
    }
  }
  return smallest;
}

/** The largest Pareto k of a combination over the expectations behind it; NaN where none has one. */
export function largestParetoK(terms: readonly ExpectationTerm[], combination: number): number {
  let largest = -Infinity;
  for (const { paretoK } of terms) {
    const k = paretoK?.[combination] ?? NaN;
    if (k > largest) largest = k;
  }
  return largest === -Infinity ? NaN : largest;
}
