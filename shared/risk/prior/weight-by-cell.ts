import { log } from '../../numeric/portable-math.ts';
import type { PriorWeights } from './prior-weights.ts';

/** Numbers of cells of some variables in mixed radix; far below 2^53 for any table whose cells a file could name. */
export function cellStrides(variables: Uint16Array, sizes: readonly number[]): number[] {
  const strides: number[] = [];
  let stride = 1;
  for (const variable of variables) {
    strides.push(stride);
    stride *= sizes[variable]!;
  }
  if (stride > Number.MAX_SAFE_INTEGER) throw new RangeError('a file of a prior has too many cells to be numbered');
  return strides;
}

/** Logarithms of a file's weights by the numbers of their cells; those without weight are left out. */
export function logsByCell({ variables, codes, weights }: PriorWeights, sizes: readonly number[]): Map<number, number> {
  const strides = cellStrides(variables, sizes);
  const cells = new Map<number, number>();
  for (const [row, weight] of weights.entries()) {
    if (weight === 0) continue;
    let cell = 0;
    for (const [at, stride] of strides.entries()) cell += codes[row * variables.length + at]! * stride;
    cells.set(cell, log(weight));
  }
  return cells;
}

/**
 * The logarithm of what several files give whole records, the product of their weights.
 *
 * @returns a function of a record's codes, in column order, that gives undefined where some file gives it no weight
 */
export function logWeightOf(files: readonly PriorWeights[], sizes: readonly number[]): (codes: ArrayLike<number>) => number | undefined {
  const factors = files.map((file) => ({
    variables: file.variables,
    strides: cellStrides(file.variables, sizes),
    cells: logsByCell(file, sizes),
  }));
  return (codes) => {
    let sum = 0;
    for (const { variables, strides, cells } of factors) {
      let cell = 0;
      for (let at = 0; at < variables.length; at++) cell += codes[variables[at]!]! * strides[at]!;
      const one = cells.get(cell);
      if (one === undefined) return undefined;
      sum += one;
    }
    return sum;
  };
}
