import { hasReconstruction, membershipReason } from '../../../contracts/config/config.ts';
import { seededStreams } from '../../../random/streams.ts';
import { otherPeople, SIMULATED_OTHERS } from '../../../risk/membership/other-people.ts';
import { candidateScorer } from '../../../risk/reconstruction/candidate-means.ts';
import { candidatesAtMost } from '../../../risk/reconstruction/reconstruction-candidates.ts';
import { categoryOffsets, categorySizes } from '../../../table/category-sizes.ts';
import { chainsNeeded, lesserChains } from '../../rounds/chains-needed.ts';
import type { MeasuredCombinations } from '../run-sizes.ts';

/** Runs something as often as it takes to measure it; the seconds of one call. */
type SecondsPerCall = (call: () => void) => number;

/** People of whom scoring is measured, where there are more. */
const SAMPLE = 256;

/** People with the values of the table's combinations, each variable by itself, and four draws to score them under. */
function madeUp({ plan, schema, combinations }: MeasuredCombinations, people: number) {
  const sizes = categorySizes(schema);
  const random = seededStreams(plan.config.seed).open('people/measured');
  const codes = Uint16Array.from({ length: people * sizes.length }, (_, at) => {
    return combinations.codes[random.below(combinations.count) * sizes.length + (at % sizes.length)]!;
  });
  const draw = {
    weights: new Float64Array(plan.classes).fill(1 / plan.classes),
    probabilities: new Float64Array(plan.classes * categoryOffsets(sizes)[sizes.length]!).fill(0.5),
  };
  return { sizes, codes, draws: [draw, draw, draw, draw] };
}

/**
 * Seconds that a run takes to score which records somebody would name who knows nothing, in one thread, of as many candidates as
 * there may be. 0 where nobody asks.
 */
export function reconstructionSeconds(planned: MeasuredCombinations, secondsPerCall: SecondsPerCall): number {
  const { plan, schema } = planned;
  const { attributeRisk, mcmc } = plan.config;
  if (!hasReconstruction(plan.config) || plan.purpose === 'synthesize') return 0;
  const { sizes, codes, draws } = madeUp(planned, candidatesAtMost(categorySizes(schema)));
  const score = candidateScorer(codes, sizes, plan.table.records);
  const chains = lesserChains(plan, mcmc, ['nothing']) + (attributeRisk.control === undefined ? chainsNeeded(plan).base : 0);
  return ((chains * mcmc.draws) / draws.length) * secondsPerCall(() => score(draws, 0));
}

/** Seconds that a run takes under each draw to score those who are not in the table, in one thread. 0 where nobody is. */
export function othersSeconds(planned: MeasuredCombinations, secondsPerCall: SecondsPerCall): number {
  const { plan, support } = planned;
  if (membershipReason(plan.config) !== null || plan.purpose === 'calibrate') return 0;
  const people = plan.controlRecords ?? SIMULATED_OTHERS;
  const sample = Math.min(SAMPLE, people);
  const { sizes, codes, draws } = madeUp(planned, sample);
  const { score } = otherPeople(codes, sizes, support?.support);
  return ((people / sample) * secondsPerCall(() => score(draws, 0))) / draws.length;
}
