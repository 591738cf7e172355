import { exp, log } from '../numeric/portable-math.ts';
import { chainCounts, EVALUATIONS, RESAMPLES } from './chain-evaluations.ts';

/**
 * One term of an estimator of log P(Z | D_i^x): a coefficient times log E[r_x | ...], the expectation of the
 * likelihood ratio over draws of some chains.
 */
export interface ExpectationTerm {
  readonly coefficient: number;
  /** Name of the chains; terms with the same name are resampled together, because they share their chains. */
  readonly chains: string;
  /** For each chain, the mean of r_x over its draws: combinations x candidates. */
  readonly means: readonly Float64Array[];
  /** Mean of r_x squared over all draws of all chains, combinations x candidates; absent when r_x is exact. */
  readonly meanSquares?: Float64Array;
  /** Draws of all chains together. */
  readonly draws: number;
  /**
   * `arithmetic`: the mean over chains inside the logarithm. `geometric`: outside it, for chains each in a
   * mode of its own that are compared one by one (docs/estimators.md, datasets made elsewhere).
   */
  readonly pool: 'arithmetic' | 'geometric';
  /** Logarithm of each chain's share of the expectation, up to a constant; absent: equal shares. */
  readonly logMasses?: Float64Array;
}

/** An {@link ExpectationTerm} with each chain's share in every evaluation: EVALUATIONS x chains. */
interface PreparedTerm {
  readonly term: ExpectationTerm;
  readonly shares: Float64Array;
  /** Stretches a resample's deviation by sqrt(K / (K - 1)), since K chains resampled vary too little. */
  readonly stretch: number;
}

function prepareTerm(term: ExpectationTerm, seed: number): PreparedTerm {
  const chains = term.means.length;
  const shares = chainCounts(seed, term.chains, chains);
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
  return { term, shares, stretch: chains > 1 ? Math.sqrt(chains / (chains - 1)) : 1 };
}

/**
 * Prepares terms for evaluation and returns a function of a combination's index that gives
 * log P(Z | D_i^x) up to a constant: EVALUATIONS x candidates, valid until the next call.
 * Row 0 is the estimate, the others its resamples and halves; see {@link chainCounts}.
 *
 * @param evaluations how many rows to give: 1 for the estimate alone
 */
export function evaluateTerms(
  terms: readonly ExpectationTerm[],
  seed: number,
  candidates: number,
  evaluations = EVALUATIONS,
): (combination: number) => Float64Array {
  const prepared = terms.map((term) => prepareTerm(term, seed));
  const result = new Float64Array(evaluations * candidates);
  const expectation = new Float64Array(candidates);
  const own = new Float64Array(candidates);
  return (combination) => {
    result.fill(0);
    const from = combination * candidates;
    for (const { term, shares, stretch } of prepared) {
      const chains = term.means.length;
      const geometric = term.pool === 'geometric';
      const values = term.means.map((means) => {
        const row = means.subarray(from, from + candidates);
        return geometric ? row.map(log) : row;
      });
      for (let b = 0; b < evaluations; b++) {
        expectation.fill(0);
        for (let c = 0; c < chains; c++) {
          const share = shares[b * chains + c]!;
          if (share === 0) continue;
          const chainValues = values[c]!;
          for (let x = 0; x < candidates; x++) expectation[x]! += share * chainValues[x]!;
        }
        const isResample = b > 0 && b <= RESAMPLES;
        for (let x = 0; x < candidates; x++) {
          let value = geometric ? expectation[x]! : log(expectation[x]!);
          if (b === 0) own[x] = value;
          if (isResample) value = own[x]! + stretch * (value - own[x]!);
          result[b * candidates + x]! += term.coefficient * value;
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
 * @param posterior probability of each candidate, the truth (whose r is 1) first
 */
export function effectiveDraws(
  terms: readonly ExpectationTerm[],
  combination: number,
  posterior: Float64Array,
): number {
  const candidates = posterior.length;
  let smallest = Infinity;
  for (const { means, meanSquares, draws } of terms) {
    if (!meanSquares) continue;
    for (let x = 0; x < candidates; x++) {
      if (x > 0 && posterior[x]! * candidates < 1) continue;
      const at = combination * candidates + x;
      let mean = 0;
      for (const chain of means) mean += chain[at]! / means.length;
      smallest = Math.min(smallest, (draws * mean * mean) / meanSquares[at]!);
    }
  }
  return smallest;
}
