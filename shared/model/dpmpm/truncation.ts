import { log } from '../../numeric/portable-math.ts';
import { binomial } from '../../random/binomial.ts';
import { negativeBinomial } from '../../random/poisson.ts';
import type { RandomSource } from '../../random/random-source.ts';
import { CombinationIndex } from '../../table/combination-index.ts';
import type { Combinations } from '../../table/combinations.ts';
import { type Box, holds, isImpossible, mergeBoxes, type Support } from '../../table/support/support.ts';
import type { Counts, Parameters } from './class-sums.ts';
import { type ClassBox, createBoxSums } from './class-sums.ts';
import { partNumbers } from './sharing-order.ts';

/** A set of some of a variable's categories. Parts are those of `SharingOrder`. */
interface ProperSet {
  readonly part: number;
  readonly categories: readonly number[];
}

/** Sets of categories that stand where a category would, as if they were one. */
interface CategorySets {
  /** How many sets each variable has; the first one is that of all its categories. */
  readonly counts: readonly number[];
  readonly proper: readonly ProperSet[];
  /** The part of a variable's code. */
  readonly partOf: (variable: number, code: number) => number;
}

/** Numbers sets of categories of variables with these sizes as they are met; without any yet but those of all categories. */
export function collectSets(sizes: readonly number[]) {
  const setsByVariable = sizes.map(() => new Map<string, { code: number; categories: readonly number[] }>());
  return {
    /**
     * The code of some categories of a variable, rising: a single category has its own, all of them that of a missing value,
     * and other sets have those that follow.
     */
    codeOf(variable: number, categories: readonly number[]) {
      const size = sizes[variable]!;
      if (categories.length === 1) return categories[0]!;
      if (categories.length === size) return size;
      const knownSets = setsByVariable[variable]!;
      const text = categories.join();
      const entry = knownSets.get(text) ?? { code: size + 1 + knownSets.size, categories };
      knownSets.set(text, entry);
      return entry.code;
    },
    sets(): CategorySets {
      const counts = setsByVariable.map(({ size }) => 1 + size);
      const partOf = partNumbers(sizes, counts);
      const proper = setsByVariable.flatMap((knownSets, k) =>
        [...knownSets.values()].map(({ code, categories }) => ({
          part: partOf(k, code),
          categories: categories.map((category) => partOf(k, category)),
        })),
      );
      return { counts, proper, partOf };
    },
  };
}

/** Sums over the sets that lack some categories. */
export function createSetSums(proper: CategorySets['proper'], classes: number) {
  const runningSums = new Float64Array(Math.max(0, ...proper.map(({ categories }) => categories.length)));
  return {
    /** Sums phi over the sets, in its place. */
    sum({ ofParts, stride }: Parameters) {
      for (const { part, categories } of proper) {
        for (let f = 0; f < classes; f++) {
          let sum = 0;
          for (const category of categories) sum += ofParts[category * stride + f]!;
          ofParts[part * stride + f] = sum;
        }
      }
    },
    /** Draws the categories of the records of each set, and adds them to the counts. */
    spread({ ofParts: phi, stride }: Parameters, counts: Counts, random: RandomSource) {
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
    },
  };
}

interface Imputed {
  readonly records: number;
  readonly values: readonly number[];
  /** What the boxes have in its missing values. */
  readonly boxes: readonly ClassBox[];
}

/** Codes are stored in 16 bits. */
const MOST_CODES = 0x10000;

/**
 * Divides combinations for a model whose cells may not all be possible: `allocated` as without truncation, where the
 * sides of one box take the place of missing values, so that codes may be those of `sets`, as many a variable; those of
 * several boxes, and all else, are left to the truncation.
 */
export function truncate(
  combinations: Combinations,
  sizes: readonly number[],
  classes: number,
  support: Support | undefined,
): { allocated: Combinations; sets: readonly number[]; truncation?: ReturnType<typeof createTruncation> } {
  if (support === undefined) return { allocated: combinations, sets: sizes.map(() => 1) };
  const { count, variables, codes, counts } = combinations;
  if (variables !== sizes.length) throw new RangeError('structural zeros need one column a variable');
  const collector = collectSets(sizes);
  const codedSides = (box: Box) => box.map(({ variable, categories }) => ({ variable, code: collector.codeOf(variable, categories) }));
  const allocated = new CombinationIndex(variables);
  const others: { row: number; boxes: ReturnType<typeof codedSides>[] }[] = [];
  for (let row = 0; row < count; row++) {
    const rowCodes = codes.slice(row * variables, (row + 1) * variables);
    if (isImpossible(support, rowCodes, 0, sizes)) {
      const boxes = missingValues(support, rowCodes, sizes).map(codedSides);
      if (boxes.length !== 1 || boxes[0]!.some(({ code }) => code >= MOST_CODES)) {
        others.push({ row, boxes });
        continue;
      }
      for (const { variable, code } of boxes[0]!) rowCodes[variable] = code;
    }
    allocated.add(rowCodes, 0, counts[row]!);
  }
  const impossible = support.impossible.map(codedSides);
  const possible = support.possible.map(codedSides);
  const sets = collector.sets();
  const partsOf = (boxes: readonly ReturnType<typeof codedSides>[]): ClassBox[] =>
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
    truncation: createTruncation({ possible: partsOf(possible), impossible: partsOf(impossible), imputed, records }, sets, classes),
  };
}

/** The possible values in the place of a record's missing ones, in as few boxes as merging makes them. */
function missingValues({ possible }: Support, codes: Uint16Array, sizes: readonly number[]): readonly Box[] {
  const boxes = possible
    .filter((box) => holds(box, codes, 0, sizes))
    .map((box) => box.filter(({ variable }) => codes[variable] === sizes[variable]));
  return mergeBoxes(boxes, sizes);
}

interface BoxedRecords {
  readonly possible: readonly ClassBox[];
  readonly impossible: readonly ClassBox[];
  /** Combinations whose missing values are in one of several boxes. */
  readonly imputed: readonly Imputed[];
  readonly records: number;
}

/**
 * The truncation of a DPMPM to a support, after Manrique-Vallier & Reiter (2014, section 3): the records are completed by
 * those that the model without truncation would have put into impossible cells before it had put so many into possible
 * ones. Their number is negative binomial given the probability of impossible cells; each is in a box and a class with
 * the probability of both. Given all of these, the parameters are drawn as without truncation.
 *
 * Only counts are drawn: the value of a variable all of whose categories a box holds integrates out, and within a set of
 * some it follows phi. Missing values that could be impossible are, in the same way, in possible boxes that agree with
 * the record's other values.
 */
function createTruncation({ possible, impossible, imputed, records }: BoxedRecords, { proper }: CategorySets, classes: number) {
  const sets = createSetSums(proper, classes);
  const sums = createBoxSums(Math.max(possible.length, impossible.length), classes);

  function possibleShares(parameters: Parameters): { possibleShare: number; impossibleShare: number } {
    sums.startFromWeights(parameters);
    const possibleShare = sums.add(parameters, possible);
    if (!(possibleShare > 0)) throw new RangeError('possible combinations have probability zero');
    // Last, so that the sums are those to draw from.
    return { possibleShare, impossibleShare: sums.add(parameters, impossible) };
  }

  return {
    /** Sums phi over the sets, in its place; before anything else of parameters that are new. */
    sumSets: sets.sum,
    /**
     * Adds the records that are not allocated, and those that the structural zeros took away, to the counts; then hands the
     * records of sets on to their categories. Returns how many classes hold records of the table.
     */
    complete(parameters: Parameters, counts: Counts, random: RandomSource) {
      for (const { records: some, values, boxes } of imputed) {
        sums.startFromValues(parameters, values);
        if (!(sums.add(parameters, boxes) > 0)) throw new RangeError('every class gives some combination probability zero');
        sums.spread(boxes, values, some, counts, random);
      }
      let occupied = 0;
      for (let f = 0; f < classes; f++) if (counts.ofClasses[f]! > 0) occupied++;
      const { possibleShare, impossibleShare } = possibleShares(parameters);
      const taken = negativeBinomial(random, records, impossibleShare / possibleShare);
      sums.spread(impossible, [], taken, counts, random);
      sets.spread(parameters, counts, random);
      return occupied;
    },
    /** What the log-likelihood lacks: records that are not allocated, and division by the probability of possible cells. */
    logLikelihood(parameters: Parameters) {
      let sum = 0;
      for (const { records: some, values, boxes } of imputed) {
        const logScale = sums.startFromValues(parameters, values);
        sum += some * (log(sums.add(parameters, boxes)) - logScale);
      }
      return sum - records * log(possibleShares(parameters).possibleShare);
    },
  };
}
