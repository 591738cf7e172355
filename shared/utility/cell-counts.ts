import type { CountedRows } from '../table/counted-rows.ts';

/** Cells of a cross-classification that are counted in an array; more are counted where records are. */
const MOST_IN_ARRAY = 1 << 20;

/** Counts of records in the cells of a cross-classification. */
export interface CellCounts {
  /** Calls back for every cell that may hold records: each with that of other counts of the same variables. */
  compare(other: CellCounts, visit: (own: number, others: number) => void): void;
  /** @internal */
  readonly cells: Float64Array | Map<number, number>;
}

/** Numbers of categories of categorical variables. */
export function sizesOf({ schema }: CountedRows, variables: readonly number[]): number[] {
  return variables.map((v) => {
    const variable = schema.variables[v]!;
    if (variable.type !== 'categorical') throw new RangeError(`${variable.name} is not categorical`);
    return variable.categories.length;
  });
}

/** For each row its cell in the cross-classification of some categorical variables, the last one fastest. */
export function cellsOfRows(rows: CountedRows, variables: readonly number[]): Float64Array {
  const sizes = sizesOf(rows, variables);
  const cells = new Float64Array(rows.rows);
  for (const [k, v] of variables.entries()) {
    const column = rows.columns[v]!;
    if (column.type !== 'categorical') throw new RangeError('expected categorical variables');
    const { codes } = column;
    const size = sizes[k]!;
    for (let row = 0; row < cells.length; row++) cells[row] = cells[row]! * size + codes[row]!;
  }
  return cells;
}

/** Counts the records of rows in the cells of some categorical variables. */
export function countCells(rows: CountedRows, variables: readonly number[]): CellCounts {
  const size = sizesOf(rows, variables).reduce((product, one) => product * one, 1);
  const cellOf = cellsOfRows(rows, variables);
  const { counts } = rows;
  if (size <= MOST_IN_ARRAY) {
    const cells = new Float64Array(size);
    for (let row = 0; row < cellOf.length; row++) cells[cellOf[row]!]! += counts[row]!;
    return { cells, compare: (other, visit) => compareArrays(cells, other.cells as Float64Array, visit) };
  }
  const cells = new Map<number, number>();
  for (let row = 0; row < cellOf.length; row++) {
    cells.set(cellOf[row]!, (cells.get(cellOf[row]!) ?? 0) + counts[row]!);
  }
  return { cells, compare: (other, visit) => compareMaps(cells, other.cells as Map<number, number>, visit) };
}

function compareArrays(own: Float64Array, others: Float64Array, visit: (a: number, b: number) => void): void {
  for (let cell = 0; cell < own.length; cell++) visit(own[cell]!, others[cell]!);
}

function compareMaps(own: ReadonlyMap<number, number>, others: ReadonlyMap<number, number>, visit: (a: number, b: number) => void): void {
  for (const [cell, count] of own) visit(count, others.get(cell) ?? 0);
  for (const [cell, count] of others) if (!own.has(cell)) visit(0, count);
}
