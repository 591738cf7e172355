import { categoryOffsets } from '../../table/category-sizes.ts';
import type { Combinations } from '../../table/combinations.ts';

/** Groups of combinations, numbered in the order in which the combinations meet them. */
export interface Groups {
  readonly of: Uint32Array;
  readonly count: number;
}

/** A table of pairs is used while it has at most so many entries for each combination, a map beyond. */
const TABLE_ENTRIES = 16;

function oneGroup({ count }: Combinations): Groups {
  return { of: new Uint32Array(count), count: 1 };
}

/**
 * Groups divided further by a column of so many categories.
 *
 * @param rows the order in which combinations meet groups; as they stand without it
 */
function refineGroups(groups: Groups, { count, variables, codes }: Combinations, column: number, size: number, rows?: Uint32Array): Groups {
  const refined = new Uint32Array(count);
  let found = 0;
  if (groups.count * size <= TABLE_ENTRIES * count) {
    const ids = new Uint32Array(groups.count * size);
    for (let i = 0; i < count; i++) {
      const r = rows === undefined ? i : rows[i]!;
      const key = groups.of[r]! * size + codes[r * variables + column]!;
      if (ids[key] === 0) ids[key] = ++found;
      refined[r] = ids[key]! - 1;
    }
  } else {
    const ids = new Map<number, number>();
    for (let i = 0; i < count; i++) {
      const r = rows === undefined ? i : rows[i]!;
      const key = groups.of[r]! * size + codes[r * variables + column]!;
      let id = ids.get(key);
      if (id === undefined) {
        id = found++;
        ids.set(key, id);
      }
      refined[r] = id;
    }
  }
  return { of: refined, count: found };
}

/** Distinct tuples of a run at most: their vectors over classes should stay in a processor's cache. */
const MOST_TUPLES = 1000;

/** What counting a record in one more place costs, beside forming a product over the classes. */
const PLACE = 1 / 16;
/** From so many records of a combination on, more of them hardly meet further classes. */
const MOST_PLACES = 8;

/** Numbers of distinct tuples in the columns from one on, for each column after it until they are too many. */
function distinctTuples(
  combinations: Combinations,
  sizes: readonly number[],
  columns: readonly number[],
  from: number,
  most: number,
): number[] {
  const distinct: number[] = [];
  let groups = oneGroup(combinations);
  for (let j = from; j < columns.length; j++) {
    // Rows that are all alone are not divided any further.
    if (groups.count < combinations.count) groups = refineGroups(groups, combinations, columns[j]!, sizes[columns[j]!]!);
    if (groups.count > most && j > from) break;
    distinct.push(groups.count);
  }
  return distinct;
}

/**
 * Divides columns, in walking order, into runs: the product over a run is formed once for each of its distinct tuples,
 * and a combination's product from those of its runs. Chosen so that the fewest products are formed, counting twice those
 * over the columns of a run, since counts of records go the way back.
 *
 * @returns the end of each run, rising; the last is the number of columns
 */
export function columnRuns(combinations: Combinations, sizes: readonly number[], columns: readonly number[]): number[] {
  const { count, counts } = combinations;
  const length = columns.length;
  const prefixes = distinctTuples(combinations, sizes, columns, 0, count);
  let places = 0;
  for (const records of counts) places += PLACE * Math.min(records, MOST_PLACES);
  /** Least cost of the columns before each one, and where the last run before it begins. */
  const costs = [0, ...new Array<number>(length).fill(Infinity)];
  const starts = new Array<number>(length + 1).fill(0);
  for (let from = 0; from < length; from++) {
    let within = 0;
    for (const [i, tuples] of distinctTuples(combinations, sizes, columns, from, MOST_TUPLES).entries()) {
      const end = from + i + 1;
      if (i > 0) within += 2 * tuples;
      const cost = costs[from]! + within + prefixes[end - 1]! + places;
      if (cost < costs[end]!) {
        costs[end] = cost;
        starts[end] = from;
      }
    }
  }
  const ends: number[] = [];
  for (let end = length; end > 0; end = starts[end]!) ends.push(end);
  return ends.reverse();
}

/**
 * Combinations sorted so that neighbours share the product over a common prefix of variables: the order in which class
 * probabilities are multiplied.
 *
 * Columns are divided into runs ({@link columnRuns}), in each of which a row has one part: a category, or a joint
 * category that stands for those of several columns. A set of categories in which a value is known to be takes the
 * category's place; the first set of each variable is that of all, of a missing value, which every class gives
 * probability one. Parts are the categories, then the sets, by variable, then the joint categories.
 */
export interface SharingOrder {
  readonly rows: number;
  readonly runs: number;
  /** rows x runs, in walking order of rows and columns. */
  readonly parts: Uint32Array;
  /** Joint categories x 2: the part for the columns before the last one, and the category of the last one. */
  readonly joints: Uint32Array;
  /** For each row, how many leading parts equal those of the row before; below `runs`. */
  readonly shared: Uint16Array;
  /** For each row, the combination that it is. */
  readonly combinations: Uint32Array;
  /** For each row, the number of records that have the combination. */
  readonly counts: Uint32Array;
}

/** The part of a variable's code: a category or, from the number of its categories on, one of its sets of them. */
export function partNumbers(sizes: readonly number[], sets: readonly number[]): (variable: number, code: number) => number {
  const offsets = categoryOffsets(sizes);
  const setOffsets = categoryOffsets(sets);
  const categories = offsets[sizes.length]!;
  return (variable, code) => {
    const set = code - sizes[variable]!;
    return set < 0 ? offsets[variable]! + code : categories + setOffsets[variable]! + set;
  };
}

/**
 * Columns in the greedy order that leaves the fewest distinct prefixes at every depth.
 *
 * @param sizes number of categories of each column, here and below
 */
function greedyColumns(combinations: Combinations, sizes: readonly number[]): number[] {
  const { count } = combinations;
  const columns: number[] = [];
  let groups = oneGroup(combinations);
  const left = new Set(sizes.keys());
  while (left.size > 0) {
    let best = -1;
    let bestGroups = groups;
    for (const column of left) {
      const refined = refineGroups(groups, combinations, column, sizes[column]!);
      if (best === -1 || refined.count < bestGroups.count) {
        best = column;
        bestGroups = refined;
      }
    }
    columns.push(best);
    left.delete(best);
    // Once every row is alone, no order of the remaining columns shares anything.
    if (bestGroups.count === count && groups.count === count) break;
    groups = bestGroups;
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

/** For each row, how many leading parts equal those of the row before. */
function sharedParts(parts: Uint32Array, runs: number): Uint16Array {
  const shared = new Uint16Array(parts.length / runs);
  for (let r = 1; r < shared.length; r++) {
    const at = r * runs;
    let equal = 0;
    while (equal < runs && parts[at + equal] === parts[at - runs + equal]) equal++;
    if (equal === runs) throw new RangeError('combinations must be distinct');
    shared[r] = equal;
  }
  return shared;
}

/**
 * The walking order of distinct combinations.
 *
 * @param variableOfColumn a column a variable if not said otherwise; columns of one variable share its categories, as the
 * values of a record and of its synthetic one do
 * @param sets number of sets of each variable, the one for missing values if not said otherwise
 */
export function sharingOrder(
  combinations: Combinations,
  sizes: readonly number[],
  variableOfColumn: readonly number[] = [...sizes.keys()],
  sets: readonly number[] = sizes.map(() => 1),
): SharingOrder {
  const { count, variables: width, codes } = combinations;
  const partOf = partNumbers(sizes, sets);
  const columnSizes = variableOfColumn.map((k) => sizes[k]! + sets[k]!);
  const total = (counts: readonly number[]) => counts.reduce((sum, own) => sum + own, 0);
  const jointsFrom = total(sizes) + total(sets);
  const columns = greedyColumns(combinations, columnSizes);
  const ends = columnRuns(combinations, columnSizes, columns);
  const runs = ends.length;
  const rows = sortRows(combinations, columnSizes, columns);
  const parts = new Uint32Array(count * runs);
  const joints: number[] = [];
  for (const [run, end] of ends.entries()) {
    const from = ends[run - 1] ?? 0;
    let groups = oneGroup(combinations);
    for (const column of columns.slice(from, end)) {
      groups = refineGroups(groups, combinations, column, columnSizes[column]!, rows);
      const variable = variableOfColumn[column]!;
      const isFirst = column === columns[from];
      let next = joints.length / 2;
      const before = jointsFrom + next;
      for (let i = 0; i < count; i++) {
        const category = partOf(variable, codes[rows[i]! * width + column]!);
        const at = i * runs + run;
        if (isFirst) {
          parts[at] = category;
          continue;
        }
        const joint = before + groups.of[rows[i]!]!;
        // Groups are numbered as the rows meet them.
        if (joint === jointsFrom + next) {
          joints.push(parts[at]!, category);
          next++;
        }
        parts[at] = joint;
      }
    }
  }
  const counts = new Uint32Array(count);
  for (let i = 0; i < count; i++) counts[i] = combinations.counts[rows[i]!]!;
  return { rows: count, runs, parts, joints: Uint32Array.from(joints), shared: sharedParts(parts, runs), combinations: rows, counts };
}
