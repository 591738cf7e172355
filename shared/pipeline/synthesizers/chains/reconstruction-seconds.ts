import { hasReconstruction } from '../../../contracts/config/config.ts';
import { seededStreams } from '../../../random/streams.ts';
import { candidateScorer } from '../../../risk/reconstruction/candidate-means.ts';
import { candidatesAtMost } from '../../../risk/reconstruction/reconstruction-candidates.ts';
import { categoryOffsets, categorySizes } from '../../../table/category-sizes.ts';
import { chainsNeeded, lesserChains } from '../../rounds/chains-needed.ts';
import type { MeasuredCombinations } from '../run-sizes.ts';

/**
 * Seconds that a run takes to score which records somebody would name who knows nothing, in one thread: of as many candidates as
 * there may be, with the values of the table's combinations, each variable by itself. 0 where nobody asks.
 */
export function reconstructionSeconds(
  { plan, schema, combinations }: MeasuredCombinations,
  secondsPerCall: (call: () => void) => number,
): number {
  const { attributeRisk, mcmc, seed } = plan.config;
  if (!hasReconstruction(attributeRisk) || plan.purpose === 'synthesize') return 0;
  const sizes = categorySizes(schema);
  const random = seededStreams(seed).open('reconstruction/measured');
  const codes = Uint16Array.from({ length: candidatesAtMost(sizes) * sizes.length }, (_, at) => {
    return combinations.codes[random.below(combinations.count) * sizes.length + (at % sizes.length)]!;
  });
  const draw = {
    weights: new Float64Array(plan.classes).fill(1 / plan.classes),
    probabilities: new Float64Array(plan.classes * categoryOffsets(sizes)[sizes.length]!).fill(0.5),
  };
  const score = candidateScorer(codes, sizes, plan.table.records);
  const chains = lesserChains(plan, mcmc, ['nothing']) + (attributeRisk.control === undefined ? chainsNeeded(plan).base : 0);
  const scored = [draw, draw, draw, draw];
  return ((chains * mcmc.draws) / scored.length) * secondsPerCall(() => score(scored, 0));
}
