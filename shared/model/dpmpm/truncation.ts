import { log } from '../../numeric/portable-math.ts';
import { binomial } from '../../random/binomial.ts';
import { negativeBinomial } from '../../random/negative-binomial.ts';
import type { RandomSource } from '../../random/random-source.ts';
import { CombinationIndex } from '../../table/combination-index.ts';
import type { Combinations } from '../../table/combinations.ts';
import { mergeBoxes } from '../../table/support/merge-boxes.ts';
import { type Box, holds, isImpossible, type Support } from '../../table/support/support.ts';
import { type CategorySets, collectSets } from './category-sets.ts';
import { type ClassSums, drawClasses, paddedClasses, sumClasses } from './class-sums.ts';

/** Parameters or counts as vectors over classes, `stride` numbers apart. */
interface ByClass<Numbers> {
  /** Of the classes themselves. */
  readonly ofClasses: Float64Array;
  /** Of the categories of all variables end to end, and of the sets of them ({@link CategorySets}). */
  readonly ofParts: Numbers;
  readonly stride: number;
}

/** pi and phi, with sums of phi over sets. */
export type Parameters = ByClass<Float64Array>;
/** Records of each class, and of each category, or of a set with some of it unknown, in each class. */
export type Counts = ByClass<Float64Array | Uint32Array>;

/** What keeps the sampler within the possible cells. */
export interface Truncation {
  /** Sums phi over the sets, in its place; before anything else of parameters that are new. */
  sumSets(parameters: Parameters): void;
  /**
   * Adds to the counts of the records that are allocated those of the other records, and those of the records that
   * the structural zeros took away; then hands the records of sets on to their categories.
   *
   * @returns how many classes hold records of the table
   * @throws RangeError when the parameters give possible cells no probability
   */
  complete(parameters: Parameters, counts: Counts, random: RandomSource): number;
  /** What the log-likelihood lacks: records that are not allocated, and division by the probability of possible cells. */
  logLikelihood(parameters: Parameters): number;
}

/** 2^-400: products below it are scaled up by its inverse, which rounds nothing, so that they do not underflow. */
const SMALL = 3.872591914849318e-121;

/** A combination whose missing values are in one of several boxes. */
interface Imputed {
  readonly records: number;
  /** Parts of its values. */
  readonly values: readonly number[];
  /** Parts of the sides that the boxes have in its missing values. */
  readonly boxes: readonly (readonly number[])[];
}

/** Records as a model truncated to a support takes them. */
interface TruncatedRecords {
  /** Combinations that are allocated as without truncation. Codes may be those of sets, and what these leave open integrates out. */
  readonly allocated: Combinations;
  /** Number of sets of each variable. */
  readonly sets: readonly number[];
  /** Does the rest; undefined without a support. */
  readonly truncation?: Truncation;
}

/** Codes are stored in 16 bits. */
const MOST_CODES = 0x10000;

/**
 * Divides combinations for a model whose cells may not all be possible. Where a combination's missing values are in
 * one box, its sides take their place. Combinations whose missing values are in several are left to the truncation.
 *
 * @param sizes number of categories of each variable
 */
export function truncate(
  combinations: Combinations,
  sizes: readonly number[],
  classes: number,
  support: Support | undefined,
): TruncatedRecords {
  if (support === undefined) return { allocated: combinations, sets: sizes.map(() => 1) };
  const { count, variables, codes, counts } = combinations;
  if (variables !== sizes.length) throw new RangeError('structural zeros need one column a variable');
  const collector = collectSets(sizes);
  const codedSides = (box: Box) =>
    box.map(({ variable, categories }) => ({ variable, code: collector.codeOf(variable, categories) }));
  const allocated = new CombinationIndex(variables);
  const others: { row: number; boxes: ReturnType<typeof codedSides>[] }[] = [];
  for (let row = 0; row < count; row++) {
    const own = codes.slice(row * variables, (row + 1) * variables);
    if (isImpossible(support, own, 0, sizes)) {
      const boxes = missingValues(support, own, sizes).map(codedSides);
      if (boxes.length !== 1 || boxes[0]!.some(({ code }) => code >= MOST_CODES)) {
        others.push({ row, boxes });
        continue;
      }
      for (const { variable, code } of boxes[0]!) own[variable] = code;
    }
    allocated.add(own, 0, counts[row]!);
  }
  const impossible = support.impossible.map(codedSides);
  const possible = support.possible.map(codedSides);
  const sets = collector.sets();
  const partsOf = (boxes: readonly ReturnType<typeof codedSides>[]) =>
    boxes.map((box) => box.map(({ variable, code }) => sets.partOf(variable, code)));
  const imputed = others.map(({ row, boxes }) => ({
    records: counts[row]!,
    values: sizes.flatMap((size, k) => {
      const code = codes[row * variables + k]!;
      return code === size ? [] : [sets.partOf(k, code)];
    }),
    boxes: partsOf(boxes),
  }));
  const records = counts.reduce((sum, own) => sum + own, 0);
  return {
    allocated: allocated.combinations(),
    sets: sets.counts,
    truncation: createTruncation(partsOf(possible), partsOf(impossible), sets, classes, imputed, records),
  };
}

/** The possible values in the place of a record's missing ones, in as few boxes as merging makes them. */
function missingValues({ possible }: Support, codes: Uint16Array, sizes: readonly number[]): readonly Box[] {
  const boxes = possible
    .filter((box) => holds(box, codes, 0, sizes))
    .map((box) => box.filter(({ variable }) => codes[variable] === sizes[variable]));
  return mergeBoxes(boxes, sizes);
}

/**
 * The truncation of a DPMPM to a support, after Manrique-Vallier & Reiter (2014, section 3): the records are completed
 * by those that the model without truncation would have put into impossible cells before it had put so many into
 * possible ones. Their number is negative binomial given the probability of impossible cells; each is in a box and a
 * class with the probability of both. Given all of these, the parameters are drawn as without truncation.
 *
 * Only counts are drawn. Where a box holds all categories of a variable, its value integrates out, as a missing value
 * does; within a set of some categories the values follow phi. Missing values that could be impossible are, in the
 * same way, in possible boxes that agree with the record's other values: where these merge into one, the record is
 * allocated like any other, and where there are several they are drawn here.
 *
 * @param possible parts of the sides of each box, as of the impossible ones
 * @param imputed combinations whose missing values are in one of several boxes
 * @param records of all combinations
 */
function createTruncation(
  possible: readonly (readonly number[])[],
  impossible: readonly (readonly number[])[],
  { proper }: CategorySets,
  classes: number,
  imputed: readonly Imputed[],
  records: number,
): Truncation {
  const padded = paddedClasses(classes);
  const mostBoxes = Math.max(possible.length, impossible.length);
  const boxProducts = Array.from({ length: mostBoxes }, () => new Float64Array(padded));
  const boxSums: ClassSums[] = [];
  /** Totals of each box and those before it. */
  const boxTotals = new Float64Array(mostBoxes);
  const base = new Float64Array(padded);
  const runningSums = new Float64Array(Math.max(0, ...proper.map(({ categories }) => categories.length)));

  function sumSets({ ofParts, stride }: Parameters): void {
    for (const { part, categories } of proper) {
      for (let f = 0; f < classes; f++) {
        let sum = 0;
        for (const category of categories) sum += ofParts[category * stride + f]!;
        ofParts[part * stride + f] = sum;
      }
    }
  }

  /** Running sums over classes of `base` times the sides of each box, left in `boxSums`; returns their total. */
  function sumBoxes({ ofParts, stride }: Parameters, boxes: readonly (readonly number[])[]): number {
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
  }

  /** Sets `base` to the weights; the probability of boxes is then what {@link sumBoxes} returns. */
  function startFromWeights({ ofClasses }: Parameters): void {
    base.set(ofClasses.subarray(0, classes));
  }

  /** Sets `base` to the probabilities of some values in each class; returns the log of what they are scaled up by. */
  function startFromValues({ ofClasses, ofParts, stride }: Parameters, values: readonly number[]): number {
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
  }

  /** Draws box and class of so many records with some values from `boxSums`, and counts them. */
  function spread(
    boxes: readonly (readonly number[])[],
    values: readonly number[],
    records: number,
    { ofClasses, ofParts, stride }: Counts,
    random: RandomSource,
  ): void {
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
  }

  /** Draws the categories of the records of each set, and adds them to the counts. */
  function spreadSets({ ofParts: phi, stride }: Parameters, counts: Counts, random: RandomSource): void {
    for (const { part, categories } of proper) {
      for (let f = 0; f < classes; f++) {
        let rest = counts.ofParts[part * counts.stride + f]!;
        if (rest === 0) continue;
        let sum = 0;
        for (const [i, category] of categories.entries()) {
          sum += phi[category * stride + f]!;
          runningSums[i] = sum;
        }
        // From the last to the first, so that running sums give the shares without cancellation.
        for (let i = categories.length - 1; rest > 0; i--) {
          const category = categories[i]!;
          const some = binomial(random, rest, phi[category * stride + f]! / runningSums[i]!);
          rest -= some;
          counts.ofParts[category * counts.stride + f]! += some;
        }
      }
    }
  }

  function possibleShares(parameters: Parameters): { possibleShare: number; impossibleShare: number } {
    startFromWeights(parameters);
    const possibleShare = sumBoxes(parameters, possible);
    if (!(possibleShare > 0)) throw new RangeError('possible combinations have probability zero');
    // Last, so that `boxSums` are those to draw from.
    return { possibleShare, impossibleShare: sumBoxes(parameters, impossible) };
  }

  return {
    sumSets,
    complete(parameters, counts, random) {
      for (const { records: some, values, boxes } of imputed) {
        startFromValues(parameters, values);
        if (!(sumBoxes(parameters, boxes) > 0))
          throw new RangeError('every class gives some combination probability zero');
        spread(boxes, values, some, counts, random);
      }
      let occupied = 0;
      for (let f = 0; f < classes; f++) if (counts.ofClasses[f]! > 0) occupied++;
      const { possibleShare, impossibleShare } = possibleShares(parameters);
      const taken = negativeBinomial(random, records, impossibleShare / possibleShare);
      spread(impossible, [], taken, counts, random);
      spreadSets(parameters, counts, random);
      return occupied;
    },
    logLikelihood(parameters) {
      let sum = 0;
      for (const { records: some, values, boxes } of imputed) {
        const logScale = startFromValues(parameters, values);
        sum += some * (log(sumBoxes(parameters, boxes)) - logScale);
      }
      return sum - records * log(possibleShares(parameters).possibleShare);
    },
  };
}
