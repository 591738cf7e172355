import { log } from '../../numeric/portable-math.ts';
import { categoryOffsets } from '../../table/category-sizes.ts';
import type { CandidateSpace } from '../intruder/candidate-space.ts';
import type { RatioScorer } from './ratio-scorer.ts';

/**
 * A scorer for models whose classes are the patterns of the kept variables, as those of DP-areal: a record's pattern is its
 * class, so that f(x) / f(x_i) is phi(x) / phi(x_i) there. f2(x, z) / f2(x_i, z) is the same, since z cancels. It takes
 * no time for the other patterns, which `createRatioScorer` would multiply by zeros.
 *
 * @param space candidates are the values of the one variable that is not kept
 * @param codes rows x variables
 * @param patternOfRow class of each row
 */
export function createPatternScorer(space: CandidateSpace, codes: Uint16Array, patternOfRow: Uint32Array): RatioScorer {
  const { sizes, unknown, perCombination: candidates } = space;
  const [variable] = unknown;
  if (space.kind !== 'unknown' || variable === undefined || unknown.length > 1) {
    throw new RangeError('patterns leave one variable unknown');
  }
  const from = categoryOffsets(sizes)[variable]!;
  return (weights, probabilities, ratios, logWeights, allocation) => {
    if (allocation) throw new RangeError('phi of patterns is not integrated out');
    const classes = weights.length;
    for (const [row, pattern] of patternOfRow.entries()) {
      const phi = (code: number) => probabilities[(from + code) * classes + pattern]!;
      const ownCode = codes[row * sizes.length + variable]!;
      const truth = phi(ownCode);
      // Without the weight of the pattern, which is the same in every draw.
      if (logWeights) logWeights[row] = -log(truth);
      let at = row * candidates;
      ratios[at++] = 1;
      for (let code = 0; code < candidates; code++) if (code !== ownCode) ratios[at++] = phi(code) / truth;
    }
  };
}
