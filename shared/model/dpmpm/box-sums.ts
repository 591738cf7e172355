import { log } from '../../numeric/portable-math.ts';
import { binomial } from '../../random/binomial.ts';
import type { RandomSource } from '../../random/random-source.ts';
import type { Counts, Parameters } from './category-sets.ts';
import { type ClassSums, drawClasses, paddedClasses, sumClasses } from './class-sums.ts';

/** A box of cells by the parts of its sides: a class gives it the product of phi over them. */
export type ClassBox = readonly number[];

/** 2^-400: products below it are scaled up by its inverse, which rounds nothing, so that they do not underflow. */
const SMALL = 3.872591914849318e-121;

/** Probabilities of so many boxes and their classes, to draw records from. Its vectors are written over by every sum. */
export function createBoxSums(mostBoxes: number, classes: number) {
  const padded = paddedClasses(classes);
  const boxProducts = Array.from({ length: mostBoxes }, () => new Float64Array(padded));
  const boxSums: ClassSums[] = [];
  /** Totals of each box and those before it. */
  const boxTotals = new Float64Array(mostBoxes);
  /** What the products of every box start from. */
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
