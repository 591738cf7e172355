import seedrandom from 'seedrandom';
import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { correlation, zOfChiSquare, zOfCount, zOfMean } from './moments.ts';

const DRAWS = 200_000;

/** First numbers of seed 1, `base/1`. They may never change: results of all earlier runs hang on them. */
const GOLDEN = [0.10301947259662814, 0.4570722537530302, 0.6857367032795579, 0.7065951098449238];

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
  it('is xoshiro128** from a state hashed by ARC4, two words a number, over several refills', () => {
    const source = seedrandom('42/a name');
    const next = xoshiro128([0, 0, 0, 0].map(() => BigInt.asUintN(32, BigInt(source.int32()))));
    for (const value of uniforms(42, 'a name', 2_000)) {
      // The 26 high bits of each word, the first word's above the second's, then a half.
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

describe('RandomStream.normal()', () => {
  const random = new RandomStream(10, 'normal');
  const values = Float64Array.from({ length: DRAWS }, () => random.normal());

  it('has the moments of a standard normal, to the fourth', () => {
    // Standard deviation of z^k: sqrt(E z^2k - (E z^k)^2), with E z^2, z^4, z^6, z^8 = 1, 3, 15, 105.
    const moments: [power: number, expected: number, variance: number][] = [
      [1, 0, 1],
      [2, 1, 2],
      [3, 0, 15],
      [4, 3, 96],
    ];
    for (const [power, expected, variance] of moments) {
      const z = zOfMean(
        values.map((value) => value ** power),
        expected,
        Math.sqrt(variance),
      );
      expect(Math.abs(z), `moment ${power}`).toBeLessThan(4);
    }
  });

  it.each([
    // Twice scipy.stats.norm.sf.
    [1, 0.31731050786291415],
    [2, 0.04550026389635839],
    [3, 0.002699796063260207],
    [3.5, 0.0004652581580710808],
  ])('goes beyond %d on either side as often as a normal', (bound, probability) => {
    const beyond = values.filter((value) => Math.abs(value) > bound).length;
    expect(Math.abs(zOfCount(beyond, DRAWS, probability))).toBeLessThan(4);
  });

  it('gives pairs that are uncorrelated, and so are their squares', () => {
    const even = values.filter((_, i) => i % 2 === 0);
    const odd = values.filter((_, i) => i % 2 === 1);
    const scale = Math.sqrt(DRAWS / 2);
    expect(Math.abs(correlation(even, odd)) * scale).toBeLessThan(4);
    const squared = correlation(
      even.map((value) => value ** 2),
      odd.map((value) => value ** 2),
    );
    expect(Math.abs(squared) * scale).toBeLessThan(4);
    expect(values.every((value, i) => i === 0 || value !== values[i - 1])).toBe(true);
  });
});
