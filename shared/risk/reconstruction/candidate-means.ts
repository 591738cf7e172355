import type { ScoredDraw } from '../../model/chains/chain-draws.ts';
import { personDensities } from '../membership/person-densities.ts';
import { presentAmong } from './present-among.ts';

/** Means over the draws of a chain, and over the first half of them; an entry a candidate. */
export interface MeansOfChain {
  readonly means: Float64Array;
  readonly half: Float64Array;
}

/** What a chain says of candidates. */
export interface CandidateMeans {
  /** f(x | Theta). */
  readonly densities: MeansOfChain;
  /** 1 - (1 - f(x | Theta))^n: the probability that x is among n records. */
  readonly present: MeansOfChain;
}

/**
 * Scores candidates under the draws of chains.
 *
 * @param codes candidates x variables
 * @param records n
 * @returns of the draws of a chain, the first `half` of which are taken by themselves as well; all of them where it is 0
 */
export function candidateScorer(codes: Uint16Array, sizes: readonly number[], records: number) {
  const scorer = personDensities(codes, sizes);
  const candidates = codes.length / sizes.length;
  return (draws: readonly ScoredDraw[], half: number): CandidateMeans => {
    const densitiesOf = scorer.open(draws[0]!.weights.length);
    const [densities, present] = [new Float64Array(candidates), new Float64Array(candidates)];
    let halves = [densities, present];
    for (const [d, draw] of draws.entries()) {
      const own = densitiesOf(draw);
      for (let x = 0; x < candidates; x++) {
        densities[x]! += own[x]!;
        present[x]! += presentAmong(own[x]!, records);
      }
      if (d + 1 === half) halves = [densities.slice(), present.slice()];
    }
    const meansOf = (sums: Float64Array, first: Float64Array): MeansOfChain => ({
      means: sums.map((sum) => sum / draws.length),
      half: first.map((sum) => sum / (half || draws.length)),
    });
    return { densities: meansOf(densities, halves[0]!), present: meansOf(present, halves[1]!) };
  };
}
