import type { ChainState } from '../../model/chains/chain-sampler.ts';
import { logSumExp } from '../../numeric/log-sum-exp.ts';
import { exp, log } from '../../numeric/portable-math.ts';
import { categoryOffsets } from '../../table/category-sizes.ts';
import { type CandidateSpace, unknownIndex } from '../intruder/candidate-space.ts';

/** A mixture density below this may have lost digits to underflow: its combination is scored in logs. */
export const SAFE_DENSITY = 1e-250;

/** The columns that every candidate has in common with the truth: those of known variables, and further ones. */
export function knownColumns(unknown: readonly number[], variableOfColumn: readonly number[]): number[] {
  return [...variableOfColumn.keys()].filter((column) => !unknown.includes(column));
}

/**
 * Likelihood ratios of one combination by logarithms, for densities near underflow. Candidates that change the same
 * variables share the product over all others, which is formed in logs and scaled so that its largest class is 1; the
 * truth beside them is taken with the same scale, which the ratio cancels.
 *
 * @param own codes of the combination, and the variable of each of them, as `createRatioScorer` takes it
 * @param ratios receives one entry a candidate, in the order of `CandidateSpace`
 * @returns log 1 / f(x_i | Theta)
 */
export function logRatios(
  space: CandidateSpace,
  { own, variableOfColumn }: { readonly own: Uint16Array; readonly variableOfColumn: readonly number[] },
  { weights, probabilities }: Pick<ChainState, 'weights' | 'probabilities'>,
  ratios: Float64Array,
): number {
  const classes = weights.length;
  const offsets = categoryOffsets(space.sizes);
  const ones = new Float64Array(classes).fill(1);
  const phi = (k: number, code: number) =>
    code === space.sizes[k] ? ones : probabilities.subarray((offsets[k]! + code) * classes, (offsets[k]! + code + 1) * classes);
  const logOwn = new Float64Array(own.length * classes);
  for (const [column, code] of own.entries()) {
    const factors = phi(variableOfColumn[column]!, code);
    for (let f = 0; f < classes; f++) logOwn[column * classes + f] = log(factors[f]!);
  }
  const before = new Float64Array((own.length + 1) * classes);
  before.set(weights.map(log));
  for (let at = 0; at < logOwn.length; at++) before[at + classes] = before[at]! + logOwn[at]!;
  ratios[0] = 1;
  if (space.kind === 'unknown') {
    const columns = [...own.keys()].filter((column) => !space.unknown.includes(column));
    const known = columns.reduce<Float64Array>((logs, column) => withColumn(logs, logOwn, column), before.slice(0, classes));
    unknownRatios(space, own, phi, scaled(known), ratios);
  } else changeRatios(space, own, phi, { before, logOwn, classes }, ratios);
  return -logSumExp(before.subarray(logOwn.length));
}

/** Logs of factors, columns x classes: of each column; and of the weights and all columns before each one, up to all of them. */
interface LogFactors {
  readonly logOwn: Float64Array;
  readonly before: Float64Array;
  readonly classes: number;
}

/** Logs with those of a column added. */
function withColumn(logs: Float64Array, factors: Float64Array, column: number): Float64Array {
  const sums = logs.slice();
  for (let f = 0, at = column * sums.length; f < sums.length; f++, at++) sums[f]! += factors[at]!;
  return sums;
}

/** Turns logs into what they are of, scaled so that the largest is 1. */
function scaled(logs: Float64Array): Float64Array {
  let largest = -Infinity;
  for (const value of logs) largest = Math.max(largest, value);
  for (let f = 0; f < logs.length; f++) logs[f] = exp(logs[f]! - largest);
  return logs;
}

/** phi of a draw: the vector over classes of a category. */
type CategoryVector = (k: number, code: number) => Float64Array;

function dot(a: Float64Array, b: Float64Array): number {
  let added = 0;
  for (let f = 0; f < a.length; f++) added += a[f]! * b[f]!;
  return added;
}

const product = (a: Float64Array, b: Float64Array) => a.map((value, f) => value * b[f]!);

function changeRatios(
  { kind, sizes }: CandidateSpace,
  own: Uint16Array,
  phi: CategoryVector,
  { before, logOwn, classes }: LogFactors,
  ratios: Float64Array,
): void {
  // All columns from each one on: what a change leaves is the columns before it and those behind.
  const after = new Float64Array(before.length);
  for (let at = logOwn.length - 1; at >= 0; at--) after[at] = logOwn[at]! + after[at + classes]!;
  const columnsBefore = (k: number) => before.subarray(k * classes, (k + 1) * classes);
  let candidate = 1;
  const score = (others: Float64Array, k: number, truth: number) => {
    // There are always as many changes, though a missing value is none of the categories.
    const end = own[k] === sizes[k] ? sizes[k]! - 1 : sizes[k]!;
    for (let c = 0; c < end; c++) {
      if (c !== own[k]) ratios[candidate++] = dot(others, phi(k, c)) / truth;
    }
  };
  for (const k of sizes.keys()) {
    const others = scaled(withColumn(columnsBefore(k), after, k + 1));
    score(others, k, dot(others, phi(k, own[k]!)));
  }
  if (kind !== 'two-changes') return;
  for (const [j, size] of sizes.entries()) {
    const laterOnes = [...sizes.keys()].slice(j + 1);
    let between = columnsBefore(j);
    const others = laterOnes.map((k) => {
      const left = withColumn(between, after, k + 1);
      between = withColumn(between, logOwn, k);
      return scaled(left);
    });
    const truths = laterOnes.map((k, i) => dot(product(others[i]!, phi(j, own[j]!)), phi(k, own[k]!)));
    for (let c = 0; c < size; c++) {
      if (c === own[j]) continue;
      for (const [i, k] of laterOnes.entries()) score(product(others[i]!, phi(j, c)), k, truths[i]!);
    }
  }
}

function unknownRatios(space: CandidateSpace, own: Uint16Array, phi: CategoryVector, known: Float64Array, ratios: Float64Array): void {
  const { sizes, unknown } = space;
  const truth = dot(
    unknown.reduce((vector, k) => product(vector, phi(k, own[k]!)), known),
    new Float64Array(known.length).fill(1),
  );
  const truthIndex = unknownIndex(space, own);
  let value = 0;
  const descend = (level: number, from: Float64Array): void => {
    const k = unknown[level]!;
    for (let c = 0; c < sizes[k]!; c++) {
      if (level < unknown.length - 1) {
        descend(level + 1, product(from, phi(k, c)));
        continue;
      }
      // The truth comes first; the values before it move up by one.
      if (value !== truthIndex) ratios[value < truthIndex ? value + 1 : value] = dot(from, phi(k, c)) / truth;
      value++;
    }
  };
  descend(0, known);
}
