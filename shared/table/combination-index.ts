import type { Combinations } from './combinations.ts';

/**
 * Collects distinct rows of codes by open addressing (linear probing, at most half full). Rows are compared
 * code by code, so any number of variables and categories is exact; the hash only decides where to look.
 */
export class CombinationIndex {
  #count = 0;
  #codes: Uint16Array;
  #counts = new Uint32Array(64);
  /** A combination's position plus one, or 0 where the slot is free. Its length is a power of two. */
  #slots = new Uint32Array(256);
  readonly #variables: number;

  constructor(variables: number) {
    this.#variables = variables;
    this.#codes = new Uint16Array(64 * variables);
  }

  /** Adds `weight` records of the row at `source[offset ...]`; returns the position of its combination. */
  add(source: Uint16Array, offset: number, weight: number): number {
    const slot = this.#slotOf(source, offset);
    const entry = this.#slots[slot]!;
    if (entry !== 0) {
      this.#counts[entry - 1]! += weight;
      return entry - 1;
    }
    const position = this.#count++;
    if (position === this.#counts.length) this.#growRows();
    for (let v = 0; v < this.#variables; v++) this.#codes[position * this.#variables + v] = source[offset + v]!;
    this.#counts[position] = weight;
    this.#slots[slot] = position + 1;
    if (2 * this.#count > this.#slots.length) this.#growSlots();
    return position;
  }

  /** Position of the combination of the row at `source[offset ...]`, or -1 when none was added with these codes. */
  find(source: Uint16Array, offset: number): number {
    return this.#slots[this.#slotOf(source, offset)]! - 1;
  }

  /** The slot of the combination of a row, or the free one where it belongs. */
  #slotOf(source: Uint16Array, offset: number): number {
    const mask = this.#slots.length - 1;
    let slot = this.#hash(source, offset) & mask;
    for (let entry = this.#slots[slot]!; entry !== 0 && !this.#isRow(entry - 1, source, offset); entry = this.#slots[slot]!) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /** Everything added so far, in order of first appearance. */
  combinations(): Combinations {
    return {
      variables: this.#variables,
      count: this.#count,
      codes: this.#codes.slice(0, this.#count * this.#variables),
      counts: this.#counts.slice(0, this.#count),
    };
  }

  /** FNV-1a over the codes, then the final mixing of MurmurHash3, since only the low bits are used. */
  #hash(source: Uint16Array, offset: number): number {
    let hash = 0x811c9dc5;
    for (let v = 0; v < this.#variables; v++) hash = Math.imul(hash ^ source[offset + v]!, 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return hash ^ (hash >>> 16);
  }

  #isRow(position: number, source: Uint16Array, offset: number): boolean {
    const start = position * this.#variables;
    for (let v = 0; v < this.#variables; v++) if (this.#codes[start + v] !== source[offset + v]) return false;
    return true;
  }

  #growRows(): void {
    const counts = new Uint32Array(2 * this.#counts.length);
    counts.set(this.#counts);
    const codes = new Uint16Array(2 * this.#codes.length);
    codes.set(this.#codes);
    this.#counts = counts;
    this.#codes = codes;
  }

  #growSlots(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length);
    const mask = this.#slots.length - 1;
    for (let position = 0; position < this.#count; position++) {
      let slot = this.#hash(this.#codes, position * this.#variables) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = position + 1;
    }
  }
}
