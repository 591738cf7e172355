import { categoryOffsets } from '../model/sharing-order.ts';
import { copyPadded, instantiateKernel, type KernelGlobal } from '../numeric/kernel.ts';
import type { CandidateSpace } from './candidate-space.ts';
import { createReferenceScorer, SAFE_DENSITY } from './likelihood-ratio-reference.ts';

/**
 * Scores every candidate of a set of combinations under one draw of the parameters:
 * r_x = f(x | Theta) / f(x_i | Theta), with f the DPMPM's mixture of products (000 eq. 15).
 *
 * @param weights pi, one entry a class
 * @param probabilities phi, categories of all variables end to end x classes, classes innermost
 * @param ratios receives combinations x candidates
 */
export type RatioScorer = (weights: Float64Array, probabilities: Float64Array, ratios: Float64Array) => void;

/** What kernels/one-change.ts exports; globals are addresses in its memory. */
interface OneChangeKernel {
  readonly memory: WebAssembly.Memory;
  prepare(
    rows: number,
    variables: number,
    paddedClasses: number,
    categories: number,
    largestSize: number,
    candidates: number,
  ): void;
  readonly codes: KernelGlobal;
  readonly sizes: KernelGlobal;
  readonly weights: KernelGlobal;
  readonly probabilities: KernelGlobal;
  readonly ratios: KernelGlobal;
  readonly unsafeRows: KernelGlobal;
  score(safeDensity: number): void;
}

/**
 * A scorer for combinations given as combinations x variables codes. `one-change` candidates are scored by
 * `kernels/one-change.ts`, `unknown` ones by the plain program.
 */
export function createRatioScorer(space: CandidateSpace, codes: Uint16Array): RatioScorer {
  if (space.kind === 'unknown') return createReferenceScorer(space, codes);
  let scorer: { readonly classes: number; readonly score: RatioScorer } | undefined;
  return (weights, probabilities, ratios) => {
    if (scorer?.classes !== weights.length) {
      scorer = { classes: weights.length, score: bindKernel(space, codes, weights.length) };
    }
    scorer.score(weights, probabilities, ratios);
  };
}

/** The kernel with its memory laid out for a number of classes. */
function bindKernel(space: CandidateSpace, codes: Uint16Array, classes: number): RatioScorer {
  const { sizes, perCombination } = space;
  const variables = sizes.length;
  const rows = codes.length / variables;
  const categories = categoryOffsets(sizes)[variables]!;
  const padded = classes + (classes % 2);
  const kernel = instantiateKernel<OneChangeKernel>('one-change');
  kernel.prepare(rows, variables, padded, categories, Math.max(...sizes), perCombination);
  const { buffer } = kernel.memory;
  new Uint16Array(buffer, kernel.codes.value, codes.length).set(codes);
  new Uint32Array(buffer, kernel.sizes.value, variables).set(sizes);
  const kernelWeights = new Float64Array(buffer, kernel.weights.value, padded);
  const kernelProbabilities = new Float64Array(buffer, kernel.probabilities.value, categories * padded);
  const kernelRatios = new Float64Array(buffer, kernel.ratios.value, rows * perCombination);
  const unsafeRows = new Uint8Array(buffer, kernel.unsafeRows.value, rows);
  return (weights, probabilities, ratios) => {
    copyPadded(weights, classes, kernelWeights);
    copyPadded(probabilities, classes, kernelProbabilities);
    kernel.score(SAFE_DENSITY);
    ratios.set(kernelRatios);
    for (let row = unsafeRows.indexOf(1); row >= 0; row = unsafeRows.indexOf(1, row + 1)) {
      // Rare: a density near underflow is scored in logs, by the plain program.
      const own = codes.subarray(row * variables, (row + 1) * variables);
      const rowRatios = ratios.subarray(row * perCombination, (row + 1) * perCombination);
      createReferenceScorer(space, own)(weights, probabilities, rowRatios);
    }
  };
}
