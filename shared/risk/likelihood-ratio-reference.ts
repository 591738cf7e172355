import { categoryOffsets } from '../model/sharing-order.ts';
import { exp, log } from '../numeric/portable-math.ts';
import { type CandidateSpace, unknownIndex } from './candidate-space.ts';
import type { RatioScorer } from './likelihood-ratio.ts';

/** A mixture density below this may have lost digits to underflow and is formed again in logs. */
export const SAFE_DENSITY = 1e-250;

/**
 * Densities of every category of one variable: `densities[at + c]` becomes the sum over classes of
 * `others[f]` times the category's probabilities, which start at `from`. Even and odd classes are summed
 * apart, as the kernel's two lanes do.
 */
function categoryDensities(
  others: Float64Array,
  probabilities: Float64Array,
  from: number,
  size: number,
  densities: Float64Array,
  at: number,
): void {
  const classes = others.length;
  for (let c = 0; c < size; c++) {
    const row = from + c * classes;
    let even = 0;
    let odd = 0;
    for (let f = 0; f < classes; f += 2) even += others[f]! * probabilities[row + f]!;
    for (let f = 1; f < classes; f += 2) odd += others[f]! * probabilities[row + f]!;
    densities[at + c] = even + odd;
  }
}

/**
 * Class weights times the probabilities of some variables, in logs and scaled so that the largest is 1.
 * Only ratios are wanted, and candidates that share the scale share the product.
 */
function scaledProduct(
  weights: Float64Array,
  probabilities: Float64Array,
  categories: readonly number[],
  product: Float64Array,
): void {
  const classes = weights.length;
  let largest = -Infinity;
  for (let f = 0; f < classes; f++) {
    let value = log(weights[f]!);
    for (const category of categories) value += log(probabilities[category * classes + f]!);
    product[f] = value;
    if (value > largest) largest = value;
  }
  for (let f = 0; f < classes; f++) product[f] = exp(product[f]! - largest);
}

/**
 * The scorer in plain TypeScript: the program to read, and the oracle of the kernel behind `createRatioScorer`.
 * For `one-change` candidates the product over all other variables is formed once for each variable from
 * prefix and suffix products, so that a candidate costs one dot product over classes; for `unknown` ones the
 * product over the known variables is formed once.
 *
 * @param codes combinations x variables
 */
export function createReferenceScorer(space: CandidateSpace, codes: Uint16Array): RatioScorer {
  return space.kind === 'one-change' ? oneChangeScorer(space, codes) : unknownScorer(space, codes);
}

function oneChangeScorer(space: CandidateSpace, codes: Uint16Array): RatioScorer {
  const { sizes, perCombination } = space;
  const variables = sizes.length;
  const rows = codes.length / variables;
  const offsets = categoryOffsets(sizes);
  return (weights, probabilities, ratios) => {
    const classes = weights.length;
    const prefixes = new Float64Array(variables * classes);
    const suffix = new Float64Array(classes);
    const others = new Float64Array(classes);
    const densities = new Float64Array(Math.max(...sizes));
    prefixes.set(weights);
    for (let row = 0; row < rows; row++) {
      const first = row * variables;
      for (let k = 0; k < variables - 1; k++) {
        const from = k * classes;
        const own = (offsets[k]! + codes[first + k]!) * classes;
        for (let f = 0; f < classes; f++) {
          prefixes[from + classes + f] = prefixes[from + f]! * probabilities[own + f]!;
        }
      }
      suffix.fill(1);
      let position = (row + 1) * perCombination;
      for (let k = variables - 1; k >= 0; k--) {
        const ownCode = codes[first + k]!;
        const own = (offsets[k]! + ownCode) * classes;
        for (let f = 0; f < classes; f++) others[f] = prefixes[k * classes + f]! * suffix[f]!;
        const variable = offsets[k]! * classes;
        categoryDensities(others, probabilities, variable, sizes[k]!, densities, 0);
        if (!(densities[ownCode]! > SAFE_DENSITY)) {
          const categories = [];
          for (let j = 0; j < variables; j++) if (j !== k) categories.push(offsets[j]! + codes[first + j]!);
          scaledProduct(weights, probabilities, categories, others);
          categoryDensities(others, probabilities, variable, sizes[k]!, densities, 0);
        }
        const scale = 1 / densities[ownCode]!;
        for (let c = sizes[k]! - 1; c >= 0; c--) {
          if (c !== ownCode) ratios[--position] = densities[c]! * scale;
        }
        for (let f = 0; f < classes; f++) suffix[f]! *= probabilities[own + f]!;
      }
      ratios[row * perCombination] = 1;
    }
  };
}

function unknownScorer(space: CandidateSpace, codes: Uint16Array): RatioScorer {
  const { sizes, unknown, perCombination } = space;
  const variables = sizes.length;
  const rows = codes.length / variables;
  const offsets = categoryOffsets(sizes);
  const known = [...sizes.keys()].filter((k) => !unknown.includes(k));
  return (weights, probabilities, ratios) => {
    const classes = weights.length;
    const depth = unknown.length;
    const products = Array.from({ length: depth }, () => new Float64Array(classes));
    for (let row = 0; row < rows; row++) {
      const own = codes.subarray(row * variables, (row + 1) * variables);
      const start = row * perCombination;
      const truth = unknownIndex(space, own);
      const categories = known.map((k) => offsets[k]! + own[k]!);
      const product = products[0]!;
      product.set(weights);
      for (const category of categories) {
        for (let f = 0; f < classes; f++) product[f]! *= probabilities[category * classes + f]!;
      }
      let position = 0;
      const descend = (level: number): void => {
        const from = products[level]!;
        const variable = unknown[level]!;
        if (level === depth - 1) {
          const category = offsets[variable]! * classes;
          categoryDensities(from, probabilities, category, sizes[variable]!, ratios, start + position);
          position += sizes[variable]!;
          return;
        }
        for (let c = 0; c < sizes[variable]!; c++) {
          const category = (offsets[variable]! + c) * classes;
          const next = products[level + 1]!;
          for (let f = 0; f < classes; f++) next[f] = from[f]! * probabilities[category + f]!;
          descend(level + 1);
        }
      };
      descend(0);
      if (!(ratios[start + truth]! > SAFE_DENSITY)) {
        // Again with the known variables' product scaled in logs, which leaves the ratios as they are.
        scaledProduct(weights, probabilities, categories, product);
        position = 0;
        descend(0);
      }
      const density = ratios[start + truth]!;
      // The truth comes first; the values before it move up by one.
      ratios.copyWithin(start + 1, start, start + truth);
      ratios[start] = density;
      for (let x = 0; x < perCombination; x++) ratios[start + x]! /= density;
    }
  };
}
