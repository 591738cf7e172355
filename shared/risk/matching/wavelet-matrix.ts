function onesIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  bits = (bits + (bits >>> 4)) & 0x0f0f0f0f;
  return Math.imul(bits, 0x01010101) >>> 24;
}

/**
 * A sequence of whole numbers, kept so that those below a bound can be counted in any range of positions in time log2 of
 * the largest (Claude, Navarro & Ordóñez 2015). Memory: 2 bits for each element and bit of the largest.
 */
export class WaveletMatrix {
  readonly #levels: number;
  /** Words of 32 bits of a level, and one more, so that the position behind the last has a word. */
  readonly #words: number;
  /** Levels x words: bit `levels - 1 - level` of every element, in the order that the levels before have left. */
  readonly #bits: Uint32Array;
  /** Levels x words: ones of the level before the word. */
  readonly #onesBefore: Uint32Array;
  /** Elements of each level whose bit is zero: they come first in the next level. */
  readonly #zeros: Uint32Array;

  /** @param sequence of numbers below `bound` */
  constructor(sequence: Uint32Array, bound: number) {
    const { length } = sequence;
    this.#levels = Math.max(1, 32 - Math.clz32(Math.max(0, bound - 1)));
    this.#words = (length >>> 5) + 1;
    this.#bits = new Uint32Array(this.#levels * this.#words);
    this.#onesBefore = new Uint32Array(this.#levels * this.#words);
    this.#zeros = new Uint32Array(this.#levels);
    let current = sequence;
    for (let level = 0; level < this.#levels; level++) {
      const shift = this.#levels - 1 - level;
      const start = level * this.#words;
      let zeros = 0;
      for (let i = 0; i < length; i++) {
        if ((current[i]! >>> shift) & 1) this.#bits[start + (i >>> 5)]! |= 1 << (i & 31);
        else zeros++;
      }
      let ones = 0;
      for (let word = 0; word < this.#words; word++) {
        this.#onesBefore[start + word] = ones;
        ones += onesIn(this.#bits[start + word]!);
      }
      this.#zeros[level] = zeros;
      const next = new Uint32Array(length);
      let [zeroAt, oneAt] = [0, zeros];
      for (let i = 0; i < length; i++) {
        if ((current[i]! >>> shift) & 1) next[oneAt++] = current[i]!;
        else next[zeroAt++] = current[i]!;
      }
      current = next;
    }
  }

  /** How many of the elements at positions [from, to) are below `bound`. */
  countBelow(bound: number, from: number, to: number): number {
    if (bound >>> this.#levels > 0) return to - from;
    let [start, end, count] = [from, to, 0];
    for (let level = 0; level < this.#levels && start < end; level++) {
      const onesToStart = this.#onesTo(level, start);
      const onesToEnd = this.#onesTo(level, end);
      if ((bound >>> (this.#levels - 1 - level)) & 1) {
        count += end - start - (onesToEnd - onesToStart);
        start = this.#zeros[level]! + onesToStart;
        end = this.#zeros[level]! + onesToEnd;
      } else {
        start -= onesToStart;
        end -= onesToEnd;
      }
    }
    return count;
  }

  #onesTo(level: number, position: number): number {
    const word = level * this.#words + (position >>> 5);
    return this.#onesBefore[word]! + onesIn(this.#bits[word]! & ((1 << (position & 31)) - 1));
  }
}
