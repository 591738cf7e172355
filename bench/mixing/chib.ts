import type { ChainState } from '../../shared/model/chains/chain-sampler.ts';
import { createDpmpm, type DpmpmSettings } from '../../shared/model/dpmpm/dpmpm.ts';
import { lgamma } from '../../shared/numeric/gamma-function.ts';
import { logSumExp } from '../../shared/numeric/log-sum-exp.ts';
import { log } from '../../shared/numeric/portable-math.ts';
import type { RandomStream } from '../../shared/random/random-stream.ts';
import { categoryOffsets } from '../../shared/table/category-sizes.ts';
import type { Combinations } from '../../shared/table/combinations.ts';
import { ExplicitAllocation } from './explicit-allocation.ts';

/** Iterations that find a point of high density in the mode, and those that give the density there. */
const POINT_ITERATIONS = 100;
const DENSITY_ITERATIONS = 300;

/** log density of a Dirichlet distribution. */
function logDirichlet(shapes: readonly number[], values: readonly number[]): number {
  const total = shapes.reduce((sum, shape) => sum + shape, 0);
  return shapes.reduce((sum, shape, c) => sum - lgamma(shape) + (shape - 1) * log(values[c]!), lgamma(total));
}

/**
 * Estimate of the log marginal likelihood of a mode (Chib 1995): log p(D | theta) + log p(theta) - log p(theta | D) at
 * a point theta, the last averaged over draws within the mode. Alpha is fixed and labels do not move, so that the mode
 * stays what it is; its copies under other labels are left out, for every mode alike.
 *
 * @param start a state in the mode
 */
export function chibEstimate(
  combinations: Combinations,
  sizes: readonly number[],
  classes: number,
  start: ChainState,
  random: RandomStream,
): number {
  const alpha = 2.5;
  const settings: DpmpmSettings = { classes, concentration: { value: alpha }, labelMoves: 0 };
  const explicit = new ExplicitAllocation(combinations, sizes, settings);
  const offsets = categoryOffsets(sizes);
  let state: ChainState = { ...start, concentration: alpha };
  const point = { ...state, weights: new Float64Array(classes), probabilities: state.probabilities.slice().fill(0) };
  for (let i = 0; i < POINT_ITERATIONS; i++) {
    state = explicit.drawParameters(explicit.allocate(state, random), alpha, random);
    for (const [f, weight] of state.weights.entries()) point.weights[f]! += weight / POINT_ITERATIONS;
    for (const [c, p] of state.probabilities.entries()) point.probabilities[c]! += p / POINT_ITERATIONS;
  }
  /** Density of the point given an allocation, from its full conditionals: of the prior without records. */
  const logDensity = (classCounts: Float64Array, categoryCounts: Float64Array): number => {
    let sum = 0;
    let after = classCounts.reduce((total, count) => total + count, 0);
    let rest = 1;
    for (let f = 0; f < classes - 1; f++) {
      after -= classCounts[f]!;
      const stick = Math.min(Math.max(point.weights[f]! / rest, 1e-12), 1 - 1e-12);
      sum += logDirichlet([1 + classCounts[f]!, alpha + after], [stick, 1 - stick]);
      rest *= 1 - stick;
    }
    for (let f = 0; f < classes; f++) {
      for (let k = 0; k < sizes.length; k++) {
        const at = Array.from({ length: sizes[k]! }, (_, c) => (offsets[k]! + c) * classes + f);
        sum += logDirichlet(
          at.map((c) => 1 + categoryCounts[c]!),
          at.map((c) => point.probabilities[c]!),
        );
      }
    }
    return sum;
  };
  const densities = new Float64Array(DENSITY_ITERATIONS);
  for (let i = 0; i < DENSITY_ITERATIONS; i++) {
    const allocation = explicit.allocate(state, random);
    densities[i] = logDensity(allocation.classCounts, allocation.categoryCounts);
    state = explicit.drawParameters(allocation, alpha, random);
  }
  const prior = logDensity(new Float64Array(classes), new Float64Array(point.probabilities.length));
  const posterior = logSumExp(densities) - log(DENSITY_ITERATIONS);
  return createDpmpm(combinations, sizes, settings).logLikelihood(point) + prior - posterior;
}
