import { describe, expect, it } from 'vitest';
import { correlations, mixtureNoise, withNoise } from '../../shared/masking/add-noise.ts';
import { standardizedPoints } from '../../shared/masking/standardized-points.ts';
import { standardDeviation } from '../../shared/numeric/spread.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { normal } from '../../shared/random/ziggurat.ts';

const RECORDS = 40_000;
const random = new RandomStream(1, 'noise');
const first = Float64Array.from({ length: RECORDS }, () => 100 + 20 * normal(random));
const second = first.map((value) => 3 * value + 40 * normal(random));
const sum = first.map((value, i) => value + second[i]!);
const columns = [first, second, sum];

describe.each([
  ['normal noise', normal],
  ['a mixture', mixtureNoise(0.9)],
] as const)('withNoise(), %s', (_, unitNoise) => {
  const masked = withNoise(new RandomStream(2, 'noise'), columns, 0.25, unitNoise);

  it('keeps means, variances and correlations but for chance', () => {
    for (const [v, values] of columns.entries()) {
      const scale = standardDeviation(values);
      expect(standardDeviation(masked[v]!) / scale).toBeCloseTo(1, 1.5);
      const mean = (numbers: Float64Array) => numbers.reduce((a, b) => a + b, 0) / RECORDS;
      expect(Math.abs(mean(masked[v]!) - mean(values)) / scale).toBeLessThan(5 * Math.sqrt(0.25 / RECORDS));
    }
    const [before, after] = [columns, masked].map((one) => correlations(standardizedPoints(one), 3));
    for (const [i, value] of before!.entries()) expect(after![i]!).toBeCloseTo(value, 1.5);
  });

  it('adds the variance that is asked for, undone the shrinkage', () => {
    const mean = first.reduce((a, b) => a + b, 0) / RECORDS;
    const noise = masked[0]!.map((value, i) => (value - mean) * Math.sqrt(1.25) + mean - first[i]!);
    expect((standardDeviation(noise) / standardDeviation(first)) ** 2).toBeCloseTo(0.25, 1.5);
  });

  it('keeps what determines a variable', () => {
    const worst = Math.max(...masked[2]!.map((value, i) => Math.abs(value - masked[0]![i]! - masked[1]![i]!)));
    expect(worst).toBeLessThan(1e-3);
  });
});

describe('mixtureNoise()', () => {
  it('has mean 0 and variance 1, and is seldom near zero', () => {
    const draw = mixtureNoise(0.9);
    const drawn = Float64Array.from({ length: RECORDS }, () => draw(random));
    expect(standardDeviation(drawn)).toBeCloseTo(1, 1.5);
    const near = (values: Float64Array) => values.filter((value) => Math.abs(value) < 0.2).length / RECORDS;
    expect(near(drawn)).toBeLessThan(0.6 * near(Float64Array.from({ length: RECORDS }, () => normal(random))));
  });
});
