import { binomial } from '../../random/binomial.ts';
import type { RandomSource } from '../../random/random-source.ts';

/** Lanes in which classes are added up, side by side: class f is in lane f mod 8. */
const LANES = 8;

/** From so many records on, one draw says how many are in a lane; below it, each record is drawn on its own. */
const MANY = 32;
/** The same for the classes of a lane. */
const MANY_IN_LANE = 8;

/** The largest double below 1. */
const BELOW_ONE = 1 - Number.EPSILON / 2;

/** Length of a vector over classes that fills its lanes; classes are added that have weight zero. */
export function paddedClasses(classes: number): number {
  return Math.ceil(classes / LANES) * LANES;
}

/** Weights of the classes, added up so that classes can be drawn with their share of the total. */
export interface ClassSums {
  /** For each class, the sum of its weight and of those before it in its lane. */
  readonly withinLane: Float64Array;
  /** For each lane, the sum of it and of the lanes before it. */
  readonly lanes: Float64Array;
  readonly total: number;
}

/**
 * Adds up weights, none negative.
 *
 * @param weights as many as {@link paddedClasses} says; the running sums take their place
 */
export function sumClasses(weights: Float64Array): ClassSums {
  for (let f = LANES; f < weights.length; f++) weights[f]! += weights[f - LANES]!;
  let total = 0;
  const lanes = weights.slice(-LANES).map((sum) => {
    total += sum;
    return total;
  });
  return { withinLane: weights, lanes, total };
}

/** Sum of the lanes before one. */
const before = ({ lanes }: ClassSums, lane: number) => (lane === 0 ? 0 : lanes[lane - 1]!);

/** First class of a lane whose running sum exceeds the target. */
function findInLane({ withinLane }: ClassSums, lane: number, target: number): number {
  const last = withinLane.length - LANES + lane;
  // Rounding in the target must not carry it past the last class of any weight.
  const inside = Math.min(target, withinLane[last]! * BELOW_ONE);
  let f = lane;
  while (f < last && withinLane[f]! <= inside) f += LANES;
  return f;
}

function drawClass(sums: ClassSums, random: RandomSource): number {
  const target = random.uniform() * sums.total;
  let lane = 0;
  while (lane < LANES - 1 && sums.lanes[lane]! <= target) lane++;
  return findInLane(sums, lane, target - before(sums, lane));
}

/**
 * Draws the classes of so many records, each with its share of the total: one by one where they are few, else, but for
 * the first, by conditional binomials, first for the lanes, then for the classes of a lane. These go from the last to the
 * first, so that running sums give the shares without cancellation.
 *
 * @param tally told of a class and its records; of the first record by itself, and of some classes more than once
 */
export function drawClasses(sums: ClassSums, records: number, random: RandomSource, tally: (f: number, records: number) => void): void {
  if (records === 0) return;
  tally(drawClass(sums, random), 1);
  if (records < MANY) {
    for (let i = 1; i < records; i++) tally(drawClass(sums, random), 1);
    return;
  }
  const { withinLane, lanes } = sums;
  let rest = records - 1;
  for (let lane = LANES - 1; rest > 0; lane--) {
    const last = withinLane.length - LANES + lane;
    let inLane = binomial(random, rest, withinLane[last]! / lanes[lane]!);
    rest -= inLane;
    if (inLane < MANY_IN_LANE) {
      for (; inLane > 0; inLane--) tally(findInLane(sums, lane, random.uniform() * withinLane[last]!), 1);
      continue;
    }
    for (let f = last; inLane > 0; f -= LANES) {
      const runningSum = withinLane[f]!;
      const share = f < LANES ? 1 : (runningSum - withinLane[f - LANES]!) / runningSum;
      const inClass = binomial(random, inLane, share);
      inLane -= inClass;
      if (inClass > 0) tally(f, inClass);
    }
  }
}
