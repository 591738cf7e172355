import { describe, expect, it } from 'vitest';
import type { MaskedAs } from '../../../shared/contracts/config/linkage.ts';
import { finish } from '../../../shared/contracts/stepwise.ts';
import { mdavGroups } from '../../../shared/masking/mdav.ts';
import { aggregated } from '../../../shared/masking/microaggregate.ts';
import { standardizedPoints } from '../../../shared/masking/standardized-points.ts';
import { standardDeviation } from '../../../shared/numeric/spread.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { groupComparison, regressionResiduals, releaseMetrics } from '../../../shared/risk/linkage/release-metrics.ts';

const random = new RandomStream(5, 'release-metrics');
const column = (records: number) => Float64Array.from({ length: records }, () => random.uniform() * 100);
const continuous = (name: string, release: Float64Array, file: Float64Array) => ({
  name,
  release: { type: 'continuous' as const, values: release },
  file: { type: 'continuous' as const, values: file },
});

describe('releaseMetrics()', () => {
  it('compares groups of several variables by the nearest of them', () => {
    const file = [column(90), column(90), column(90)];
    const groups = finish(mdavGroups(standardizedPoints(file), 3, 4));
    const release = file.map((values) => aggregated(values, groups, 'mean'));
    const variables = file.map((values, v) => continuous(`V${v}`, release[v]!, values));
    const [comparison, ...others] = finish(releaseMetrics({ method: 'mdav', k: 4 }, variables));
    expect(others).toEqual([]);
    const scales = release.map(standardDeviation);
    for (let record = 0; record < 90; record++) {
      const distance = (row: number) => file.reduce((sum, values, v) => sum + ((values[record]! - release[v]![row]!) / scales[v]!) ** 2, 0);
      const nearest = [...release[0]!.keys()].reduce((a, b) => (distance(b) < distance(a) ? b : a));
      expect(comparison!.values[record]).toBe(comparison!.bands[0]!.low[nearest]);
    }
  });

  it('compares categories by equality, whatever the masking', () => {
    const codes = Uint8Array.of(0, 1, 1);
    const categorical = { name: 'S', release: { type: 'categorical', codes }, file: { type: 'categorical', codes } };
    const found = finish(releaseMetrics({ method: 'rank-swap', p: 5 }, [categorical as never]));
    expect(found).toEqual([
      {
        name: 'S',
        values: Float64Array.from(codes),
        bands: [{ low: Float64Array.from(codes), high: Float64Array.from(codes) }],
        tells: null,
      },
    ]);
  });

  it.each<[MaskedAs, number]>([
    [{ method: 'individual-ranking', k: 3 }, 3],
    [{ method: 'rank-swap', p: 5 }, 3],
    [{ method: 'noise', noise: 0.1 }, 3],
    [{ method: 'noise-mixture', noise: 0.1 }, 3],
    [{ method: 'top-code' }, 1],
    [{ method: 'sample' }, 1],
    [{ method: 'errors' }, 1],
  ])('has nested intervals: %o', (masked, bands) => {
    const values = column(200);
    const [comparison] = finish(releaseMetrics(masked, [continuous('A', values, values)]));
    expect(comparison!.bands).toHaveLength(bands);
    for (let b = 1; b < bands; b++)
      for (let row = 0; row < 200; row++) {
        expect(comparison!.bands[b]!.low[row]).toBeLessThanOrEqual(comparison!.bands[b - 1]!.low[row]!);
        expect(comparison!.bands[b]!.high[row]).toBeGreaterThanOrEqual(comparison!.bands[b - 1]!.high[row]!);
      }
  });

  it('compares outliers of synthetic data, in variables and in what regressions leave', () => {
    const [a, b] = [column(100), column(100)];
    const variables = [continuous('A', a, a), continuous('B', b, b)];
    const found = finish(releaseMetrics({ method: 'synthetic', tail: 0.1 }, variables));
    expect(found.map(({ name }) => name)).toEqual(['A', 'B', 'residual of A', 'residual of B']);
    for (const { tells } of found) expect(tells!.reduce((sum, told) => sum + told, 0)).toBe(10);
  });
});

describe('groupComparison()', () => {
  const nearest = (release: number[][], file: number[][]) =>
    finish(
      groupComparison(
        release.map((values) => Float64Array.from(values)),
        file.map((values) => Float64Array.from(values)),
      ),
    );

  it('has the group that is nearest in units of deviations, and the first in the release of two', () => {
    // Deviations of 10 and 1: 0.9 of them from the first group, and two of the second one from the last.
    const [wide, narrow] = [
      [0, 20, 10],
      [0, 1, 2],
    ];
    expect([...nearest([wide, narrow], [[9], [0]]).values]).toEqual([0]);
    expect([...nearest([[5, 1, 5]], [[3, 1.5, 4.5, -9, 99]]).values]).toEqual([0, 1, 0, 1, 0]);
    expect([...nearest([[1, 5, 5]], [[3, 1.5, 4.5, -9, 99]]).values]).toEqual([0, 0, 1, 0, 1]);
    expect([...nearest([[1, 5, 1]], [[3]]).bands[0]!.low]).toEqual([0, 1, 0]);
  });

  it('is told nothing by a variable that is constant in the release', () => {
    const release = [
      [1, 5],
      [7, 7],
    ];
    expect([
      ...nearest(release, [
        [4.5, 1.5],
        [-100, 100],
      ]).values,
    ]).toEqual([1, 0]);
  });
});

describe('regressionResiduals()', () => {
  const [a, b] = [column(60), column(60)];
  const c = a.map((value, i) => 5 + 2 * value - 3 * b[i]! + random.uniform());

  it('are orthogonal to the predictors in the release', () => {
    const found = regressionResiduals([a, b, c], [a, b, c]);
    expect(found.map(({ variable }) => variable)).toEqual([0, 1, 2]);
    const { release } = found[2]!;
    const mean = release.reduce((sum, value) => sum + value, 0) / 60;
    for (const predictor of [a, b]) {
      const product = release.reduce((sum, value, i) => sum + (value - mean) * predictor[i]!, 0);
      expect(Math.abs(product)).toBeLessThan(1e-6);
    }
    expect(standardDeviation(release)).toBeLessThan(0.4);
  });

  it('applies the slopes of the release to the file', () => {
    const file = [Float64Array.of(1), Float64Array.of(1), Float64Array.of(4)];
    const found = regressionResiduals([a, b, c], file)[2]!;
    // 5 + 2 - 3 = 4, without the intercept that release and file have in common.
    expect(found.file[0]! - found.release.reduce((sum, value) => sum + value, 0) / 60).toBeCloseTo(-0.5, 0);
  });

  it('has none for what others determine, and is not disturbed by it', () => {
    const sum = a.map((value, i) => value + b[i]!);
    const found = regressionResiduals([a, b, sum, c], [a, b, sum, c]);
    expect(found.map(({ variable }) => variable)).toEqual([3]);
  });
});
