import seedrandom from 'seedrandom';
import { log } from '../numeric/portable-math.ts';

const BUFFERED = 512;

/**
 * A named stream of random numbers: the same seed and name give the same numbers everywhere.
 *
 * `seedrandom` (ARC4) hashes `seed/name` into a state, so that streams of different names are unrelated;
 * xoshiro128** draws from it (Blackman & Vigna 2021, ACM TOMS 47(4)), using 32-bit integers only.
 */
export class RandomStream {
  private readonly state: Int32Array;
  private readonly buffer = new Float64Array(BUFFERED);
  private position = BUFFERED;
  private spareNormal = 0;
  private hasSpareNormal = false;

  constructor(seed: number, name: string) {
    const source = seedrandom(`${seed}/${name}`);
    this.state = Int32Array.from({ length: 4 }, () => source.int32());
  }

  /** Uniform on the open interval (0, 1): odd multiples of 2^-53, so neither end can appear. */
  uniform(): number {
    if (this.position === BUFFERED) this.refill();
    return this.buffer[this.position++]!;
  }

  /** Uniform whole number in [0, bound), for bound up to 2^31. */
  below(bound: number): number {
    return Math.floor(this.uniform() * bound);
  }

  /** Standard normal, by Marsaglia's polar method (Marsaglia & Bray 1964), which gives them in pairs. */
  normal(): number {
    if (this.hasSpareNormal) {
      this.hasSpareNormal = false;
      return this.spareNormal;
    }
    for (;;) {
      const x = 2 * this.uniform() - 1;
      const y = 2 * this.uniform() - 1;
      const square = x * x + y * y;
      if (square < 1 && square > 0) {
        const scale = Math.sqrt((-2 * log(square)) / square);
        this.spareNormal = y * scale;
        this.hasSpareNormal = true;
        return x * scale;
      }
    }
  }

  private refill(): void {
    let [s0, s1, s2, s3] = this.state as unknown as [number, number, number, number];
    for (let i = 0; i < BUFFERED; i++) {
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
      this.buffer[i] = ((high >>> 6) * 67108864 + (low >>> 6) + 0.5) * 2.220446049250313e-16;
    }
    this.state[0] = s0;
    this.state[1] = s1;
    this.state[2] = s2;
    this.state[3] = s3;
    this.position = 0;
  }
}
