import type { Table } from '../../table/table.ts';

/** The number of a key that was not added. */
export const NO_NUMBER = 0xffff_ffff;

/**
 * Numbers distinct keys from 0 in the order in which they come, by open addressing (linear probing, at most half full).
 * A key is a whole number from 0 to 2^53 - 1.
 */
export class KeyIndex {
  #count = 0;
  #keys = new Float64Array(256);
  /** Number of the key in the slot plus one, or 0 where it is free. Its length is a power of two. */
  #slots = new Uint32Array(256);

  get size(): number {
    return this.#count;
  }

  /** Numbers of keys, those that are new added. */
  add(keys: Float64Array): Uint32Array {
    const numbers = new Uint32Array(keys.length);
    for (let i = 0; i < keys.length; i++) {
      const slot = this.#slotOf(keys[i]!);
      if (this.#slots[slot] === 0) {
        this.#keys[slot] = keys[i]!;
        this.#slots[slot] = ++this.#count;
        numbers[i] = this.#count - 1;
        if (2 * this.#count > this.#slots.length) this.#grow();
      } else {
        numbers[i] = this.#slots[slot]! - 1;
      }
    }
    return numbers;
  }

  /** Numbers of keys; {@link NO_NUMBER} for one that was not added. */
  find(keys: Float64Array): Uint32Array {
    const numbers = new Uint32Array(keys.length);
    // The number before 0, of a free slot, is the mark of none.
    for (let i = 0; i < keys.length; i++) numbers[i] = this.#slots[this.#slotOf(keys[i]!)]! - 1;
    return numbers;
  }

  /** The slot of a key, or the free one where it would go. The hash is the final mixing of MurmurHash3. */
  #slotOf(key: number): number {
    const keys = this.#keys;
    const slots = this.#slots;
    const mask = slots.length - 1;
    let hash = (key >>> 0) ^ Math.imul((key / 0x1_0000_0000) >>> 0, 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    let slot = (hash ^ (hash >>> 16)) & mask;
    while (slots[slot] !== 0 && keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const keys = this.#keys;
    const slots = this.#slots;
    this.#keys = new Float64Array(2 * keys.length);
    this.#slots = new Uint32Array(2 * slots.length);
    for (let old = 0; old < slots.length; old++) {
      if (slots[old] === 0) continue;
      const slot = this.#slotOf(keys[old]!);
      this.#keys[slot] = keys[old]!;
      this.#slots[slot] = slots[old]!;
    }
  }
}

/** Records in groups: those of group g are `records[starts[g]]` up to but without `records[starts[g + 1]]`, ascending. */
export interface Groups {
  readonly starts: Uint32Array;
  readonly records: Uint32Array;
}

/** Keys from 0 to this are exact. */
const KEYS = Number.MAX_SAFE_INTEGER;

/**
 * The groups of a table's records that agree on categorical variables, missing values agreeing with each other, to which
 * the rows of other tables are assigned; one group without variables. The codes of a row make one number in mixed radix;
 * where the numbers of the next variable would no longer be exact, those so far are numbered anew. Three times as fast as
 * comparing code by code.
 */
export class RecordGroups {
  /** Number of groups: they are numbered in the order in which the table's records begin them. */
  readonly count: number;
  readonly ofRecord: Uint32Array;
  /** Variables whose codes make a key, after the number that the variables before have, and the numbers of the keys. */
  readonly #steps: { readonly variables: readonly number[]; readonly index: KeyIndex }[] = [];

  constructor(table: Table, variables: readonly number[]) {
    let numbers: Uint32Array = new Uint32Array(table.records);
    let count = 1;
    for (let next = 0; next < variables.length; ) {
      const first = next;
      for (let space = count; next < variables.length; next++) {
        space *= sizeOf(table, variables[next]!);
        if (space > KEYS) break;
      }
      const step = { variables: variables.slice(first, next), index: new KeyIndex() };
      numbers = step.index.add(keysOf(table, step.variables, numbers));
      count = step.index.size;
      this.#steps.push(step);
    }
    this.ofRecord = numbers;
    this.count = count;
  }

  /** The group of each row of another table; {@link NO_NUMBER} for one that agrees with no record. */
  assign(table: Table): Uint32Array {
    let numbers: Uint32Array = new Uint32Array(table.records);
    for (const { variables, index } of this.#steps) {
      numbers = index.find(keysOf(table, variables, numbers));
    }
    return numbers;
  }

  /** How many rows come before each group when rows are sorted by group; one element more than groups. */
  startsOf(groupOfRow: Uint32Array): Uint32Array {
    const starts = new Uint32Array(this.count + 1);
    for (let row = 0; row < groupOfRow.length; row++) {
      if (groupOfRow[row] !== NO_NUMBER) starts[groupOfRow[row]! + 1]! += 1;
    }
    for (let group = 0; group < this.count; group++) starts[group + 1]! += starts[group]!;
    return starts;
  }

  /** Rows sorted by their group, those of no group left out. */
  collect(groupOfRow: Uint32Array): Groups {
    const starts = this.startsOf(groupOfRow);
    const next = starts.slice();
    const records = new Uint32Array(starts[this.count]!);
    for (let row = 0; row < groupOfRow.length; row++) {
      const group = groupOfRow[row]!;
      if (group !== NO_NUMBER) records[next[group]!++] = row;
    }
    return { starts, records };
  }
}

/** Codes of a variable: its categories and, where a model imputes them, missing values. */
function sizeOf({ schema }: Table, variable: number): number {
  const declared = schema.variables[variable]!;
  if (declared.type !== 'categorical') throw new RangeError(`variable ${variable} is not categorical`);
  return declared.categories.length + 1;
}

/**
 * The key of each row: its number, then its codes. A row without a number keeps none: keys of the table's records are
 * below {@link NO_NUMBER}'s.
 */
function keysOf(table: Table, variables: readonly number[], numbers: Uint32Array): Float64Array {
  const keys = new Float64Array(numbers);
  for (const variable of variables) {
    const size = sizeOf(table, variable);
    const column = table.columns[variable]!;
    if (column.type !== 'categorical') throw new RangeError(`variable ${variable} is not categorical`);
    const { codes } = column;
    for (let row = 0; row < keys.length; row++) keys[row] = keys[row]! * size + codes[row]!;
  }
  return keys;
}
