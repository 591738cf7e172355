import type { Allocation } from '../../model/chains/chain-sampler.ts';
import { categoryOffsets } from '../../table/category-sizes.ts';

/**
 * The mean of phi given the classes of all records but one, under the uniform Dirichlet prior (Hu et al. 2014, section 2):
 * (n_fk(c) + 1) / (n_fk + d_k), with n_fk(c) the other records of class f that have category c of variable k, n_fk those
 * that have any, and d_k the number of its categories.
 *
 * @param row place of the record's combination in the allocation
 * @param held what the record has; a missing value has the number after all categories
 * @param sizes number of categories of each variable
 * @returns categories of all variables end to end x classes
 */
export function leaveOut(
  { counts, classOfCombination }: Allocation,
  row: number,
  held: Uint16Array,
  sizes: readonly number[],
  classes: number,
): Float64Array {
  const offsets = categoryOffsets(sizes);
  const ownClass = classOfCombination[row]!;
  const means = new Float64Array(counts.length);
  for (const [k, size] of sizes.entries()) {
    for (let f = 0; f < classes; f++) {
      const others = (code: number) => counts[(offsets[k]! + code) * classes + f]! - (f === ownClass && code === held[k] ? 1 : 0);
      let total = size;
      for (let code = 0; code < size; code++) total += others(code);
      for (let code = 0; code < size; code++) {
        means[(offsets[k]! + code) * classes + f] = (others(code) + 1) / total;
      }
    }
  }
  return means;
}

/** The classes of a draw as far as they differ in the mean of phi. */
export interface OccupiedClasses {
  readonly classes: number;
  /** pi; classes. */
  readonly weights: Float64Array;
  /** Records of each class that have each category; categories x classes. */
  readonly counts: Uint32Array;
  /** The place of each class of the draw among these. */
  readonly place: Uint32Array;
}

/**
 * Finds the occupied classes of draws, and after them one for all the empty ones together: given the allocation phi of each of
 * these has its prior's mean, so that as a mixture they are one class of their whole weight.
 *
 * @param all classes of a draw
 * @param categories of all variables together
 * @returns by pi, the allocation of a draw, and the numbers of classes that they hold of what has no categories: in arrays that the
 *   next draw has as well
 */
export function occupiedClasses(
  all: number,
  categories: number,
): (weights: Float64Array, allocation: Pick<Allocation, 'counts'>, numbers?: readonly Float64Array[]) => OccupiedClasses {
  const totals = new Uint32Array(all);
  const place = new Uint32Array(all);
  const ofClasses = new Float64Array(all);
  const ofCategories = new Uint32Array(categories * all);
  return (weights, { counts }, numbers = []) => {
    totals.fill(0);
    for (let c = 0; c < categories; c++) {
      const from = c * all;
      for (let f = 0; f < all; f++) totals[f]! += counts[from + f]!;
    }
    for (const held of numbers) for (let f = 0; f < all; f++) totals[f]! += held[f]!;
    const occupied: number[] = [];
    for (let f = 0; f < all; f++) if (totals[f]! > 0) occupied.push(f);
    const classes = Math.min(all, occupied.length + 1);
    place.fill(occupied.length);
    ofClasses.fill(0);
    ofCategories.fill(0);
    for (let at = 0; at < occupied.length; at++) {
      const f = occupied[at]!;
      place[f] = at;
      for (let c = 0; c < categories; c++) ofCategories[c * classes + at] = counts[c * all + f]!;
    }
    for (let f = 0; f < all; f++) ofClasses[place[f]!]! += weights[f]!;
    return { classes, weights: ofClasses.subarray(0, classes), counts: ofCategories.subarray(0, categories * classes), place };
  };
}
