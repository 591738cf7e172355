import { exp } from '../../numeric/portable-math.ts';
import { codesOf } from '../intruder/cell-order.ts';
import { CELL_EVALUATIONS } from './cell-evaluations.ts';
import { type BoundCells, doublesAt, sumsIn, writeCodes } from './cell-kernel.ts';
import type { CellSums } from './cell-sums.ts';

/** Cells whose evaluations the kernel forms together. */
const TILE = 8;

/** In place of a position for a combination whose cell is not listed. */
const UNLISTED = -1;

/** Cells that are scored in place of all: those of a list, and the combination's own. */
export interface ListedCells {
  /** Their numbers, increasing. */
  readonly cells: Float64Array;
  /** Position of each combination's own cell in the list, or UNLISTED. */
  readonly positions: Float64Array;
}

/** Lists cells for the kernel, which from now on knows them by their positions. */
export function listCells({ kernel, truthCells, rows }: BoundCells, cells: Float64Array): ListedCells {
  const positionOf = new Map(Array.from(cells, (cell, at) => [cell, at]));
  const positions = truthCells.map((cell) => positionOf.get(cell) ?? UNLISTED);
  doublesAt(kernel, kernel.truths, rows).set(positions);
  return { cells, positions };
}

/** Whether a combination's own cell is listed. */
export const isListed = ({ positions }: ListedCells, row: number) => positions[row] !== UNLISTED;

/** Has the kernel find the densities of the listed cells `from` up to but without `from + count`. */
export function beginListedBlock(bound: BoundCells, { cells }: ListedCells, from: number, count: number): void {
  const { kernel, order, prepared } = bound;
  // The last tile is filled up with its last cell, which the kernel does not count.
  const filled = Math.ceil(count / TILE) * TILE;
  for (let item = 0; item < filled; item++) {
    writeCodes(bound, item, codesOf(order, cells[from + Math.min(item, count - 1)]!));
  }
  kernel.beginListed(count);
  for (let chain = 0; chain < prepared.chains; chain++) kernel.densitiesOfListed(chain, filled);
}

/** The sums over the listed cells and each combination's own, with guesses by the numbers of their cells. */
export function sumsOfListed(bound: BoundCells, listed: ListedCells): CellSums {
  const { order, truthCells, rows } = bound;
  const ofKernel = sumsIn(bound);
  const sums = {
    ...ofKernel,
    sums: ofKernel.sums.slice(),
    equal: ofKernel.equal.slice(),
    marginals: ofKernel.marginals.slice(),
    guessCells: ofKernel.guessCells.map((position, g) =>
      // Places that no cell has taken hold none.
      ofKernel.guessValues[g]! > -1e300 ? listed.cells[position]! : UNLISTED,
    ),
  };
  for (let row = 0; row < rows; row++) {
    if (isListed(listed, row)) continue;
    // The log-likelihood of the truth is 0 in every evaluation, so that its sum with weights adds nothing.
    for (let at = row * CELL_EVALUATIONS; at < (row + 1) * CELL_EVALUATIONS; at++) {
      sums.sums[at]! += exp(-sums.largest[at]!);
      sums.equal[at]!++;
    }
    const weight = exp(-sums.largest[row * CELL_EVALUATIONS]!);
    const codes = codesOf(order, truthCells[row]!);
    for (const [digit, variable] of order.variables.entries()) {
      sums.marginals[row * order.categories + order.offsets[digit]! + codes[variable]!]! += weight;
    }
  }
  return sums;
}
