import type { CellOrder } from '../intruder/cell-order.ts';
import { isListed, type ListedCells } from './listed-cells.ts';
import type { MissedMass } from './missed-mass.ts';

/** What a search came to for each combination of a batch, or of a run. */
export interface SearchedRows {
  /** Cells that were scored: the same for all. */
  readonly cellsFound: Float64Array;
  /** 1 where the combination's own cell is one of them, else 0. */
  readonly truthFound: Float64Array;
  /** Share of the posterior outside of the found cells, with its standard error. */
  readonly missed: Float64Array;
  readonly missedSe: Float64Array;
  /** Kish's effective number of visits behind it. */
  readonly effectiveVisits: Float64Array;
}

/** The figures of a search for the combinations that were scored. */
export function searchedRows(listed: ListedCells, missedMass: MissedMass, order: CellOrder): SearchedRows {
  const rows = listed.positions.length;
  const figures = Array.from({ length: rows }, (_, row) => missedMass.figures(row, order.cells));
  return {
    cellsFound: new Float64Array(rows).fill(listed.cells.length),
    truthFound: Float64Array.from({ length: rows }, (_, row) => (isListed(listed, row) ? 1 : 0)),
    missed: Float64Array.from(figures, ({ missed }) => missed),
    missedSe: Float64Array.from(figures, ({ missedSe }) => missedSe),
    effectiveVisits: Float64Array.from(figures, ({ effectiveVisits }) => effectiveVisits),
  };
}

/** Candidates of each combination: the found cells, and its own. */
export function searchedCandidates({ cellsFound, truthFound }: SearchedRows): Uint32Array {
  return Uint32Array.from(cellsFound, (cells, row) => cells + 1 - truthFound[row]!);
}

/** What a search has found, over records. */
export interface SearchFigures {
  readonly cellsFound: number;
  readonly truthFoundShare: number;
  readonly missedMassMean: number;
  readonly missedMassMeanSe: number;
  readonly missedMassMax: number;
}

/** Puts together what a search has found. @param counts records of every row */
export function searchFigures({ cellsFound, truthFound, missed, missedSe }: SearchedRows, counts: Uint32Array): SearchFigures {
  const records = counts.reduce((sum, count) => sum + count, 0);
  const mean = (figure: Float64Array) => counts.reduce((sum, count, row) => sum + count * figure[row]!, 0) / records;
  return {
    cellsFound: cellsFound[0]!,
    truthFoundShare: mean(truthFound),
    missedMassMean: mean(missed),
    // All combinations share the visits: their errors do not cancel.
    missedMassMeanSe: mean(missedSe),
    missedMassMax: missed.reduce((a, b) => Math.max(a, b)),
  };
}
