import { expect, it } from 'vitest';
import { binomialMasses } from '../../shared/numeric/binomial-mass.ts';

it('gives the binomial probabilities of small numbers by hand', () => {
  const [none, one, two, three] = binomialMasses(3)(0.25);
  expect(none).toBeCloseTo(27 / 64, 14);
  expect(one).toBeCloseTo(27 / 64, 14);
  expect(two).toBeCloseTo(9 / 64, 14);
  expect(three).toBeCloseTo(1 / 64, 14);
});

it('leaves nothing to chance where the probability is 0 or 1', () => {
  expect([...binomialMasses(3)(0)]).toEqual([1, 0, 0, 0]);
  expect([...binomialMasses(3)(1)]).toEqual([0, 0, 0, 1]);
});

it.each([
  [1000, 0.001],
  [1000, 0.5],
  [20_000, 0.93],
])('sums to one with the right mean, %d trials of probability %d', (trials, probability) => {
  const masses = binomialMasses(trials)(probability);
  expect(masses).toHaveLength(trials + 1);
  expect(masses.reduce((sum, mass) => sum + mass, 0)).toBeCloseTo(1, 9);
  expect(masses.reduce((sum, mass, k) => sum + k * mass, 0) / trials).toBeCloseTo(probability, 9);
});
