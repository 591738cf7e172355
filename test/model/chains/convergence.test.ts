import { describe, expect, it } from 'vitest';
import { NumericalError } from '../../../shared/contracts/errors.ts';
import { convergence } from '../../../shared/model/chains/convergence.ts';

/** A multiplicative congruential generator (Numerical Recipes' constants): the reference runs the same one. */
function normals(seed: number): () => number {
  let state = seed;
  const uniform = () => {
    state = (Math.imul(1664525, state) + 1013904223) >>> 0;
    return (state + 0.5) / 4294967296;
  };
  return () => {
    let sum = 0;
    for (let i = 0; i < 12; i++) sum += uniform();
    return sum - 6;
  };
}

/** Chains of x <- slope x + e from 0; slope 0 gives independent draws. */
function autoregressive(chains: number, draws: number, seed: number, slope: number): Float64Array {
  const normal = normals(seed);
  const values = new Float64Array(chains * draws);
  for (let i = 0; i < values.length; i++) {
    values[i] = (i % draws === 0 ? 0 : slope * values[i - 1]!) + normal();
  }
  return values;
}

/** Expected values: arviz 0.23.4, `rhat(method="rank")`, `ess(method="bulk")`, `ess(method="tail")`. */
const REFERENCES = [
  {
    name: 'two chains of twelve draws',
    draws: Float64Array.of(
      ...[3.1, 2.7, 2.9, 3.8, 3.3, 2.2, 2.6, 3.0, 3.5, 2.8, 3.2, 2.4],
      ...[2.5, 3.6, 3.4, 2.1, 2.3, 3.9, 3.7, 2.0, 1.9, 4.1, 2.95, 3.05],
    ),
    chains: 2,
    expected: [1.0325269378340318, 33.12506980107854, 14.794520547945206],
  },
  {
    name: 'independent draws',
    draws: autoregressive(4, 100, 1, 0),
    chains: 4,
    expected: [1.0078600234025097, 450.77657686296715, 414.4833238135447],
  },
  {
    name: 'autocorrelated draws',
    draws: autoregressive(4, 200, 2, 0.9),
    chains: 4,
    expected: [1.408084716149003, 9.131960166537798, 22.240430369385788],
  },
  {
    name: 'a chain with another mean',
    draws: autoregressive(4, 100, 3, 0).map((value, i) => (i >= 300 ? value + 1.5 : value)),
    chains: 4,
    expected: [1.2649543703635575, 12.367661818824946, 42.258731691814184],
  },
  {
    name: 'a chain with another spread, which only folding finds',
    draws: autoregressive(4, 100, 8, 0).map((value, i) => (i >= 300 ? 3 * value : value)),
    chains: 4,
    expected: [1.1867441176655207, 553.1887422941121, 41.675484521980195],
  },
  {
    name: 'whole numbers with many ties',
    draws: autoregressive(4, 100, 4, 0.5).map((value) => Math.floor(2 * value)),
    chains: 4,
    expected: [1.0141395025123836, 139.50332407744492, 160.81441641444695],
  },
  {
    name: 'many short chains',
    draws: autoregressive(32, 50, 5, 0.6),
    chains: 32,
    expected: [1.0562595913332598, 424.88138431700924, 865.3607957706608],
  },
  {
    name: 'an odd number of draws',
    draws: autoregressive(3, 101, 6, 0),
    chains: 3,
    expected: [1.0045334640561652, 297.1338610854915, 262.29638782872433],
  },
  {
    name: 'antithetic draws',
    draws: autoregressive(4, 100, 7, -0.6),
    chains: 4,
    expected: [1.001466587821637, 1040.823996531185, 414.99073570257485],
  },
];

describe('convergence()', () => {
  it.each(REFERENCES)('agrees with arviz on $name', ({ draws, chains, expected }) => {
    const { rHat, bulkEffectiveSize, tailEffectiveSize } = convergence(draws, chains, draws.length / chains);
    for (const [i, value] of [rHat, bulkEffectiveSize, tailEffectiveSize].entries()) {
      expect(value! / expected[i]!).toBeCloseTo(1, 9);
    }
  });

  it('caps the size of strictly alternating chains at S log10 S', () => {
    const draws = Float64Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 1 : -1) * (1 + (i % 20) / 1000));
    expect(convergence(draws, 2, 20).bulkEffectiveSize).toBeCloseTo(40 * Math.log10(40), 9);
  });

  it('does not depend on the order of chains, nor on a change of unit', () => {
    const draws = autoregressive(2, 60, 11, 0.5);
    const swapped = Float64Array.of(...draws.subarray(60), ...draws.subarray(0, 60));
    const expected = convergence(draws, 2, 60);
    const actual = convergence(
      swapped.map((value) => 4 * value),
      2,
      60,
    );
    expect(actual.rHat).toBeCloseTo(expected.rHat!, 12);
    expect(actual.bulkEffectiveSize).toBeCloseTo(expected.bulkEffectiveSize!, 9);
    expect(actual.tailEffectiveSize).toBeCloseTo(expected.tailEffectiveSize!, 9);
  });

  it('leaves its input as it was', () => {
    const draws = autoregressive(2, 20, 12, 0);
    const copy = draws.slice();
    convergence(draws, 2, 20);
    expect(draws).toEqual(copy);
  });

  it('gives null for draws that are all equal', () => {
    expect(convergence(new Float64Array(80).fill(7), 4, 20)).toEqual({ rHat: null, bulkEffectiveSize: null, tailEffectiveSize: null });
  });

  it('gives an infinite R-hat for chains that stand still at different values', () => {
    const draws = Float64Array.from({ length: 80 }, (_, i) => Math.floor(i / 20));
    const { rHat, bulkEffectiveSize } = convergence(draws, 4, 20);
    expect(rHat).toBe(Number.POSITIVE_INFINITY);
    // As arviz 0.23.4.
    expect(bulkEffectiveSize).toBeCloseTo(20 / 3, 9);
  });

  it('gives no tail size when the 95 % quantile is the largest value', () => {
    const draws = autoregressive(4, 50, 9, 0).map((value) => Math.min(value, 0.5));
    const result = convergence(draws, 4, 50);
    expect(result.tailEffectiveSize).toBeNull();
    expect(result.bulkEffectiveSize! / 230.2588619950082).toBeCloseTo(1, 9);
  });

  it('gives no R-hat for two values that are equally frequent, since folding leaves nothing', () => {
    const draws = Float64Array.from({ length: 80 }, (_, i) => (i * 7) % 2);
    expect(convergence(draws, 4, 20).rHat).toBeNull();
  });

  it('gives no sizes below twelve draws a chain, but an R-hat', () => {
    const result = convergence(autoregressive(4, 11, 10, 0), 4, 11);
    expect(result.rHat).toBeGreaterThan(0.9);
    expect(result.bulkEffectiveSize).toBeNull();
    expect(result.tailEffectiveSize).toBeNull();
  });

  it('refuses draws that are not finite, naming the chain and the draw', () => {
    const draws = autoregressive(2, 20, 13, 0);
    draws[25] = Number.NaN;
    expect(() => convergence(draws, 2, 20)).toThrow(NumericalError);
    expect(() => convergence(draws, 2, 20)).toThrow('Draw 6 of chain 2');
  });

  it('refuses sizes that do not fit', () => {
    expect(() => convergence(new Float64Array(10), 0, 10)).toThrow(RangeError);
    expect(() => convergence(new Float64Array(6), 2, 3)).toThrow(RangeError);
    expect(() => convergence(new Float64Array(10), 2, 4)).toThrow(RangeError);
  });
});
