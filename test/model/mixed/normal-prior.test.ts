import { expect, it } from 'vitest';
import { normalPosterior } from '../../../shared/model/mixed/normal-prior.ts';

it('adds values to the prior as if its mean were so many values in the middle of the range', () => {
  const prior = { kappa: 2, shape: 1.5, rate: 0.01 };
  const values = [0.2, 0.4, 0.9];
  const average = 0.5;
  const squaresAbout = (centre: number, of: readonly number[]) => of.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  for (const shift of [0, 0.05, -0.1]) {
    const own = values.map((value) => value + shift);
    const found = normalPosterior(prior, 3, average + shift, squaresAbout(average + shift, own));
    const all = [0.5, 0.5, ...own];
    const mean = all.reduce((sum, value) => sum + value, 0) / 5;
    expect(found).toEqual({
      ...{ kappa: 5, shape: 3, mean: expect.closeTo(mean, 14) },
      rate: expect.closeTo(0.01 + squaresAbout(mean, all) / 2, 14),
    });
  }
  expect(normalPosterior(prior, 0, NaN, 0)).toEqual({ ...prior, mean: 0.5 });
});
