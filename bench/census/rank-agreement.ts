import { quantile } from '../../shared/numeric/quantile.ts';
import { rankCorrelation } from '../../shared/numeric/rank-correlation.ts';
import type { TruthRanks } from './one-chain.ts';

/** What other evaluations say of the truths that one evaluation gives a certain rank. */
export interface Standing {
  /** Combinations of that rank, mean over evaluations. */
  readonly combinations: number;
  /** Share of them that another evaluation ranks among the first; null where there are none. */
  readonly confirmed: number | null;
  /** Their median rank there. */
  readonly median: number | null;
}

/**
 * How evaluations stand by each other's ranks: truths that one of them ranks `rank` (a tie at its upper place), and where
 * the others put them, over all ordered pairs of evaluations.
 *
 * @param top ranks up to which a truth is among the first
 * @param others evaluations to ask; each other one of the same kind if left out
 */
export function standing(evaluations: readonly TruthRanks[], rank: number, top: number, others?: readonly TruthRanks[]): Standing {
  const found: number[] = [];
  let combinations = 0;
  for (const one of evaluations) {
    const at = [...one.rank.keys()].filter((i) => Math.ceil(one.rank[i]!) === rank);
    combinations += at.length / evaluations.length;
    for (const other of others ?? evaluations.filter((evaluation) => evaluation !== one)) {
      found.push(...at.map((i) => other.rank[i]!));
    }
  }
  if (found.length === 0) return { combinations, confirmed: null, median: null };
  return {
    combinations,
    confirmed: found.filter((place) => place <= top).length / found.length,
    median: quantile(Float64Array.from(found).sort(), 0.5),
  };
}

/** Mean over pairs of evaluations of the rank correlation between their ranks of the truth. */
export function agreement(evaluations: readonly TruthRanks[]): number {
  const pairs = evaluations.flatMap((one, e) =>
    evaluations.slice(e + 1).map((other) => rankCorrelation(one.rank, other.rank) ?? Number.NaN),
  );
  return pairs.reduce((sum, value) => sum + value, 0) / pairs.length;
}

/** Combinations whose truth is ranked `top` or better, of each evaluation. */
export function rankedWithin(evaluations: readonly TruthRanks[], top: number): number[] {
  return evaluations.map(({ rank }) => rank.filter((place) => place <= top).length);
}
