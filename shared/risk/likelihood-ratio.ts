import { categoryOffsets } from '../model/sharing-order.ts';
import { exp, log } from '../numeric/portable-math.ts';
import { type CandidateSpace, unknownIndex } from './candidate-space.ts';

/**
 * Scores every candidate of a set of combinations under one draw of the parameters:
 * r_x = f(x | Theta) / f(x_i | Theta), with f the DPMPM's mixture of products (000 eq. 15).
 *
 * @param weights pi, one entry a class
 * @param probabilities phi, categories of all variables end to end x classes, classes innermost
 * @param ratios receives combinations x candidates
 */
export type RatioScorer = (weights: Float64Array, probabilities: Float64Array, ratios: Float64Array) => void;

/** A mixture density below this may have lost digits to underflow and is formed again in logs. */
const SAFE_DENSITY = 1e-250;

/** Sum over classes of a[f] b[from + f]; four sums at a time, since one would wait for its own addition. */
function dot(a: Float64Array, b: Float64Array, from: number, classes: number): number {
  let sum0 = 0;
  let sum1 = 0;
  let sum2 = 0;
  let sum3 = 0;
  let f = 0;
  for (; f + 3 < classes; f += 4) {
    sum0 += a[f]! * b[from + f]!;
    sum1 += a[f + 1]! * b[from + f + 1]!;
    sum2 += a[f + 2]! * b[from + f + 2]!;
    sum3 += a[f + 3]! * b[from + f + 3]!;
  }
  for (; f < classes; f++) sum0 += a[f]! * b[from + f]!;
  return sum0 + sum1 + (sum2 + sum3);
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
 * A scorer for combinations given as rows x variables codes. For `one-change` candidates the product over
 * all other variables is formed once for each variable from prefix and suffix products, so that a candidate
 * costs one dot product over classes; for `unknown` ones the product over the known variables is formed once.
 */
export function createRatioScorer(space: CandidateSpace, codes: Uint16Array): RatioScorer {
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
        let density = dot(others, probabilities, own, classes);
        if (!(density > SAFE_DENSITY)) {
          const categories = [];
          for (let j = 0; j < variables; j++) if (j !== k) categories.push(offsets[j]! + codes[first + j]!);
          scaledProduct(weights, probabilities, categories, others);
          density = dot(others, probabilities, own, classes);
        }
        for (let c = sizes[k]! - 1; c >= 0; c--) {
          if (c === ownCode) continue;
          ratios[--position] = dot(others, probabilities, (offsets[k]! + c) * classes, classes) / density;
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
        for (let c = 0; c < sizes[variable]!; c++) {
          const category = (offsets[variable]! + c) * classes;
          if (level === depth - 1) {
            ratios[start + position++] = dot(from, probabilities, category, classes);
          } else {
            const next = products[level + 1]!;
            for (let f = 0; f < classes; f++) next[f] = from[f]! * probabilities[category + f]!;
            descend(level + 1);
          }
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
