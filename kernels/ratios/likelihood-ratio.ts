/**
 * Likelihood ratios of every candidate of a batch of combinations, added up over draws in this memory, two classes at a time
 * (f64x2). The plain programs are in bench/plain/likelihood-ratio-reference.ts, and the results are the same to
 * the last bit: the same products and sums in the same order, with one sum over the even classes and one over the odd
 * ones.
 *
 * Memory, in bytes, with F the classes (made even), C the candidates of a row, p the variables and N the changes of the
 * left half: 16 C + 16 F + 24 p + 62 for each row at most, and whatever the rows about 8 F (4 categories + 6 p + 70) and
 * 16 C, with two changes 8 F N more. Neither grows with the draws.
 */
import { prepareChanges, scoreChanges, left, right } from './change-candidates';
import { beginLeaveOut, prepareLeaveOut } from './leave-out';
import { preparePanel } from './panel';
import { beginDraw, prepareSums } from './ratio-sums';
import { unknownVariables } from './shape';
import { known, prepareUnknown, scoreUnknown } from './unknown-candidates';
import { ValueGroups } from './value-groups';
import { prepareVectors } from './vectors';

export { offsets, pairs, singles } from './change-candidates';
export { centres, changed, classOfRow, counts, firstCategories, held, unknown } from './leave-out';
export { scales, squares, sums, unsafeCount } from './ratio-sums';
export {
  blockValues,
  candidates,
  categories,
  classes,
  headVariables,
  knownValues,
  knownVariables,
  leftChanges,
  leftValues,
  leftVariables,
  rightValues,
  rows,
  twoChanges,
  unknownVariables,
  variables,
} from './shape';
export { firsts, own, sizes } from './unknown-candidates';
export { probabilities, setClasses, weights } from './vectors';

/** Lays the memory out by the numbers that the host has set; called once. */
export function layOut(): void {
  prepareVectors();
  preparePanel();
  prepareSums();
  if (unknownVariables > 0) prepareUnknown();
  else prepareChanges();
  prepareLeaveOut();
}

/** Group 0 is of the left half or of the known variables, group 1 of the right half. */
function group(number: i32): ValueGroups {
  return unknownVariables > 0 ? known : number == 0 ? left : right;
}

/** Address of values x variables, u32: categories of the distinct values of a group. */
export function categoriesOf(number: i32): usize {
  return group(number).categories;
}

/** Address of values + 1, u32: where the rows of each value begin. */
export function startsOf(number: i32): usize {
  return group(number).starts;
}

/** Address of rows, u32: the rows value by value. */
export function membersOf(number: i32): usize {
  return group(number).members;
}

/** Address of rows, u32: value of each row. */
export function valuesOf(number: i32): usize {
  return group(number).valueOfRow;
}

/**
 * Adds the ratios of one draw to the sums of every row, but of the `unsafeCount` rows whose scale is then 0.
 *
 * @param allocated whether phi is integrated out given the `counts` of an allocation, without the row's own record, and
 * `probabilities` then receives its means; else `probabilities` has phi
 */
export function score(safeDensity: f64, allocated: bool): void {
  beginDraw(safeDensity);
  beginLeaveOut(allocated);
  if (unknownVariables > 0) scoreUnknown();
  else scoreChanges();
}
