import { categoryOffsets } from '../../table/category-sizes.ts';
import type { Combinations } from '../../table/combinations.ts';

/** Groups of combinations, by combination. */
interface Groups {
  readonly of: Uint32Array;
  readonly count: number;
}

/** A table of pairs is used while it has at most so many entries for each combination, a map beyond. */
const TABLE_ENTRIES = 16;

const oneGroup = (count: number): Groups => ({ of: new Uint32Array(count), count: 1 });

/**
 * Combinations by column: each is read many times, from its first code to its last.
 *
 * @param sizes number of codes of each column
 */
export function columnsOf({ codes, count, variables }: Combinations, sizes: readonly number[]): Column[] {
  const columns = Array.from({ length: variables }, () => new Uint16Array(count));
  for (const [column, own] of columns.entries()) {
    for (let r = 0, at = column; r < count; r++, at += variables) own[r] = codes[at]!;
  }
  return columns.map((own, column) => ({ codes: own, size: sizes[column]! }));
}

/** A column: the code of each combination, and how many codes there are. */
interface Column {
  readonly codes: Uint16Array;
  readonly size: number;
}

/**
 * Groups divided further by a column, numbered in the order in which `rows` meets them. Of other combinations than these nothing is said.
 *
 * @param below ends the counting where there are so many
 */
function refineGroups(groups: Groups, { codes, size }: Column, rows: Uint32Array, below = Infinity): Groups {
  const refined = new Uint32Array(codes.length);
  const { of } = groups;
  let found = 0;
  if (groups.count * size <= TABLE_ENTRIES * rows.length) {
    const numbers = new Uint32Array(groups.count * size);
    for (let i = 0; i < rows.length; i++) {
      const r = rows[i]!;
      const key = of[r]! * size + codes[r]!;
      if (numbers[key] === 0) {
        numbers[key] = ++found;
        if (found >= below) break;
      }
      refined[r] = numbers[key]! - 1;
    }
  } else {
    const numbers = new Map<number, number>();
    for (let i = 0; i < rows.length && found < below; i++) {
      const r = rows[i]!;
      const key = of[r]! * size + codes[r]!;
      let number = numbers.get(key);
      if (number === undefined) {
        number = found++;
        numbers.set(key, number);
      }
      refined[r] = number;
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
function distinctTuples(columns: readonly Column[], rows: Uint32Array, from: number, most: number): number[] {
  const distinct: number[] = [];
  let groups = oneGroup(rows.length);
  for (let j = from; j < columns.length; j++) {
    // Rows that are all alone are not divided any further.
    if (groups.count < rows.length) groups = refineGroups(groups, columns[j]!, rows, j > from ? most + 1 : Infinity);
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
export function columnRuns({ count, counts }: Pick<Combinations, 'count' | 'counts'>, columns: readonly Column[]): number[] {
  const length = columns.length;
  const rows = Uint32Array.from(counts.keys());
  const prefixes = distinctTuples(columns, rows, 0, count);
  let places = 0;
  for (const records of counts) places += PLACE * Math.min(records, MOST_PLACES);
  /** Least cost of the columns before each one, and where the last run before it begins. */
  const costs = [0, ...new Array<number>(length).fill(Infinity)];
  const starts = new Array<number>(length + 1).fill(0);
  for (let from = 0; from < length; from++) {
    let within = 0;
    for (const [i, tuples] of distinctTuples(columns, rows, from, MOST_TUPLES).entries()) {
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
 * Columns, by number, in the greedy order that leaves the fewest distinct prefixes at every depth, and after how many of them every row
 * is alone. Rows that are alone are not looked at any more.
 */
function greedyColumns(all: readonly Column[], count: number): { columns: number[]; depth: number } {
  const columns: number[] = [];
  const left = new Set(all.keys());
  let rows: Uint32Array = Uint32Array.from({ length: count }, (_, row) => row);
  let groups = oneGroup(count);
  while (left.size > 0 && rows.length > 1) {
    let best = -1;
    let divided: Groups = { of: groups.of, count: Infinity };
    for (const column of left) {
      const refined = refineGroups(groups, all[column]!, rows, divided.count);
      if (refined.count >= divided.count) continue;
      best = column;
      divided = refined;
    }
    columns.push(best);
    left.delete(best);
    ({ rows, groups } = withoutAlone(rows, divided));
  }
  return { columns: [...columns, ...left], depth: columns.length };
}

/** The rows that are not alone in their group, and groups of these alone. */
function withoutAlone(rows: Uint32Array, { count, of }: Groups): { rows: Uint32Array; groups: Groups } {
  const members = new Uint32Array(count);
  for (let i = 0; i < rows.length; i++) members[of[rows[i]!]!]!++;
  const left = rows.filter((row) => members[of[row]!]! > 1);
  return { rows: left, groups: refineGroups({ of, count }, { codes: new Uint16Array(of.length), size: 1 }, left) };
}

/** Rows in lexicographic order of the given columns, by stable counting sorts from the last column. */
function sortRows(columns: readonly Column[], count: number): Uint32Array {
  let rows = Uint32Array.from({ length: count }, (_, row) => row);
  let next = new Uint32Array(count);
  for (const { codes, size } of columns.toReversed()) {
    const starts = new Uint32Array(size + 1);
    for (let r = 0; r < count; r++) starts[codes[r]! + 1]!++;
    for (let c = 0; c < size; c++) starts[c + 1]! += starts[c]!;
    for (let i = 0; i < count; i++) {
      const r = rows[i]!;
      next[starts[codes[r]!]!++] = r;
    }
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
  const { count } = combinations;
  const partOf = partNumbers(sizes, sets);
  const total = (counts: readonly number[]) => counts.reduce((sum, own) => sum + own, 0);
  const jointsFrom = total(sizes) + total(sets);
  const all = columnsOf(
    combinations,
    variableOfColumn.map((k) => sizes[k]! + sets[k]!),
  );
  const { columns, depth } = greedyColumns(all, count);
  const inOrder = columns.map((column) => all[column]!);
  const ends = columnRuns(combinations, inOrder);
  const runs = ends.length;
  // Columns after those that tell all rows apart change nothing.
  const rows = sortRows(inOrder.slice(0, depth), count);
  const parts = new Uint32Array(count * runs);
  const joints: number[] = [];
  for (const [run, end] of ends.entries()) {
    const from = ends[run - 1] ?? 0;
    let groups = oneGroup(count);
    for (const column of columns.slice(from, end)) {
      const { codes } = all[column]!;
      groups = refineGroups(groups, all[column]!, rows);
      const variable = variableOfColumn[column]!;
      const isFirst = column === columns[from];
      let next = joints.length / 2;
      const before = jointsFrom + next;
      for (let i = 0; i < count; i++) {
        const category = partOf(variable, codes[rows[i]!]!);
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
