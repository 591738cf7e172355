import { log } from '../../numeric/portable-math.ts';
import { binomial } from '../../random/binomial.ts';
import type { RandomSource } from '../../random/random-source.ts';

/** Parameters or counts as vectors over classes, `stride` numbers apart. */
interface ByClass<Numbers> {
  readonly ofClasses: Float64Array;
  /** Of the categories of all variables end to end, and of the sets of them ({@link CategorySets}). */
  readonly ofParts: Numbers;
  readonly stride: number;
}

/** pi and phi, with sums of phi over sets. */
export type Parameters = ByClass<Float64Array>;

/** Records of each class, and of each category, or of a set with some of it unknown, in each class. */
export type Counts = ByClass<Float64Array | Uint32Array>;

/** Lanes in which classes are added up, side by side: class f is in lane f mod 8. */
const LANES = 8;

/** From so many records on, one draw says how many are in a lane; below it, each record is drawn on its own. */
const MANY = 32;
/** The same for the classes of a lane. */
const MANY_IN_LANE = 8;

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

/** A box of cells by the parts of its sides: a class gives it the product of phi over them. */
export type ClassBox = readonly number[];

/** 2^-400: products below it are scaled up by its inverse, which rounds nothing, so that they do not underflow. */
const SMALL = 3.872591914849318e-121;

/** Probabilities of so many boxes and their classes, to draw records from. Its vectors are written over by every sum. */
export function createBoxSums(mostBoxes: number, classes: number) {
  const padded = paddedClasses(classes);
  const boxProducts = Array.from({ length: mostBoxes }, () => new Float64Array(padded));
  const boxSums: ClassSums[] = [];
  const boxTotals = new Float64Array(mostBoxes);
  const base = new Float64Array(padded);

  return {
    /** The next sums are of weights times boxes: probabilities of the boxes. */
    startFromWeights({ ofClasses }: Parameters) {
      base.set(ofClasses.subarray(0, classes));
    },
    /** The next sums are of weights times some values, by their parts, times boxes. Returns the log of what they are scaled up by. */
    startFromValues({ ofClasses, ofParts, stride }: Parameters, values: readonly number[]) {
      base.set(ofClasses.subarray(0, classes));
      let logScale = 0;
      for (const part of values) {
        const from = part * stride;
        let sum = 0;
        for (let f = 0; f < classes; f++) {
          const product = base[f]! * ofParts[from + f]!;
          base[f] = product;
          sum += product;
        }
        if (sum > 0 && sum < SMALL) {
          for (let f = 0; f < classes; f++) base[f]! /= SMALL;
          logScale -= log(SMALL);
        }
      }
      return logScale;
    },
    /** Adds up the classes of every box, and returns the total of all boxes. */
    add({ ofParts, stride }: Parameters, boxes: readonly ClassBox[]) {
      let total = 0;
      for (const [b, own] of boxes.entries()) {
        const products = boxProducts[b]!;
        products.set(base);
        for (const part of own) {
          const at = part * stride;
          for (let f = 0; f < classes; f++) products[f]! *= ofParts[at + f]!;
        }
        boxSums[b] = sumClasses(products);
        total += boxSums[b].total;
        boxTotals[b] = total;
      }
      return total;
    },
    /** Draws box and class of so many records that have some values, from the sums of these boxes, and counts them. */
    spread(
      boxes: readonly ClassBox[],
      values: readonly number[],
      records: number,
      { ofClasses, ofParts, stride }: Counts,
      random: RandomSource,
    ) {
      let rest = records;
      for (let b = boxes.length - 1; rest > 0; b--) {
        const sums = boxSums[b]!;
        const inBox = binomial(random, rest, sums.total / boxTotals[b]!);
        rest -= inBox;
        if (inBox === 0) continue;
        drawClasses(sums, inBox, random, (f, some) => {
          ofClasses[f]! += some;
          for (const part of values) ofParts[part * stride + f]! += some;
          for (const part of boxes[b]!) ofParts[part * stride + f]! += some;
        });
      }
    },
  };
}
