import { log } from '../numeric/portable-math.ts';
import { binomial } from '../random/binomial.ts';
import { negativeBinomial } from '../random/negative-binomial.ts';
import type { RandomStream } from '../random/random-stream.ts';
import type { Combinations } from '../table/combinations.ts';
import { type Box, holds, isImpossible, type Support } from '../table/support.ts';
import { type ClassSums, drawClasses, paddedClasses, sumClasses } from './class-sums.ts';
import { categoryOffsets } from './sharing-order.ts';

/** Parameters or counts as vectors over classes, `stride` numbers apart; those of categories end to end. */
interface ByClass<Numbers> {
  /** Of the classes themselves. */
  readonly ofClasses: Float64Array;
  readonly ofCategories: Numbers;
  readonly stride: number;
}

/** pi and phi. */
export type Parameters = ByClass<Float64Array>;
/** Records of each class, and of each category in each class. */
export type Counts = ByClass<Float64Array | Uint32Array>;

/** What keeps the sampler within the possible cells. */
export interface Truncation {
  /**
   * Adds to the counts of the records that are allocated those of records with missing values to impute, and those
   * of the records that the structural zeros took away.
   *
   * @throws RangeError when the parameters give possible cells no probability
   */
  complete(parameters: Parameters, counts: Counts, random: RandomStream): void;
  /** What the log-likelihood lacks: records with missing values to impute, and division by the probability of possible cells. */
  logLikelihood(parameters: Parameters): number;
}

/** 2^-400: products below it are scaled up by its inverse, which rounds nothing, so that they do not underflow. */
const SMALL = 3.872591914849318e-121;

/** The sets of categories that are sides of boxes, each once. */
interface SideSets {
  /** For each box, its sides as indices of sets. */
  readonly sidesOf: (box: Box) => readonly { readonly set: number; readonly variable: number }[];
  /** First category of each set's variable, and the categories. */
  readonly sets: readonly { readonly first: number; readonly categories: readonly number[] }[];
}

function sideSets(boxes: readonly Box[], offsets: Uint32Array): SideSets {
  const indexOf = new Map<string, number>();
  const sets: { first: number; categories: readonly number[] }[] = [];
  const sides = new Map<Box, { set: number; variable: number }[]>();
  for (const box of boxes) {
    const own = box.map(({ variable, categories }) => {
      const text = `${variable}:${categories.join()}`;
      const set = indexOf.get(text) ?? sets.push({ first: offsets[variable]!, categories }) - 1;
      indexOf.set(text, set);
      return { set, variable };
    });
    sides.set(box, own);
  }
  return { sets, sidesOf: (box) => sides.get(box)! };
}

/** The combinations at some rows. */
function combinationsAt({ variables, codes, counts }: Combinations, rows: readonly number[]): Combinations {
  return {
    variables,
    count: rows.length,
    codes: Uint16Array.from(
      rows.flatMap((row) => [...codes.subarray(row * variables, (row + 1) * variables)]),
    ),
    counts: Uint32Array.from(rows, (row) => counts[row]!),
  };
}

/** Records as a model truncated to a support takes them. */
interface TruncatedRecords {
  /** Combinations that are allocated as without truncation: missing values of theirs integrate out. */
  readonly whole: Combinations;
  /** Does the rest; undefined without a support. */
  readonly truncation?: Truncation;
}

/**
 * Divides combinations for a model whose cells may not all be possible. Missing values in whose place some values would
 * be impossible do not integrate out by themselves: these combinations are left to the truncation.
 *
 * @param sizes number of categories of each variable
 */
export function truncate(
  combinations: Combinations,
  sizes: readonly number[],
  classes: number,
  support: Support | undefined,
): TruncatedRecords {
  if (support === undefined) return { whole: combinations };
  const { count, variables, codes } = combinations;
  if (variables !== sizes.length) throw new RangeError('structural zeros need one column a variable');
  const whole: number[] = [];
  const imputed: number[] = [];
  for (let row = 0; row < count; row++) {
    (isImpossible(support, codes, row * variables, sizes) ? imputed : whole).push(row);
  }
  const allocated = combinationsAt(combinations, whole);
  return {
    whole: allocated,
    truncation: createTruncation(
      support,
      sizes,
      classes,
      combinationsAt(combinations, imputed),
      combinations.counts.reduce((sum, records) => sum + records, 0),
    ),
  };
}

/**
 * The truncation of a DPMPM to a support, after Manrique-Vallier & Reiter (2014, section 3): the records are completed
 * by those that the model without truncation would have put into impossible cells before it had put so many into
 * possible ones. Their number is negative binomial given the probability of impossible cells; each is in a box and a
 * class with the probability of both. Given all of these, the parameters are drawn as without truncation.
 *
 * Only counts are drawn. Where a box holds all categories of a variable, its value integrates out, as a missing value
 * does; within a set of some categories the values follow phi. Missing values that could be impossible are drawn in
 * the same way, over the possible boxes that agree with the record's other values.
 *
 * @param combinations those with missing values to impute
 * @param records of all combinations
 */
function createTruncation(
  support: Support,
  sizes: readonly number[],
  classes: number,
  combinations: Combinations,
  records: number,
): Truncation {
  const { possible, impossible } = support;
  const offsets = categoryOffsets(sizes);
  const padded = paddedClasses(classes);
  const { sets, sidesOf } = sideSets([...possible, ...impossible], offsets);
  const { variables, counts: recordsOf } = combinations;
  /** For each combination to impute: its categories, and the sides of possible boxes in its missing values. */
  const imputed = Array.from({ length: combinations.count }, (_, row) => {
    const codes = combinations.codes.subarray(row * variables, (row + 1) * variables);
    const isMissing = (variable: number) => codes[variable] === sizes[variable];
    return {
      records: recordsOf[row]!,
      categories: [...codes].flatMap((code, k) => (isMissing(k) ? [] : [offsets[k]! + code])),
      boxes: possible
        .filter((box) => holds(box, codes, 0, sizes))
        .map((box) => sidesOf(box).flatMap(({ set, variable }) => (isMissing(variable) ? [set] : []))),
    };
  });
  const setsOf = (boxes: readonly Box[]) => boxes.map((box) => sidesOf(box).map(({ set }) => set));
  const impossibleSets = setsOf(impossible);
  const possibleSets = setsOf(possible);
  const mostBoxes = Math.max(possible.length, impossible.length);
  const setSums = new Float64Array(sets.length * padded);
  const boxProducts = Array.from({ length: mostBoxes }, () => new Float64Array(padded));
  const boxSums: ClassSums[] = [];
  /** Totals of each box and those before it. */
  const boxTotals = new Float64Array(mostBoxes);
  const base = new Float64Array(padded);
  const runningSums = new Float64Array(Math.max(...sizes));
  /** Records of each set in each class. */
  const inSets = new Float64Array(sets.length * classes);

  function sumSets({ ofCategories, stride }: Parameters): void {
    for (const [s, { first, categories }] of sets.entries()) {
      for (let f = 0; f < classes; f++) {
        let sum = 0;
        for (const code of categories) sum += ofCategories[(first + code) * stride + f]!;
        setSums[s * padded + f] = sum;
      }
    }
  }

  /** Running sums over classes of `base` times the sets of each box, left in `boxSums`; returns their total. */
  function sumBoxes(boxes: readonly (readonly number[])[]): number {
    let total = 0;
    for (const [b, own] of boxes.entries()) {
      const products = boxProducts[b]!;
      products.set(base);
      for (const set of own) {
        const at = set * padded;
        for (let f = 0; f < classes; f++) products[f]! *= setSums[at + f]!;
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

  /** Sets `base` to the probabilities of some categories in each class; returns the log of what they are scaled up by. */
  function startFromCategories(
    { ofClasses, ofCategories, stride }: Parameters,
    categories: readonly number[],
  ): number {
    base.set(ofClasses.subarray(0, classes));
    let logScale = 0;
    for (const category of categories) {
      const from = category * stride;
      let sum = 0;
      for (let f = 0; f < classes; f++) {
        const product = base[f]! * ofCategories[from + f]!;
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

  /** Draws box and class of so many records from `boxSums`, and counts them in their sets and by `tally`. */
  function spread(
    boxes: readonly (readonly number[])[],
    records: number,
    random: RandomStream,
    tally: (f: number, records: number) => void,
  ): void {
    let rest = records;
    for (let b = boxes.length - 1; rest > 0; b--) {
      const sums = boxSums[b]!;
      const inBox = binomial(random, rest, sums.total / boxTotals[b]!);
      rest -= inBox;
      if (inBox === 0) continue;
      drawClasses(sums, inBox, random, (f, some) => {
        tally(f, some);
        for (const set of boxes[b]!) inSets[set * classes + f]! += some;
      });
    }
  }

  /** Draws the categories of the records of each set, and adds them to the counts. */
  function spreadSets({ ofCategories: phi, stride }: Parameters, counts: Counts, random: RandomStream): void {
    for (const [s, { first, categories }] of sets.entries()) {
      for (let f = 0; f < classes; f++) {
        let rest = inSets[s * classes + f]!;
        if (rest === 0) continue;
        let sum = 0;
        for (const [i, code] of categories.entries()) {
          sum += phi[(first + code) * stride + f]!;
          runningSums[i] = sum;
        }
        // From the last to the first, so that running sums give the shares without cancellation.
        for (let i = categories.length - 1; rest > 0; i--) {
          const category = first + categories[i]!;
          const some = binomial(random, rest, phi[category * stride + f]! / runningSums[i]!);
          rest -= some;
          counts.ofCategories[category * counts.stride + f]! += some;
        }
      }
    }
  }

  function possibleShares(parameters: Parameters): { possibleShare: number; impossibleShare: number } {
    startFromWeights(parameters);
    const possibleShare = sumBoxes(possibleSets);
    if (!(possibleShare > 0)) throw new RangeError('possible combinations have probability zero');
    // Last, so that `boxSums` are those to draw from.
    return { possibleShare, impossibleShare: sumBoxes(impossibleSets) };
  }

  return {
    complete(parameters, counts, random) {
      sumSets(parameters);
      inSets.fill(0);
      for (const { records: some, categories, boxes } of imputed) {
        startFromCategories(parameters, categories);
        if (!(sumBoxes(boxes) > 0))
          throw new RangeError('every class gives some combination probability zero');
        spread(boxes, some, random, (f, inClass) => {
          counts.ofClasses[f]! += inClass;
          for (const category of categories) counts.ofCategories[category * counts.stride + f]! += inClass;
        });
      }
      const { possibleShare, impossibleShare } = possibleShares(parameters);
      const taken = negativeBinomial(random, records, impossibleShare / possibleShare);
      spread(impossibleSets, taken, random, (f, inClass) => {
        counts.ofClasses[f]! += inClass;
      });
      spreadSets(parameters, counts, random);
    },
    logLikelihood(parameters) {
      sumSets(parameters);
      let sum = 0;
      for (const { records: some, categories, boxes } of imputed) {
        const logScale = startFromCategories(parameters, categories);
        sum += some * (log(sumBoxes(boxes)) - logScale);
      }
      return sum - records * log(possibleShares(parameters).possibleShare);
    },
  };
}
