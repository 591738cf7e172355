import { logBetaPair } from '../../random/distributions.ts';
import type { RandomSource } from '../../random/random-source.ts';
import type { LogSticks } from './label-moves.ts';

/**
 * Sticks given the number of members of each class: V_f ~ Beta(1 + n_f, alpha + N_(f+1)) for all classes but the last,
 * whose V is 1 (Ishwaran & James 2001; docs/explanation/estimators.md).
 */
export function drawSticks(classCounts: Float64Array, alpha: number, random: RandomSource): LogSticks {
  const classes = classCounts.length;
  const logSticks = new Float64Array(classes);
  const logRests = new Float64Array(classes);
  const logWeights = new Float64Array(classes);
  let after = classCounts.reduce((sum, count) => sum + count, 0);
  let logRest = 0;
  for (let f = 0; f < classes - 1; f++) {
    after -= classCounts[f]!;
    const [logStick, logOneMinus] = logBetaPair(random, 1 + classCounts[f]!, alpha + after);
    logSticks[f] = logStick;
    logRests[f] = logOneMinus;
    logWeights[f] = logRest + logStick;
    logRest += logOneMinus;
  }
  logWeights[classes - 1] = logRest;
  return { logSticks, logRests, logWeights };
}
