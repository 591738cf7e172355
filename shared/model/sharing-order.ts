import type { Combinations } from '../table/combinations.ts';

/**
 * Combinations sorted so that neighbours share the product over a common prefix of variables.
 * Everything that multiplies class probabilities over the variables of every combination walks this order.
 */
export interface SharingOrder {
  /** Number of combinations, one row each. */
  readonly rows: number;
  readonly variables: number;
  /** rows x variables, in walking order of rows and columns: index of the category among all categories. */
  readonly categories: Uint32Array;
  /** For each row, how many leading columns equal those of the row before; below `variables`. */
  readonly shared: Uint16Array;
  /** For each row, the number of records that have the combination. */
  readonly counts: Uint32Array;
}

/** Index of each variable's first category when the categories of all variables are laid end to end. */
export function categoryOffsets(sizes: readonly number[]): Uint32Array {
  const offsets = new Uint32Array(sizes.length + 1);
  for (const [k, size] of sizes.entries()) offsets[k + 1] = offsets[k]! + size;
  return offsets;
}

/** Columns in the greedy order that leaves the fewest distinct prefixes at every depth. */
function greedyColumns(combinations: Combinations, sizes: readonly number[]): number[] {
  const { count, variables, codes } = combinations;
  const columns: number[] = [];
  let groups = new Uint32Array(count);
  let groupCount = 1;
  const left = new Set(sizes.keys());
  while (left.size > 0) {
    let best = -1;
    let bestGroups = groups;
    let bestCount = Infinity;
    for (const column of left) {
      const size = sizes[column]!;
      const ids = new Map<number, number>();
      const refined = new Uint32Array(count);
      for (let r = 0; r < count; r++) {
        const key = groups[r]! * size + codes[r * variables + column]!;
        let id = ids.get(key);
        if (id === undefined) {
          id = ids.size;
          ids.set(key, id);
        }
        refined[r] = id;
      }
      if (ids.size < bestCount) {
        best = column;
        bestGroups = refined;
        bestCount = ids.size;
      }
    }
    columns.push(best);
    left.delete(best);
    groups = bestGroups;
    // Once every row is alone, no order of the remaining columns shares anything.
    if (bestCount === count && groupCount === count) break;
    groupCount = bestCount;
  }
  return [...columns, ...left];
}

/** Rows in lexicographic order of the given columns, by stable counting sorts from the last column. */
function sortRows(combinations: Combinations, sizes: readonly number[], columns: number[]): Uint32Array {
  const { count, variables, codes } = combinations;
  let rows = Uint32Array.from({ length: count }, (_, r) => r);
  let next = new Uint32Array(count);
  for (const column of columns.toReversed()) {
    const starts = new Uint32Array(sizes[column]! + 1);
    for (let r = 0; r < count; r++) starts[codes[r * variables + column]! + 1]!++;
    for (let c = 0; c < sizes[column]!; c++) starts[c + 1]! += starts[c]!;
    for (const r of rows) next[starts[codes[r * variables + column]!]!++] = r;
    [rows, next] = [next, rows];
  }
  return rows;
}

/**
 * The walking order of a set of distinct combinations.
 *
 * @param sizes number of categories of each variable
 */
export function sharingOrder(combinations: Combinations, sizes: readonly number[]): SharingOrder {
  const { count, variables, codes } = combinations;
  const offsets = categoryOffsets(sizes);
  const columns = greedyColumns(combinations, sizes);
  const rows = sortRows(combinations, sizes, columns);
  const categories = new Uint32Array(count * variables);
  const shared = new Uint16Array(count);
  const counts = new Uint32Array(count);
  for (let r = 0; r < count; r++) {
    const row = rows[r]!;
    counts[r] = combinations.counts[row]!;
    let equal = r > 0;
    for (const [j, column] of columns.entries()) {
      const category = offsets[column]! + codes[row * variables + column]!;
      categories[r * variables + j] = category;
      equal &&= categories[(r - 1) * variables + j] === category;
      if (equal) shared[r] = j + 1;
    }
    if (shared[r] === variables) throw new RangeError('combinations must be distinct');
  }
  return { rows: count, variables, categories, shared, counts };
}
