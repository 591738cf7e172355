import type { ScoredDraw } from '../../model/chains/chain-draws.ts';
import { exp, log } from '../../numeric/portable-math.ts';
import type { Support } from '../../table/support/support.ts';
import { type LogMeans, logMean } from './membership-terms.ts';
import { personDensities } from './person-densities.ts';
import { logPossibleShares } from './possible-share.ts';

/** Below this a density may have lost digits to underflow, and is formed again in logs. */
const SAFE_DENSITY = 1e-250;

/** People who are not in the table and are drawn from the model, where there is no control of real ones. */
export const SIMULATED_OTHERS = 1000;

/** People who are not in the table. */
export interface OtherPeople {
  readonly people: number;
  /** Logarithms of their mean densities over the draws of a chain, and over the first of them; an entry a person. */
  readonly score: (draws: readonly ScoredDraw[], half: number) => LogMeans;
  /** Where some cells are impossible: logarithms of the probability of all others, an entry a draw. */
  readonly logPossible?: (draws: readonly ScoredDraw[]) => Float64Array;
}

/**
 * Scores people who are not in the table: the logarithm of the mean of f(y | Theta) of what is observed of each, times the number
 * of cells, so that it is on the scale of `density-scorer.ts`. Given the allocation of a draw phi is integrated out, from the
 * records of the table, of which a person who is not there takes nobody away.
 *
 * @param codes people x variables, missing values as the number after the last category
 */
export function otherPeople(codes: Uint16Array, sizes: readonly number[], support?: Support): OtherPeople {
  const people = codes.length / sizes.length;
  const scorer = personDensities(codes, sizes);
  const logCells = sizes.reduce((sum, size) => sum + log(size), 0);
  const logPossible = support && ((draws: readonly ScoredDraw[]) => logPossibleShares(draws, support, sizes));
  const score: OtherPeople['score'] = (draws, half) => {
    const densitiesOf = scorer.open(draws[0]!.weights.length);
    const possible = logPossible?.(draws);
    const sums = new Float64Array(people);
    const halves = new Float64Array(half > 0 ? people : 0);
    const isSafe = new Uint8Array(people).fill(1);
    for (const [draw, scored] of draws.entries()) {
      const factor = possible ? exp(-possible[draw]!) : 1;
      const densities = densitiesOf(scored);
      for (let person = 0; person < people; person++) {
        sums[person]! += densities[person]! * factor;
        if (densities[person]! < SAFE_DENSITY) isSafe[person] = 0;
      }
      if (draw + 1 === half) halves.set(sums);
    }
    const means = sums.map((sum) => logCells + log(sum / draws.length));
    const ofHalf = halves.map((sum) => logCells + log(sum / half));
    // Rare: a density near underflow is formed again in logs.
    for (let person = isSafe.indexOf(0); person >= 0; person = isSafe.indexOf(0, person + 1)) {
      const logs = Float64Array.from(draws, (draw, d) => logCells + scorer.logDensity(draw, person) - (possible?.[d] ?? 0));
      means[person] = logMean(logs);
      if (half > 0) ofHalf[person] = logMean(logs.subarray(0, half));
    }
    return { means, ...(half > 0 ? { half: ofHalf } : {}) };
  };
  return { people, score, ...(logPossible ? { logPossible } : {}) };
}
