import seedrandom from 'seedrandom';
import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { correlation, zOfChiSquare, zOfCount, zOfMean } from './moments.ts';

const DRAWS = 200_000;

/** First numbers of seed 1, `base/1`. They may never change: results of all earlier runs hang on them. */
const GOLDEN = [0.3227758687920125, 0.784349456090646, 0.5030340464484199, 0.13573053357463138];

function uniforms(seed: number, name: string, count: number): Float64Array {
  const random = new RandomStream(seed, name);
  return Float64Array.from({ length: count }, () => random.uniform());
}

/** xoshiro128** from its authors' C code, in arithmetic modulo 2^32 on whole numbers of any size. */
function xoshiro128(state: bigint[]): () => bigint {
  const word = (value: bigint) => value & 0xffffffffn;
  const rotate = (value: bigint, by: bigint) => word((value << by) | (value >> (32n - by)));
  return () => {
    const result = word(rotate(word(state[1]! * 5n), 7n) * 9n);
    const shifted = word(state[1]! << 9n);
    state[2]! ^= state[0]!;
    state[3]! ^= state[1]!;
    state[1]! ^= state[2]!;
    state[0]! ^= state[3]!;
    state[2]! ^= shifted;
    state[3] = rotate(state[3]!, 11n);
    return result;
  };
}

describe('RandomStream', () => {
  it('gives the same numbers for the same seed and name', () => {
    expect(uniforms(7, 'base/3', 2_000)).toEqual(uniforms(7, 'base/3', 2_000));
  });

  it('gives the same first numbers in every release', () => {
    expect([...uniforms(1, 'base/1', 4)]).toEqual(GOLDEN);
  });

  it.each([
    ['another name', uniforms(1, 'base/2', DRAWS)],
    ['another seed', uniforms(2, 'base/1', DRAWS)],
    ['seed and name that read alike', uniforms(11, 'base/1', DRAWS)],
  ])('is uncorrelated with the stream of %s', (_, other) => {
    const own = uniforms(1, 'base/1', DRAWS);
    expect(Math.abs(correlation(own, other)) * Math.sqrt(DRAWS)).toBeLessThan(4);
    // Nor one number behind it.
    const shifted = correlation(own.subarray(1), other.subarray(0, -1));
    expect(Math.abs(shifted) * Math.sqrt(DRAWS)).toBeLessThan(4);
  });
});

describe('RandomStream.uniform()', () => {
  it('is four generators xoshiro128** in turns, from a state hashed by ARC4, over several refills', () => {
    const source = seedrandom('42/a name');
    const words = Array.from({ length: 16 }, () => BigInt.asUintN(32, BigInt(source.int32())));
    const generators = [0, 1, 2, 3].map((g) => xoshiro128(words.filter((_, i) => i % 4 === g)));
    for (const [i, value] of uniforms(42, 'a name', 2_000).entries()) {
      // The 26 high bits of each of two words, the first word's above the second's, then a half.
      const next = generators[i % 4]!;
      const bits = ((next() >> 6n) << 26n) | (next() >> 6n);
      expect(value).toBe(Number(2n * bits + 1n) / 2 ** 53);
    }
  });

  it('stays off both ends and is an odd multiple of 2^-53', () => {
    for (const value of uniforms(3, 'ends', 50_000)) {
      const multiple = value * 2 ** 53;
      expect(value > 0 && value < 1 && Number.isInteger(multiple) && multiple % 2 === 1).toBe(true);
    }
  });

  it('has the moments of a uniform variate', () => {
    const values = uniforms(4, 'moments', DRAWS);
    expect(Math.abs(zOfMean(values, 1 / 2, Math.sqrt(1 / 12)))).toBeLessThan(4);
    const squares = values.map((value) => value ** 2);
    expect(Math.abs(zOfMean(squares, 1 / 3, Math.sqrt(1 / 5 - 1 / 9)))).toBeLessThan(4);
    const fourth = values.map((value) => value ** 4);
    expect(Math.abs(zOfMean(fourth, 1 / 5, Math.sqrt(1 / 9 - 1 / 25)))).toBeLessThan(4);
  });

  it('fills 256 cells evenly, by its leading and by its trailing bits', () => {
    const values = uniforms(5, 'cells', DRAWS);
    const leading = new Float64Array(256);
    const trailing = new Float64Array(256);
    for (const value of values) {
      leading[Math.floor(value * 256)]!++;
      trailing[((value * 2 ** 53 - 1) / 2) % 256]!++;
    }
    const expected = new Float64Array(256).fill(DRAWS / 256);
    expect(Math.abs(zOfChiSquare(leading, expected))).toBeLessThan(4);
    expect(Math.abs(zOfChiSquare(trailing, expected))).toBeLessThan(4);
  });

  it('fills pairs of neighbours evenly and has no serial correlation', () => {
    const values = uniforms(6, 'serial', DRAWS);
    const pairs = new Float64Array(400);
    for (let i = 0; i + 1 < DRAWS; i += 2) {
      pairs[Math.floor(values[i]! * 20) * 20 + Math.floor(values[i + 1]! * 20)]!++;
    }
    expect(Math.abs(zOfChiSquare(pairs, new Float64Array(400).fill(DRAWS / 800)))).toBeLessThan(4);
    for (const lag of [1, 2, 3, 7, 512]) {
      const own = correlation(values.subarray(0, DRAWS - lag), values.subarray(lag));
      expect(Math.abs(own) * Math.sqrt(DRAWS - lag), `lag ${lag}`).toBeLessThan(4);
    }
  });
});

describe('RandomStream.exportState()', () => {
  it.each([0, 1, 3, 4, 511, 512, 513, 700])('after %i numbers lets another stream go on', (count) => {
    const random = new RandomStream(12, 'exported');
    const expected = uniforms(12, 'exported', count + 1_100).subarray(count);
    for (let i = 0; i < count; i++) random.uniform();
    const other = new RandomStream(13, 'another');
    other.uniform();
    other.importState(random.exportState());
    expect(Float64Array.from(expected, () => other.uniform())).toEqual(expected);
    // Nor does looking move the stream that was looked at.
    expect(Float64Array.from(expected, () => random.uniform())).toEqual(expected);
  });

  it('keeps its place when it is handed on before a number is drawn', () => {
    const random = new RandomStream(14, 'handed on');
    for (let i = 0; i < 6; i++) random.uniform();
    const next = new RandomStream(15, 'first');
    next.importState(random.exportState());
    const last = new RandomStream(16, 'second');
    last.importState(next.exportState());
    expect(last.uniform()).toBe(random.uniform());
  });
});

describe('RandomStream.below()', () => {
  it.each([1, 2, 3, 7, 100])('gives each whole number below %i equally often', (bound) => {
    const random = new RandomStream(8, `below/${bound}`);
    const counts = new Float64Array(bound);
    for (let i = 0; i < 40_000; i++) counts[random.below(bound)]!++;
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(40_000);
    if (bound === 1) return;
    expect(Math.abs(zOfChiSquare(counts, new Float64Array(bound).fill(40_000 / bound)))).toBeLessThan(4);
  });

  it('covers the whole range up to 2^31, odd numbers too', () => {
    const random = new RandomStream(9, 'below');
    const values = Float64Array.from({ length: 20_000 }, () => random.below(2 ** 31));
    expect(values.every((value) => Number.isInteger(value) && value >= 0 && value < 2 ** 31)).toBe(true);
    expect(Math.max(...values)).toBeGreaterThan(2 ** 31 * 0.999);
    expect(Math.abs(zOfCount(values.filter((value) => value % 2 === 1).length, 20_000, 0.5))).toBeLessThan(4);
  });
});
