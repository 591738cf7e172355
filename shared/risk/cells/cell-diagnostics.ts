import { exp, log } from '../../numeric/portable-math.ts';
import { codesOf } from '../intruder/cell-order.ts';
import { WeightTails } from '../scoring/weight-tails.ts';
import { type BoundCells, doublesAt, paddedRows, writeCodes } from './cell-kernel.ts';
import { CELL_EVALUATIONS, type CellSums, GUESSES, type PreparedSet } from './cell-sums.ts';

/**
 * For each combination, Kish's effective number of draws behind its noisiest expectation: the least, over sets and over
 * the guesses that hold at least their uniform share of the posterior, of (sum of r_x)^2 / (sum of r_x^2). Infinity when
 * every r_x is exact.
 */
export function cellEffectiveDraws(bound: BoundCells, sums: CellSums): Float64Array {
  const { order, prepared, rows, truthCells, blockCells } = bound;
  const effective = new Float64Array(rows).fill(Infinity);
  const inexact = prepared.sets.filter((set) => set.chains * set.drawsPerChain > 1);
  // The truth is a candidate as well, and its ratio is 1 in every draw.
  for (const set of inexact) {
    for (let row = 0; row < rows; row++) {
      effective[row] = Math.min(effective[row]!, set.chains * set.drawsPerChain);
    }
  }
  const byCell = likelyGuesses(sums, rows, order.cells, truthCells);
  const cells = [...byCell.keys()];
  for (let from = 0; from < cells.length; from += blockCells) {
    const listed = cells.slice(from, from + blockCells);
    for (const [item, cell] of listed.entries()) writeCodes(bound, item, codesOf(order, cell));
    const rowsOf = listed.map((cell) => byCell.get(cell)!);
    for (const set of inexact) {
      const moments = momentsOfListed(bound, set, rowsOf);
      for (const [item, guessers] of rowsOf.entries()) {
        for (const [i, row] of guessers.entries()) {
          const [sum, squares] = moments[item]!.subarray(2 * i, 2 * i + 2) as unknown as [number, number];
          effective[row] = Math.min(effective[row]!, (sum * sum) / squares);
        }
      }
    }
  }
  return effective;
}

/**
 * For each listed cell and each combination that guesses it, the sums of r_x and of its square over all draws of a set,
 * up to a constant.
 */
function momentsOfListed(bound: BoundCells, set: PreparedSet, rowsOf: readonly (readonly number[])[]): Float64Array[] {
  const { kernel, prepared, blockCells, firstDraw } = bound;
  const padded = paddedRows(bound);
  const weights = doublesAt(kernel, kernel.weights, padded * prepared.draws);
  const panels = doublesAt(kernel, kernel.panel, blockCells * prepared.draws);
  const moments = rowsOf.map((rows) => new Float64Array(2 * rows.length));
  for (let chain = set.firstChain; chain < set.firstChain + set.chains; chain++) {
    kernel.densitiesOfListed(chain, rowsOf.length);
    const weightsOfChain = weights.subarray(padded * firstDraw[chain]!);
    const panel = panels.subarray(blockCells * firstDraw[chain]!);
    for (const [item, guessers] of rowsOf.entries()) {
      for (const [i, row] of guessers.entries()) {
        const [sum, squares] = ratioMoments(weightsOfChain, row, panel, item, set.drawsPerChain);
        moments[item]![2 * i]! += sum;
        moments[item]![2 * i + 1]! += squares;
      }
    }
  }
  return moments;
}

/** Combinations by guess, of the guesses other than the truth that hold at least their uniform share. */
function likelyGuesses(
  { guessValues, guessCells, largest, sums }: CellSums,
  rows: number,
  cells: number,
  truths: Float64Array,
): Map<number, number[]> {
  const byCell = new Map<number, number[]>();
  for (let row = 0; row < rows; row++) {
    for (let g = row * GUESSES; g < (row + 1) * GUESSES; g++) {
      const at = row * CELL_EVALUATIONS;
      const probability = exp(guessValues[g]! - largest[at]!) / sums[at]!;
      if (probability * cells < 1 || guessCells[g] === truths[row]) continue;
      const guessedBy = byCell.get(guessCells[g]!);
      if (guessedBy) guessedBy.push(row);
      else byCell.set(guessCells[g]!, [row]);
    }
  }
  return byCell;
}

/** Sums of r_x and its square over a chain's draws, up to a constant; both arrays are strips of 4 items x draws x 4. */
function ratioMoments(
  weights: Float64Array,
  row: number,
  panel: Float64Array,
  item: number,
  draws: number,
): [sum: number, squares: number] {
  let w = Math.floor(row / 4) * draws * 4 + (row % 4);
  let f = Math.floor(item / 4) * draws * 4 + (item % 4);
  let sum = 0;
  let squares = 0;
  for (let d = 0; d < draws; d++, w += 4, f += 4) {
    const ratio = weights[w]! * panel[f]!;
    sum += ratio;
    squares += ratio * ratio;
  }
  return [sum, squares];
}

/**
 * The largest Pareto k of the weights 1 / f(x_i | Theta) of each combination among the likelihood's sets of chains, NaN
 * where none can be fitted. The weights that the kernel has kept have a common factor, which does not change it.
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
