import { describe, expect, it } from 'vitest';
import { boundedMeasure } from '../../../shared/risk/bounds/bound-disclosure.ts';

describe('boundedMeasure()', () => {
  const minimum = [2, 0, 1, 3];
  const maximum = [10, 14, 12, 12];

  it('gives mean, spread, error and type 7 quantiles of each bound', () => {
    const measure = boundedMeasure(minimum, maximum, null);
    expect(measure.release).toBeUndefined();
    expect(measure.minimum).toEqual({
      defined: 4,
      mean: 1.5,
      standardDeviation: Math.sqrt(5 / 3),
      standardError: Math.sqrt(5 / 3) / 2,
      smallest: 0,
      quantile05: expect.closeTo(0.15, 12),
      quantile25: 0.75,
      median: 1.5,
      quantile75: 2.25,
      quantile95: expect.closeTo(2.85, 12),
      largest: 3,
    });
    expect(measure.maximum.mean).toBe(12);
  });

  it('leaves out resamples that do not define the measure, and says so when none does', () => {
    const { minimum: none, maximum: one } = boundedMeasure([null, null], [null, 0.5], null);
    expect(none).toMatchObject({ defined: 0, mean: null, median: null, reason: 'no resample defines it' });
    expect(one).toMatchObject({ defined: 1, mean: 0.5, standardDeviation: null, standardError: null });
    expect(one.reason).toBe('one resample has no spread');
  });

  it('places the mean of the release on the range between the means, 0 at the minimum', () => {
    const { release } = boundedMeasure(minimum, maximum, [3, 15]);
    expect(release).toEqual({
      byDataset: [3, 15],
      mean: 9,
      standardDeviation: Math.sqrt(72),
      smallest: 3,
      largest: 15,
      shareOfRange: 7.5 / 10.5,
      resamples: { minimum: { below: 4, above: 0 }, maximum: { below: 0, above: 4 } },
    });
  });

  it('counts resamples beyond the release strictly, and lets it lie outside the range', () => {
    const { release } = boundedMeasure(minimum, maximum, [12]);
    expect(release!.resamples!.maximum).toEqual({ below: 1, above: 1 });
    expect(boundedMeasure(minimum, maximum, [33]).release!.shareOfRange).toBe(3);
    expect(boundedMeasure(minimum, maximum, [0]).release!.shareOfRange).toBeLessThan(0);
  });

  it('runs from the minimum to the maximum where the measure falls as risk grows', () => {
    const { release } = boundedMeasure([1, 1], [0.5, 0.5], [0.625]);
    expect(release!.shareOfRange).toBe(0.75);
  });

  it('gives no position, with the reason, where there is none', () => {
    const positions = [
      boundedMeasure([1], [2], [null]),
      boundedMeasure([null], [2], [1]),
      boundedMeasure([2], [2], [2]),
      boundedMeasure([1, 3], [2, 3], [2]),
    ].map(({ release }) => release!);
    expect(positions.map(({ shareOfRange }) => shareOfRange)).toEqual([null, null, null, null]);
    expect(positions.map(({ reason }) => reason)).toEqual([
      'no dataset defines it',
      'no resample of a bound defines it',
      'both bounds have the same mean',
      'the bounds differ by no more than their Monte Carlo error',
    ]);
    expect(positions[0]).toMatchObject({ mean: null, smallest: null, largest: null, resamples: null });
    expect(positions[1]!.resamples).toEqual({ minimum: { below: 0, above: 0 }, maximum: { below: 0, above: 1 } });
  });

  it('tells bounds apart whose means differ by more than two errors, and not by the spread of single resamples', () => {
    const values = Array.from({ length: 16 }, (_, i) => 2 * (i % 2));
    const shifted = (by: number) => values.map((value) => value + by);
    // The standard deviation is 1.033, the error of each mean 0.258, and that of their difference 0.365.
    expect(boundedMeasure(values, shifted(0.74), [1]).release!.shareOfRange).toBeCloseTo(0, 12);
    expect(boundedMeasure(values, shifted(0.72), [1]).release!.shareOfRange).toBeNull();
    expect(boundedMeasure(shifted(0.74), values, [1]).release!.shareOfRange).toBeCloseTo(1, 12);
  });
});
