import type { ScoredDraw } from '../../model/chains/chain-draws.ts';
import type { Allocation } from '../../model/chains/chain-sampler.ts';
import { normalSums, sumNumbers } from '../../model/mixed/mixed-draws.ts';
import type { ContinuousPart } from '../../model/mixed/mixed-rows.ts';
import type { NormalPrior } from '../../model/mixed/normal-prior.ts';
import { log } from '../../numeric/portable-math.ts';
import { categoryOffsets } from '../../table/category-sizes.ts';
import { occupiedClasses } from '../scoring/leave-out.ts';
import { cellMasses, type Predictive, predictiveOf, type ValueSums } from './predictive.ts';

/** A model `mixed` by which rows are scored. */
export interface MixedModel {
  /** Categories of each discrete part. */
  readonly sizes: readonly number[];
  readonly continuous: readonly ContinuousPart[];
  readonly prior: NormalPrior;
}

/**
 * The prior as a draw of one class that holds nothing: classes are alike beforehand, and their weights sum to 1, so that E[f(x)] is what
 * a single one gives x with its parameters integrated out.
 */
export const priorDraw = ({ sizes, continuous }: Pick<MixedModel, 'sizes' | 'continuous'>): ScoredDraw => ({
  weights: Float64Array.of(1),
  probabilities: new Float64Array(0),
  allocation: {
    counts: new Uint32Array(categoryOffsets(sizes)[sizes.length]!),
    classOfCombination: new Uint16Array(0),
    valueSums: new Float64Array(sumNumbers(continuous.length, 1)),
  },
});

/** What the classes of a draw give categories and values, their parameters integrated out given all records in them. */
export interface ClassTables {
  /** The occupied classes, and after them one for all the empty ones together, which are alike. */
  readonly classes: number;
  /** Logarithms of pi; classes. */
  readonly logWeights: Float64Array;
  /** The place of each class of the draw among these. */
  readonly place: Uint32Array;
  /** Records that have each category; categories x classes. */
  readonly counts: Uint32Array;
  /** Records that have any category, and with each of them the prior's one; parts x classes. */
  readonly totals: Float64Array;
  /** Probability of each category, and its logarithm; categories x classes. */
  readonly probabilities: Float64Array;
  readonly logProbabilities: Float64Array;
  /** Values of each continuous part in each class, and the density of a further one; parts x classes. */
  readonly sums: readonly ValueSums[];
  readonly predictives: readonly Predictive[];
  /** Of each continuous part, probabilities of so many cells: classes x cells. */
  readonly cells: readonly Float64Array[];
}

const NO_VALUES: ValueSums = { number: 0, average: 0, squares: 0 };

/**
 * The tables of a draw.
 *
 * @param cells how many cells are asked for of each continuous part; 0 of one that is not guessed at
 */
export function classTables(
  { sizes, continuous, prior }: MixedModel,
  cells: readonly number[],
  weights: Float64Array,
  allocation: Allocation,
): ClassTables {
  const ofValues = continuous.length === 0 ? [] : normalSums(allocation, weights.length);
  const numbers = ofValues.map((own) => own.numbers);
  const occupied = occupiedClasses(
    weights.length,
    sizes.reduce((sum, size) => sum + size, 0),
  )(weights, allocation, numbers);
  const { classes, counts, place } = occupied;
  const offsets = categoryOffsets(sizes);
  const totals = new Float64Array(sizes.length * classes);
  for (const [k, size] of sizes.entries()) {
    for (let f = 0; f < classes; f++) {
      let total = size;
      for (let code = 0; code < size; code++) total += counts[(offsets[k]! + code) * classes + f]!;
      totals[k * classes + f] = total;
    }
  }
  const probabilities = new Float64Array(counts.length);
  for (const [k, size] of sizes.entries()) {
    for (let at = offsets[k]! * classes; at < (offsets[k]! + size) * classes; at++) {
      probabilities[at] = (counts[at]! + 1) / totals[k * classes + (at % classes)]!;
    }
  }
  const sums = ofValues.flatMap((own) => {
    const ofClasses = new Array<ValueSums>(classes).fill(NO_VALUES);
    for (const [f, at] of place.entries()) {
      const number = own.numbers[f]!;
      if (number > 0) ofClasses[at] = { number, average: own.averages[f]!, squares: own.squares[f]! };
    }
    return ofClasses;
  });
  const predictives = sums.map((own, at) => predictiveOf(own, prior, continuous[Math.floor(at / classes)]!.smallest));
  return {
    classes,
    logWeights: occupied.weights.map(log),
    place,
    counts,
    totals,
    probabilities,
    logProbabilities: probabilities.map(log),
    sums,
    predictives,
    cells: cells.map((width, part) => {
      const masses = new Float64Array(classes * width);
      for (let f = 0; f < classes && width > 0; f++)
        cellMasses(predictives[part * classes + f]!, masses.subarray(f * width, (f + 1) * width));
      return masses;
    }),
  };
}
