import { categoryOffsets } from '../../table/category-sizes.ts';

/**
 * The cells of the cross-classification of all variables, numbered from 0 without being stored: mixed radix over
 * the variables by their number of categories, the largest running fastest, so that neighbouring cells share the
 * product over all other variables.
 */
export interface CellOrder {
  /** Columns of the table in the order of the digits. */
  readonly variables: readonly number[];
  /** Number of categories of each digit. */
  readonly sizes: readonly number[];
  /** First category of each digit among the categories of all variables, end to end in column order. */
  readonly offsets: readonly number[];
  readonly categories: number;
  /** Number of cells: beyond 2^53 it is no longer exact, and cells cannot be numbered. */
  readonly cells: number;
}

/**
 * The order of a table's cells.
 *
 * @param sizes number of categories of each variable, in column order
 */
export function cellOrder(sizes: readonly number[]): CellOrder {
  const first = categoryOffsets(sizes);
  const variables = [...sizes.keys()].sort((a, b) => sizes[a]! - sizes[b]! || a - b);
  return {
    variables,
    sizes: variables.map((variable) => sizes[variable]!),
    offsets: variables.map((variable) => first[variable]!),
    categories: first[sizes.length]!,
    cells: sizes.reduce((product, size) => product * size, 1),
  };
}

/** Number of the cell that has the given codes (in column order). */
export function cellOf({ variables, sizes }: CellOrder, codes: ArrayLike<number>): number {
  return variables.reduce((cell, variable, digit) => cell * sizes[digit]! + codes[variable]!, 0);
}

/** Codes of a cell, in column order. */
export function codesOf({ variables, sizes }: CellOrder, cell: number): Uint16Array {
  const codes = new Uint16Array(variables.length);
  let rest = cell;
  for (let digit = variables.length - 1; digit >= 0; digit--) {
    const code = rest % sizes[digit]!;
    rest = (rest - code) / sizes[digit]!;
    codes[variables[digit]!] = code;
  }
  return codes;
}
