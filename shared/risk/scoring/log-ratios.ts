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
  const logWeights = weights.map(log);
  const logOwn = Array.from(own, (code, column) => phi(variableOfColumn[column]!, code).map(log));
  const logProduct = (changed: readonly number[]): Float64Array => {
    const logs = logWeights.slice();
    for (const [column, factors] of logOwn.entries()) {
      if (!changed.includes(column)) for (let f = 0; f < classes; f++) logs[f]! += factors[f]!;
    }
    return logs;
  };
  const scaledProduct = (changed: readonly number[]): Float64Array => {
    const logs = logProduct(changed);
    const largest = logs.reduce((most, value) => Math.max(most, value), -Infinity);
    return logs.map((value) => exp(value - largest));
  };
  ratios[0] = 1;
  if (space.kind === 'unknown') unknownRatios(space, own, phi, scaledProduct(space.unknown), ratios);
  else changeRatios(space, own, phi, scaledProduct, ratios);
  return -logSumExp(logProduct([]));
}

/** phi of a draw: the vector over classes of a category. */
type CategoryVector = (k: number, code: number) => Float64Array;

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let f = 0; f < a.length; f++) sum += a[f]! * b[f]!;
  return sum;
}

const product = (a: Float64Array, b: Float64Array) => a.map((value, f) => value * b[f]!);

function changeRatios(
  { kind, sizes }: CandidateSpace,
  own: Uint16Array,
  phi: CategoryVector,
  scaledProduct: (changed: readonly number[]) => Float64Array,
  ratios: Float64Array,
): void {
  let candidate = 1;
  const score = (others: Float64Array, k: number, truth: number) => {
    // There are always as many changes, though a missing value is none of the categories.
    const end = own[k] === sizes[k] ? sizes[k]! - 1 : sizes[k]!;
    for (let c = 0; c < end; c++) {
      if (c !== own[k]) ratios[candidate++] = dot(others, phi(k, c)) / truth;
    }
  };
  for (const k of sizes.keys()) {
    const others = scaledProduct([k]);
    score(others, k, dot(others, phi(k, own[k]!)));
  }
  if (kind !== 'two-changes') return;
  for (const [j, size] of sizes.entries()) {
    const laterOnes = [...sizes.keys()].slice(j + 1);
    const others = laterOnes.map((k) => scaledProduct([j, k]));
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
