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
 * Groups divided further by a column: combinations stay together whose categories agree in it too.
 *
 * @param size number of categories of the column
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
