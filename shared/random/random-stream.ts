import seedrandom from 'seedrandom';
import { log } from '../numeric/portable-math.ts';

const BUFFERED = 512;

/** Where a stream stands: the generator's four words, and the second normal of a pair if it is still to come. */
export interface StreamState {
  readonly words: Int32Array;
  readonly spare: number | null;
}

/**
 * A named stream of random numbers: the same seed and name give the same numbers everywhere.
 *
 * `seedrandom` (ARC4) hashes `seed/name` into a state, so that streams of different names are unrelated;
 * xoshiro128** draws from it (Blackman & Vigna 2021, ACM TOMS 47(4)), using 32-bit integers only.
 */
export class RandomStream {
  /** State from which the buffer was filled, and state after it. */
  private readonly filledFrom = new Int32Array(4);
  private readonly state: Int32Array;
  private readonly buffer = new Float64Array(BUFFERED);
  private position = BUFFERED;
  private spareNormal: number | null = null;

  constructor(seed: number, name: string) {
    const source = seedrandom(`${seed}/${name}`);
    this.state = Int32Array.from({ length: 4 }, () => source.int32());
  }

  /** Uniform on the open interval (0, 1): odd multiples of 2^-53, so neither end can appear. */
  uniform(): number {
    if (this.position === BUFFERED) {
      this.filledFrom.set(this.state);
      fillUniform(this.state, this.buffer, BUFFERED);
      this.position = 0;
    }
    return this.buffer[this.position++]!;
  }

  /** Uniform whole number in [0, bound), for bound up to 2^31. */
  below(bound: number): number {
    return Math.floor(this.uniform() * bound);
  }

  /** Standard normal, by Marsaglia's polar method (Marsaglia & Bray 1964), which gives them in pairs. */
  normal(): number {
    if (this.spareNormal !== null) {
      const spare = this.spareNormal;
      this.spareNormal = null;
      return spare;
    }
    for (;;) {
      const x = 2 * this.uniform() - 1;
      const y = 2 * this.uniform() - 1;
      const square = x * x + y * y;
      if (square < 1 && square > 0) {
        const scale = Math.sqrt((-2 * log(square)) / square);
        this.spareNormal = y * scale;
        return x * scale;
      }
    }
  }

  /** Where the stream stands, for a kernel that goes on with it. */
  exportState(): StreamState {
    const words = this.state.slice();
    if (this.position < BUFFERED) {
      words.set(this.filledFrom);
      fillUniform(words, new Float64Array(this.position), this.position);
    }
    return { words, spare: this.spareNormal };
  }

  /** Goes on from where a kernel left the stream. */
  importState({ words, spare }: StreamState): void {
    this.state.set(words);
    this.position = BUFFERED;
    this.spareNormal = spare;
  }
}

/** Draws `count` uniforms from four words of state, which move on by two outputs for each. */
function fillUniform(state: Int32Array, buffer: Float64Array, count: number): void {
  let [s0, s1, s2, s3] = state as unknown as [number, number, number, number];
  for (let i = 0; i < count; i++) {
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
    buffer[i] = ((high >>> 6) * 67108864 + (low >>> 6) + 0.5) * 2.220446049250313e-16;
  }
  state[0] = s0;
  state[1] = s1;
  state[2] = s2;
  state[3] = s3;
}
