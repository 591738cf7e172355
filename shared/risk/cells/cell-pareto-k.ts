import { log } from '../../numeric/portable-math.ts';
import { WeightTails } from '../scoring/weight-tails.ts';
import { type BoundCells, doublesAt, paddedRows } from './cell-kernel.ts';

/**
 * The largest Pareto k of the weights 1 / f(x_i | Theta) of each combination among the likelihood's sets of chains, NaN where none can
 * be fitted: from the weights that the kernel has kept, whose common factor does not change it.
 */
export function cellParetoK(bound: BoundCells): Float64Array {
  const { kernel, prepared, rows, firstDraw } = bound;
  const padded = paddedRows(bound);
  const weights = doublesAt(kernel, kernel.weights, padded * prepared.draws);
  const largest = new Float64Array(rows).fill(-Infinity);
  for (const { firstChain, chains, drawsPerChain } of prepared.sets.filter(({ isPrior }) => !isPrior)) {
    const tails = new WeightTails(rows, chains * drawsPerChain);
    const logWeights = new Float64Array(drawsPerChain * rows);
    for (let chain = firstChain; chain < firstChain + chains; chain++) {
      const chainWeights = weights.subarray(padded * firstDraw[chain]!);
      for (let row = 0; row < rows; row++) {
        const strip = Math.floor(row / 4) * drawsPerChain * 4 + (row % 4);
        for (let d = 0; d < drawsPerChain; d++) logWeights[d * rows + row] = log(chainWeights[strip + 4 * d]!);
      }
      tails.add(logWeights);
    }
    for (const [row, k] of tails.shapes().entries()) if (k > largest[row]!) largest[row] = k;
  }
  return largest.map((k) => (k === -Infinity ? NaN : k));
}
