import type { Combinations } from '../../table/combinations.ts';

/** Groups of combinations, numbered in the order in which the combinations meet them. */
export interface Groups {
  /** For each combination, its group. */
  readonly of: Uint32Array;
  readonly count: number;
}

/** A table of pairs is used while it has at most so many entries for each combination, a map beyond. */
const TABLE_ENTRIES = 16;

/** All combinations in one group. */
export function oneGroup({ count }: Combinations): Groups {
  return { of: new Uint32Array(count), count: 1 };
}

/**
 * Groups divided further by a column of so many categories.
 *
 * @param rows the order in which combinations meet groups; as they stand without it
 */
export function refineGroups(
  groups: Groups,
  { count, variables, codes }: Combinations,
  column: number,
  size: number,
  rows?: Uint32Array,
): Groups {
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
    groups = refineGroups(groups, combinations, columns[j]!, sizes[columns[j]!]!);
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
