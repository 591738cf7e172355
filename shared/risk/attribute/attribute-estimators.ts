import type { Estimator } from '../../contracts/config/config.ts';
import { logSumExp } from '../../numeric/log-sum-exp.ts';
import { exp } from '../../numeric/portable-math.ts';
import type { RatioMeans } from '../scoring/ratio-scorer.ts';
import type { ExpectationTerm } from './expectation.ts';

/**
 * Estimators of log P(Z | D_i^x) up to a constant over x, each a sum of {@link ExpectationTerm}s over one
 * batch of combinations. Why these formulas, and how they were checked, is in docs/estimators.md.
 */

/** What each estimator measures, in words for a reader of the report. */
export const ESTIMATOR_MEANING: Record<Estimator, string> = {
  augmented: 'what an intruder who knows every other record learns about a record from the released datasets',
  parameters:
    'what an intruder who knows every other record would learn if the parameters that generated the datasets were published: on average over records an upper bound on what the release tells',
  importance:
    'the published importance-sampling estimate of what the release tells; it is only as good as its effective number of draws',
};

/** The draws of a set of chains, already scored: one entry a chain. */
export interface ScoredChains {
  /** Name under which the chains are resampled. */
  readonly name: string;
  readonly drawsPerChain: number;
  readonly chains: readonly RatioMeans[];
}

/** The two sides of the paired chains of one dataset. */
export interface PairedChains {
  /** On the table stacked with the dataset. */
  readonly stacked: ScoredChains;
  /** On the table alone. */
  readonly table: ScoredChains;
  /**
   * True when chain c of both sides are one chain (datasets made elsewhere), so that they are compared and
   * resampled together; false when all start from the draw that generated the dataset.
   */
  readonly chainByChain: boolean;
}

function term(
  scored: ScoredChains,
  coefficient: number,
  pool: 'arithmetic' | 'geometric' = 'arithmetic',
): ExpectationTerm {
  const length = scored.chains[0]!.mean.length;
  const meanSquares = new Float64Array(length);
  for (const { meanSquare } of scored.chains) {
    for (let i = 0; i < length; i++) meanSquares[i]! += meanSquare[i]! / scored.chains.length;
  }
  return {
    coefficient,
    chains: scored.name,
    means: scored.chains.map((chain) => chain.mean),
    meanSquares,
    draws: scored.drawsPerChain * scored.chains.length,
    pool,
  };
}

/** The table-alone side of the paired terms and the one mode term, common to `augmented` and `parameters`. */
function tableTerms(base: ScoredChains, tables: readonly { scored: ScoredChains; chainByChain: boolean }[]) {
  const m = tables.length;
  return [
    ...tables.map(({ scored, chainByChain }) =>
      term(scored, 1 / m - 1, chainByChain ? 'geometric' : 'arithmetic'),
    ),
    term(base, -1),
  ];
}

/**
 * `augmented`: for each dataset l with generating mode g, the paired term
 * log E[r | D, Z(l), mode g] - log E[r | D, mode g], and one mode term for the whole release, the mean over
 * datasets of log E[r | D, mode g] - log E[r | D]. Collected: the stacked sides count 1, the table sides
 * 1/m - 1, the base chains -1. (With m = 1 the table side cancels.)
 */
export function augmentedTerms(base: ScoredChains, paired: readonly PairedChains[]): ExpectationTerm[] {
  return [
    ...paired.map(({ stacked, chainByChain }) => term(stacked, 1, chainByChain ? 'geometric' : 'arithmetic')),
    ...tableTerms(
      base,
      paired.map(({ table, chainByChain }) => ({ scored: table, chainByChain })),
    ),
  ].filter(({ coefficient }) => coefficient !== 0);
}

/**
 * `parameters`: as {@link augmentedTerms}, with r_x at the generating draw of each dataset in place of its
 * expectation given the dataset.
 *
 * @param generating r_x at each generating draw: combinations x candidates
 */
export function parametersTerms(
  base: ScoredChains,
  generating: readonly Float64Array[],
  tables: readonly ScoredChains[],
): ExpectationTerm[] {
  return [
    ...generating.map(
      (ratios, l): ExpectationTerm => ({
        coefficient: 1,
        chains: `generating/${l + 1}`,
        means: [ratios],
        draws: 1,
        pool: 'arithmetic',
      }),
    ),
    ...tableTerms(
      base,
      tables.map((scored) => ({ scored, chainByChain: false })),
    ),
  ].filter(({ coefficient }) => coefficient !== 0);
}

/**
 * `importance` (000 eq. 12-15): P(Z(l) | D_i^x) is the sum over base draws of p_j q_j, with p_j the
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
        means,
        draws: base.drawsPerChain * base.chains.length,
        pool: 'arithmetic',
        logMasses: logMasses[l]!,
      }),
    ),
    term(base, -weighted.length),
  ];
}

/** Effective number of draws of importance weights given in logs: (sum of p)^2 / sum of p^2. */
export function effectiveWeights(logWeights: Float64Array): number {
  return exp(2 * logSumExp(logWeights) - logSumExp(logWeights.map((value) => 2 * value)));
}
