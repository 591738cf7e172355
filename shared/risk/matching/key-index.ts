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

  /** Distinct keys so far. */
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
