import seedrandom from 'seedrandom';
import { type RandomSource, uniformOfWords } from './random-source.ts';

const BUFFERED = 512;

/** Generators that take turns, so that a kernel can run them side by side. */
const GENERATORS = 4;

/**
 * A named stream of random numbers for what is not published: the same seed and name give the same numbers everywhere.
 *
 * `seedrandom` (ARC4) hashes `seed/name` into a state, so that streams of different names are unrelated; four
 * generators xoshiro128** (Blackman & Vigna 2021, ACM TOMS 47(4)) draw from it in turns, using 32-bit integers only.
 * Some outputs of theirs tell all others: what is published is drawn from a `CipherStream`.
 */
export class RandomStream implements RandomSource {
  /** State from which the buffer was filled, and state after it: word by word, each of every generator. */
  readonly #filledFrom = new Int32Array(4 * GENERATORS);
  readonly #state: Int32Array;
  readonly #buffer = new Float64Array(BUFFERED);
  #position = BUFFERED;
  /** Numbers of the next round that are used already. */
  #used = 0;

  /** @param seed a number, or the hexadecimal key of the stream */
  constructor(seed: number | string, name: string) {
    const source = seedrandom(`${seed}/${name}`);
    this.#state = Int32Array.from({ length: 4 * GENERATORS }, () => source.int32());
  }

  /** See `RandomSource`. */
  uniform(): number {
    if (this.#position === BUFFERED) {
      this.#filledFrom.set(this.#state);
      fillUniform(this.#state, this.#buffer, BUFFERED);
      this.#position = this.#used;
      this.#used = 0;
    }
    return this.#buffer[this.#position++]!;
  }

  /** See `RandomSource`. */
  below(bound: number): number {
    return Math.floor(this.uniform() * bound);
  }

  /** Where the stream stands, for a kernel: the words of the generators (word by word), then how many of the next round are used. */
  exportState(): Int32Array {
    const exported = new Int32Array(4 * GENERATORS + 1);
    exported.set(this.#state);
    exported[4 * GENERATORS] = this.#used;
    if (this.#position < BUFFERED) {
      const used = this.#position % GENERATORS;
      exported.set(this.#filledFrom);
      exported[4 * GENERATORS] = used;
      // The numbers drawn again are those that the buffer holds already.
      fillUniform(exported, this.#buffer, this.#position - used);
    }
    return exported;
  }

  /** Goes on from where a kernel left the stream. */
  importState(exported: Int32Array): void {
    this.#state.set(exported.subarray(0, 4 * GENERATORS));
    this.#used = exported[4 * GENERATORS]!;
    this.#position = BUFFERED;
  }
}

/** Draws `count` uniforms, whole rounds; each moves its generator on by two outputs. */
function fillUniform(state: Int32Array, buffer: Float64Array, count: number): void {
  for (let g = 0; g < GENERATORS; g++) {
    let s0 = state[g]!;
    let s1 = state[GENERATORS + g]!;
    let s2 = state[2 * GENERATORS + g]!;
    let s3 = state[3 * GENERATORS + g]!;
    for (let i = g; i < count; i += GENERATORS) {
      let product = Math.imul(s1, 5);
      const high = Math.imul((product << 7) | (product >>> 25), 9);
      let shifted = s1 << 9;
      s2 ^= s0;
      s3 ^= s1;
      s1 ^= s2;
      s0 ^= s3;
      s2 ^= shifted;
      s3 = (s3 << 11) | (s3 >>> 21);
      product = Math.imul(s1, 5);
      const low = Math.imul((product << 7) | (product >>> 25), 9);
      shifted = s1 << 9;
      s2 ^= s0;
      s3 ^= s1;
      s1 ^= s2;
      s0 ^= s3;
      s2 ^= shifted;
      s3 = (s3 << 11) | (s3 >>> 21);
      buffer[i] = uniformOfWords(high, low);
    }
    state[g] = s0;
    state[GENERATORS + g] = s1;
    state[2 * GENERATORS + g] = s2;
    state[3 * GENERATORS + g] = s3;
  }
}
