import { categoryOffsets } from '../model/sharing-order.ts';
import { exp, log } from '../numeric/portable-math.ts';
import { type CandidateSpace, candidateChanges } from './candidate-space.ts';

/**
 * Likelihood ratios of one combination by logarithms, for densities near underflow. Candidates that change the same
 * variables share the product over all others, which is formed in logs and scaled so that its largest class is 1; their
 * truth is taken with the same scale, which the ratio cancels.
 *
 * @param own codes of the combination
 * @param ratios receives one entry a candidate
 */
export function logRatios(
  space: CandidateSpace,
  own: Uint16Array,
  weights: Float64Array,
  probabilities: Float64Array,
  ratios: Float64Array,
): void {
  const classes = weights.length;
  const offsets = categoryOffsets(space.sizes);
  const product = new Float64Array(classes);
  const density = (changed: readonly number[], codes: ArrayLike<number>) => {
    let sum = 0;
    for (let f = 0; f < classes; f++) {
      let value = product[f]!;
      for (const k of changed) value *= probabilities[(offsets[k]! + codes[k]!) * classes + f]!;
      sum += value;
    }
    return sum;
  };
  let shared: readonly number[] = [];
  let truth = 0;
  ratios[0] = 1;
  for (let x = 1; x < space.perCombination; x++) {
    const changes = candidateChanges(space, own, x);
    const changed = space.kind === 'unknown' ? space.unknown : changes.map(({ variable }) => variable);
    if (changed.length !== shared.length || changed.some((k, i) => k !== shared[i])) {
      shared = changed;
      scaledProduct(weights, probabilities, classes, otherCategories(own, offsets, changed), product);
      truth = density(changed, own);
    }
    const codes = own.slice();
    for (const { variable, code } of changes) codes[variable] = code;
    ratios[x] = density(changed, codes) / truth;
  }
}

/** Categories of all variables but some, numbered through all variables. */
function otherCategories(own: Uint16Array, offsets: Uint32Array, changed: readonly number[]): number[] {
  return [...own.keys()].filter((k) => !changed.includes(k)).map((k) => offsets[k]! + own[k]!);
}

/** Class weights times the probabilities of some categories, in logs and scaled so that the largest is 1. */
function scaledProduct(
  weights: Float64Array,
  probabilities: Float64Array,
  classes: number,
  categories: readonly number[],
  product: Float64Array,
): void {
  let largest = -Infinity;
  for (let f = 0; f < classes; f++) {
    let value = log(weights[f]!);
    for (const category of categories) value += log(probabilities[category * classes + f]!);
    product[f] = value;
    if (value > largest) largest = value;
  }
  for (let f = 0; f < classes; f++) product[f] = exp(product[f]! - largest);
}
