import { membershipReason } from '../../../contracts/config/config.ts';
import { seededStreams } from '../../../random/streams.ts';
import { otherPeople, SIMULATED_OTHERS } from '../../../risk/membership/other-people.ts';
import { categoryOffsets, categorySizes } from '../../../table/category-sizes.ts';
import type { MeasuredCombinations } from '../run-sizes.ts';

/** People of whom the scoring is measured. */
const SAMPLE = 256;

/**
 * Seconds that a run takes under each draw to score those who are not in the table, in one thread: people with the values of the
 * table's combinations, each variable by itself, as they share fewer values than real ones do. 0 where nobody is.
 */
export function othersSeconds(
  { plan, schema, combinations, support }: MeasuredCombinations,
  secondsPerCall: (call: () => void) => number,
): number {
  if (membershipReason(plan.config) !== null || plan.purpose === 'calibrate') return 0;
  const sizes = categorySizes(schema);
  const random = seededStreams(plan.config.seed).open('membership/measured');
  const people = plan.controlRecords ?? SIMULATED_OTHERS;
  const sample = Math.min(SAMPLE, people);
  const codes = Uint16Array.from({ length: sample * sizes.length }, (_, at) => {
    return combinations.codes[random.below(combinations.count) * sizes.length + (at % sizes.length)]!;
  });
  const draw = {
    weights: new Float64Array(plan.classes).fill(1 / plan.classes),
    probabilities: new Float64Array(plan.classes * categoryOffsets(sizes)[sizes.length]!).fill(0.5),
  };
  const { score } = otherPeople(codes, sizes, support?.support);
  const draws = [draw, draw, draw, draw];
  return (people / sample) * (secondsPerCall(() => score(draws, 0)) / draws.length);
}
