import { describe, expect, it } from 'vitest';
import { createMixed } from '../../../shared/model/mixed/mixed.ts';
import { normalParameters, normalSums } from '../../../shared/model/mixed/mixed-draws.ts';
import type { MixedRows } from '../../../shared/model/mixed/mixed-rows.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { zOfMean } from '../../random/moments.ts';
import { gammaShare, logValues } from './mixed-marginal.ts';

const settings = { classes: 1, concentration: { value: 1 } };
const PRIOR = { kappa: 0.5, shape: 2.5, rate: 0.05 };

const rowsOf = (values: readonly number[], smallest: number): MixedRows => ({
  rows: values.length,
  sizes: [],
  codes: new Uint16Array(0),
  continuous: [{ smallest, indicator: null }],
  values: Float64Array.from(values),
});

describe('one class', () => {
  const values = [0.2, 0.25, 0.4, 0.9, 0.35];

  it.each([1e-6, 0.25])('has mu and sigma2 of the closed form, with the smallest deviation %f', (smallest) => {
    const n = values.length;
    const average = values.reduce((sum, y) => sum + y, 0) / n;
    const squares = values.reduce((sum, y) => sum + (y - average) ** 2, 0);
    const kappa = PRIOR.kappa + n;
    const mean = (PRIOR.kappa * 0.5 + n * average) / kappa;
    const shape = PRIOR.shape + n / 2;
    const rate = PRIOR.rate + squares / 2 + (PRIOR.kappa * n * (average - 0.5) ** 2) / (2 * kappa);
    // E[sigma2] of an inverse gamma above its bound: rate / (shape - 1) times a ratio of gamma shares.
    const share = (own: number) => gammaShare(own, rate / (smallest * smallest));
    const variance = ((rate / (shape - 1)) * share(shape - 1)) / share(shape);
    const square = ((rate * rate) / ((shape - 1) * (shape - 2)) / share(shape)) * share(shape - 2);

    const model = createMixed(rowsOf(values, smallest), { ...settings, normal: PRIOR });
    const random = new RandomStream(3, 'one class');
    const draws = Array.from({ length: 40_000 }, () => model.init(random)).map((state) => normalParameters(state)[0]!);
    const variances = draws.map((draw) => draw.variances[0]!);
    expect(Math.min(...variances)).toBeGreaterThanOrEqual(smallest * smallest * (1 - 1e-15));
    expect(Math.abs(zOfMean(variances, variance, Math.sqrt(square - variance * variance)))).toBeLessThan(4);
    const means = draws.map((draw) => draw.means[0]!);
    expect(Math.abs(zOfMean(means, mean, Math.sqrt(variance / kappa)))).toBeLessThan(4);
    // mu and sigma2 together: kappa (mu - mean)^2 / sigma2 is chi-square of one degree.
    const ratios = draws.map(({ means: [mu], variances: [sigma2] }) => (kappa * (mu! - mean) ** 2) / sigma2!);
    expect(Math.abs(zOfMean(ratios, 1, Math.SQRT2))).toBeLessThan(4);
  });

  it('has a likelihood whose mean over the prior is the product of Student’s t', () => {
    const few = [0.4, 0.55];
    const random = new RandomStream(4, 'prior');
    const prior = createMixed(rowsOf([Number.NaN], 0.05), { ...settings, normal: PRIOR });
    const model = createMixed(rowsOf(few, 0.05), { ...settings, normal: PRIOR });
    const likelihoods = Array.from({ length: 40_000 }, () => Math.exp(model.logLikelihood(prior.init(random))));
    const mean = likelihoods.reduce((sum, one) => sum + one, 0) / likelihoods.length;
    const spread = Math.sqrt(likelihoods.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (likelihoods.length - 1));
    expect(Math.abs(zOfMean(likelihoods, Math.exp(logValues(few, PRIOR, 0.05)), spread))).toBeLessThan(4);
  });

  it('loses no digit of sums of squares of values that lie together near the end of the range', () => {
    // Whole multiples of 2^-40 below 1: their mean and squares are exact in whole numbers.
    const steps = Array.from({ length: 200 }, (_, i) => (i * 37) % 101);
    const model = createMixed(
      rowsOf(
        steps.map((step) => 1 - step * 2 ** -40),
        1e-13,
      ),
      settings,
    );
    model.init(new RandomStream(1, 'digits'));
    const [{ numbers, averages, squares }] = normalSums(model.allocation!(), 1) as [ReturnType<typeof normalSums>[0]];
    const sum = steps.reduce((total, step) => total + step, 0);
    const exact = steps.reduce((total, step) => total + step * step, 0) - (sum * sum) / steps.length;
    expect(numbers[0]).toBe(200);
    expect(averages[0]).toBe(1 - (sum / steps.length) * 2 ** -40);
    expect(Math.abs(squares[0]! / 2 ** -80 / exact - 1)).toBeLessThan(1e-12);
  });

  it('refuses what is no bound and no value', () => {
    expect(() => createMixed(rowsOf([0.5], 0), settings)).toThrow('smallest standard deviation');
    expect(() => createMixed(rowsOf([Number.POSITIVE_INFINITY], 0.1), settings)).toThrow('not finite');
    const model = createMixed(rowsOf([0.5], 0.1), settings);
    const { latent: _, ...others } = model.init(new RandomStream(1, 'latent'));
    expect(() => model.logLikelihood(others)).toThrow('latent');
  });
});
