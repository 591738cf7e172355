import type { Estimator } from '../../contracts/config/config.ts';
import { logSumExp } from '../../numeric/log-sum-exp.ts';
import { exp } from '../../numeric/portable-math.ts';
import type { ExpectationTerm } from './expectation.ts';

/**
 * Estimators of log P(Z | D_i^x) up to a constant over x, each a sum of {@link ExpectationTerm}s over one
 * batch of combinations. Why these formulas, and how they were checked, is in docs/explanation/estimators.md.
 */

/** What each estimator measures, in words for a reader of the report. */
export const ESTIMATOR_MEANING: Record<Estimator, string> = {
  augmented: 'what an intruder who knows every other record learns about a record from the released datasets',
  parameters:
    'what an intruder who knows every other record would learn if the parameters that generated the datasets were published: on average over records an upper bound on what the release reveals',
  importance: 'the published importance-sampling estimate of what the release reveals; it is only as good as its effective number of draws',
  exact:
    'what an intruder who knows every other record learns about a record from the released datasets, in closed form and without simulation',
  'fixed-structure':
    'what an intruder who knows every other record learns about a record from the released datasets, with the divisions of the trees held as they are: without simulation, and less than the release reveals, since other values would have divided records otherwise',
};

/** One term of an estimator: a coefficient times the expectation of log r_x over some chains, whatever is known of them. */
export interface ChainTerm<Chains> {
  readonly coefficient: number;
  readonly pool: ExpectationTerm['pool'];
  readonly chains: Chains;
}

/** The two sides of the paired chains of one dataset. */
export interface PairedChains<Chains> {
  /** On the table stacked with the dataset. */
  readonly stacked: Chains;
  /** On the table alone. */
  readonly table: Chains;
  /**
   * True when chain c of both sides are one chain (datasets made elsewhere), so that they are compared and
   * resampled together; false when all start from the draw that generated the dataset.
   */
  readonly chainByChain: boolean;
}

const poolOf = (chainByChain: boolean): ExpectationTerm['pool'] => (chainByChain ? 'geometric' : 'arithmetic');

/**
 * `augmented`: for each dataset l with generating mode g, the paired term
 * log E[r | D, Z(l), mode g] - log E[r | D, mode g]. Nothing compares modes with each other, since chains do not choose
 * theirs by a single record (docs/explanation/estimators.md, why no term compares modes). The base chains come last, and count 0 times:
 * they say what the intruder believes before the release.
 */
export function augmentedTerms<Chains>(base: Chains, paired: readonly PairedChains<Chains>[]): ChainTerm<Chains>[] {
  return [
    ...paired.flatMap(({ stacked, table, chainByChain }): ChainTerm<Chains>[] => [
      { coefficient: 1, pool: poolOf(chainByChain), chains: stacked },
      { coefficient: -1, pool: poolOf(chainByChain), chains: table },
    ]),
    { coefficient: 0, pool: 'arithmetic', chains: base },
  ];
}

/**
 * `parameters`: as {@link augmentedTerms}, with r_x at the generating draw of each dataset in place of its
 * expectation given the dataset.
 *
 * @param generating the generating draw of each dataset, as a chain of one draw
 */
export function parametersTerms<Chains>(base: Chains, generating: readonly Chains[], tables: readonly Chains[]): ChainTerm<Chains>[] {
  return augmentedTerms(
    base,
    generating.map((stacked, l) => ({ stacked, table: tables[l]!, chainByChain: false })),
  );
}

/**
 * For an intruder who has the records D_A alone, of densities in the place of ratios: log E[f(x) | D_A, Z(l)] - log E[f(x) |
 * D_A] for each dataset l, and of these the mean over datasets. It counts once what they tell alike of the records outside
 * D_A that they share, and is an approximation for more than one (docs/explanation/estimators.md, intruders who know less).
 */
export function separateTerms<Chains>(alone: Chains, stacked: readonly Chains[]): ChainTerm<Chains>[] {
  return [
    ...stacked.map((chains): ChainTerm<Chains> => ({ coefficient: 1 / stacked.length, pool: 'arithmetic', chains })),
    { coefficient: -1, pool: 'arithmetic', chains: alone },
  ];
}

/** The draws of a set of chains, already scored. */
export interface ScoredChains {
  /** Name under which the chains are resampled. */
  readonly name: string;
  /** The dataset (from 1) of which they tell; of none if left out. */
  readonly dataset?: number | undefined;
  readonly drawsPerChain: number;
  /** See {@link ExpectationTerm.halfLength}. */
  readonly halfLength?: Float64Array;
  /** For each chain, the mean of r_x. */
  readonly means: readonly Float64Array[];
  /** Mean of r_x squared over all draws of all chains; absent when r_x is exact. */
  readonly meanSquares?: Float64Array;
  /** Of each row, the Pareto k of 1 / f(x_i | Theta) over the draws; NaN where there is none. */
  readonly paretoK?: Float64Array;
  /** Of base chains: for each, the logarithm of the mean of 1 / f(x_i | Theta), an entry a row. */
  readonly logInverses?: readonly Float64Array[];
}

/** A single draw that is given: r_x at it is exact, and has no error that its square would tell. */
export function exactChain(name: string, ratios: Float64Array, dataset?: number): ScoredChains {
  return { name, dataset, drawsPerChain: 1, means: [ratios] };
}

/** A term whose chains are scored, for a batch of combinations. */
export function expectationTerm({ coefficient, pool, chains }: ChainTerm<ScoredChains>): ExpectationTerm {
  const { name, dataset, means, meanSquares, drawsPerChain, paretoK, halfLength } = chains;
  return {
    coefficient,
    chains: name,
    dataset,
    means,
    ...(meanSquares ? { meanSquares } : {}),
    draws: drawsPerChain * means.length,
    pool,
    ...(paretoK ? { paretoK } : {}),
    ...(halfLength ? { halfLength } : {}),
  };
}

/**
 * `importance` (Hu et al. 2014, eq. 12-15): P(Z(l) | D_i^x) is the sum over base draws of p_j q_j, with p_j the
 * likelihood of Z(l) under draw j and q_j = r_x(j) / sum over draws of r_x.
 *
 * @param weighted for each dataset and chain, the mean of r_x under weights p_j
 * @param logMasses for each dataset, the log of the sum of p_j within each chain
 */
export function importanceTerms(
  base: ScoredChains,
  weighted: readonly (readonly Float64Array[])[],
  logMasses: readonly Float64Array[],
): ExpectationTerm[] {
  return [
    ...weighted.map(
      (means, l): ExpectationTerm => ({
        coefficient: 1,
        chains: base.name,
        dataset: l + 1,
        means,
        draws: base.drawsPerChain * base.means.length,
        pool: 'arithmetic',
        logMasses: logMasses[l]!,
      }),
    ),
    expectationTerm({ coefficient: -weighted.length, pool: 'arithmetic', chains: base }),
  ];
}

/** Effective number of draws of importance weights given in logs: (sum of p)^2 / sum of p^2. */
export function effectiveWeights(logWeights: Float64Array): number {
  return exp(2 * logSumExp(logWeights) - logSumExp(logWeights.map((value) => 2 * value)));
}
