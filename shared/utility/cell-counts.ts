import type { CountedRows } from '../table/counted-rows.ts';
import { codesOf } from './regression/column-of.ts';

/** Cells of a cross-classification that are counted in an array; more are counted where records are. */
const MOST_IN_ARRAY = 1 << 20;

/** Counts of records in the cells of a cross-classification. */
export type CellCounts = Float64Array | ReadonlyMap<number, number>;

/** Numbers of categories of categorical variables. */
export function sizesOf({ schema }: CountedRows, variables: readonly number[]): number[] {
  return variables.map((v) => {
    const variable = schema.variables[v]!;
    if (variable.type !== 'categorical') throw new RangeError(`${variable.name} is not categorical`);
    return variable.categories.length;
  });
}

/** For each row its cell in the cross-classification of some categorical variables, the last one fastest. */
function cellsOfRows(rows: CountedRows, variables: readonly number[], sizes: readonly number[], cells: Uint32Array | Float64Array): void {
  for (const [k, v] of variables.entries()) {
    const codes = codesOf(rows, v);
    const size = sizes[k]!;
    for (let row = 0; row < cells.length; row++) cells[row] = cells[row]! * size + codes[row]!;
  }
}

/** Counts the records of rows in the cells of some categorical variables. */
export function countCells(rows: CountedRows, variables: readonly number[]): CellCounts {
  const sizes = sizesOf(rows, variables);
  const size = sizes.reduce((product, one) => product * one, 1);
  const { counts } = rows;
  if (size <= MOST_IN_ARRAY) {
    const cellOf = new Uint32Array(rows.rows);
    cellsOfRows(rows, variables, sizes, cellOf);
    const cells = new Float64Array(size);
    for (let row = 0; row < cellOf.length; row++) cells[cellOf[row]!]! += counts[row]!;
    return cells;
  }
  const cellOf = new Float64Array(rows.rows);
  cellsOfRows(rows, variables, sizes, cellOf);
  const cells = new Map<number, number>();
  for (let row = 0; row < cellOf.length; row++) {
    cells.set(cellOf[row]!, (cells.get(cellOf[row]!) ?? 0) + counts[row]!);
  }
  return cells;
}

/** Calls back for every cell that holds records, in their order. */
export function visitCells(counts: CellCounts, visit: (cell: number, count: number) => void): void {
  if (counts instanceof Float64Array) {
    for (let cell = 0; cell < counts.length; cell++) if (counts[cell]! > 0) visit(cell, counts[cell]!);
    return;
  }
  for (const cell of [...counts.keys()].sort((x, y) => x - y)) visit(cell, counts.get(cell)!);
}

/** Calls back for every cell that may hold records, with both counts; they are of the same variables. */
export function compareCells(own: CellCounts, others: CellCounts, visit: (own: number, other: number) => void): void {
  if (own instanceof Float64Array) {
    for (let cell = 0; cell < own.length; cell++) visit(own[cell]!, (others as Float64Array)[cell]!);
    return;
  }
  const other = others as ReadonlyMap<number, number>;
  for (const [cell, count] of own) visit(count, other.get(cell) ?? 0);
  for (const [cell, count] of other) if (!own.has(cell)) visit(0, count);
}
