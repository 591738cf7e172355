import { describe, expect, it } from 'vitest';
import { standardDeviation } from '../../../shared/numeric/spread.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { RESAMPLES } from '../../../shared/risk/attribute/chain-evaluations.ts';
import { betweenDatasets, errorsOf, shareResolved, uncertaintyResolved } from '../../../shared/risk/attribute/release-error.ts';
import { HALF_LENGTH, WITHOUT_DATASETS } from '../../../shared/risk/attribute/value-figures.ts';

const random = new RandomStream(9, 'release-error');
const noise = () => random.uniform() - 0.5;

/** A sum in every evaluation: the estimate, its resamples, paired chains of half their length, without each dataset. */
function evaluations(own: number, spread: number, half: number, without: readonly number[]) {
  const resampled = Array.from({ length: RESAMPLES }, () => own + spread * noise());
  return Float64Array.from([own, ...resampled, half, ...without]);
}

describe('uncertaintyResolved()', () => {
  it('is the ratio of both sums, with the error of the ratio itself in resamples and without each dataset', () => {
    for (const half of [40, 47]) {
      const lacked = evaluations(800, 24, 800, [800, 800, 800, 800]);
      // What is gained holds the prior as well: where more was lacked, more is gained.
      const gained = evaluations(40, 3, half, [31, 34, 33, 29]).map((bits, e) => bits + 0.4 * (lacked[e]! - 800));
      const ratio = gained.map((bits, e) => bits / lacked[e]!);
      const { share, se } = uncertaintyResolved(gained, lacked);
      expect(share).toBe(ratio[0]);
      const simulation = Math.max(standardDeviation(ratio.subarray(1, 1 + RESAMPLES)), Math.abs(ratio[0]! - ratio[HALF_LENGTH]!));
      const release = betweenDatasets(ratio[0]!, ratio.subarray(WITHOUT_DATASETS));
      expect(se! / Math.sqrt(simulation ** 2 + release)).toBeCloseTo(1, 1);
      // As if the denominator were known it would be another, where half the length does not outweigh it.
      if (half === 40) expect(Math.abs(errorsOf(gained, 800).se! / se! - 1)).toBeGreaterThan(0.02);
    }
  });

  it('has the error of the gain where what was lacked is known', () => {
    const lacked = evaluations(16, 0, 16, [16, 16, 16]);
    const gained = evaluations(2, 0.5, 2.25, [1.5, 1, 1.25]);
    expect(uncertaintyResolved(gained, lacked).se).toBeCloseTo(errorsOf(gained, 16).se!, 12);
  });

  it('is undefined where nothing was lacked, and has no error from one dataset', () => {
    const one = (bits: number) => evaluations(bits, 0.25, bits, []);
    expect(uncertaintyResolved(one(0), evaluations(0, 0, 0, []))).toEqual({ share: null, se: null, simulationSe: null, releaseSe: null });
    expect(uncertaintyResolved(one(1), one(4))).toMatchObject({ share: 0.25, se: null, releaseSe: null });
  });

  it('has an error where a resample lacks nothing', () => {
    const lacked = evaluations(0.01, 0.02, 0.01, [0.01, 0.01]);
    lacked[7] = 0;
    const { se } = uncertaintyResolved(evaluations(0.005, 0.001, 0.005, [0.004, 0.003]), lacked);
    expect(se).toBeGreaterThan(0);
    expect(se).toBeLessThan(10);
  });
});

describe('shareResolved()', () => {
  it.each([
    [2, 8, 0.25],
    [-2, 8, -0.25],
    [8.000000001, 8, 1],
    [0, 0, null],
    [1e-8, 1e-7, null],
  ])('%d of %d bits: %s', (gained, lacked, expected) => {
    expect(shareResolved(gained, lacked)).toBe(expected);
  });
});
