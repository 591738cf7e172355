import { describe, expect, it } from 'vitest';
import { laplace, noiseScale, roundErrorUp, tellFigure } from '../../../shared/pipeline/public/told-figure.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';

/** A source whose numbers are given, one after the other. */
const given = (...numbers: number[]) => ({ uniform: () => numbers.shift()!, below: () => 0 });

it('noise has the distribution of Laplace', () => {
  const random = new RandomStream(1, 'laplace');
  const draws = Float64Array.from({ length: 100_000 }, () => laplace(random, 2)).sort();
  // Quartiles at the scale times ln 2, and a variance of twice the square of the scale, within five errors.
  expect(Math.abs(draws[25_000]! + 2 * Math.LN2)).toBeLessThan(0.06);
  expect(Math.abs(draws[75_000]! - 2 * Math.LN2)).toBeLessThan(0.06);
  const variance = draws.reduce((sum, draw) => sum + draw * draw, 0) / draws.length;
  expect(Math.abs(variance - 8)).toBeLessThan(0.3);
});

it('noise follows from the records and the numbers that are told alone', () => {
  // 6 numbers, each of which a record moves by 2 / 1500 at most: a sixth of a nat each.
  expect(noiseScale(2, 1500, 6)).toBeCloseTo(0.008, 12);
});

it.each([
  [0.0113, 0.02],
  [0.02, 0.02],
  [0.0201, 0.05],
  [0.06, 0.1],
  [1e-7, 1e-7],
  [0.99, 1],
])('an error of %d is rounded up to %d', (error, rounded) => {
  expect(roundErrorUp(error)).toBe(rounded);
});

describe('a figure that is told', () => {
  it('is noise and figure, to a multiple of the error of both', () => {
    // Laplace: the third quarter is ln 2 above. 0.4567 + 0.008 ln 2 = 0.4622; the error is 0.0113, rounded up.
    const figure = { value: 0.4567, se: null, movesByRecords: 2 };
    expect(tellFigure(figure, 0.008, given(0.75))).toEqual({ value: 0.46, error: 0.02 });
  });

  it('has the error of its own in that, which gets noise too', () => {
    // 0.03 + 0.008 - 0.008 ln 2 = 0.0325, and 0.0113 of the noise: 0.0344 together.
    const figure = { value: 0.4567, se: 0.03, movesByRecords: 2 };
    expect(tellFigure(figure, 0.008, given(0.75, 0.25))).toEqual({ value: 0.45, error: 0.05 });
  });

  it.each([
    [0.001, given(0.1), 0],
    [0.999, given(0.9), 1],
  ])('stays a share: %d', (value, random, told) => {
    expect(tellFigure({ value, se: null, movesByRecords: 1 }, 0.008, random).value).toBe(told);
  });

  it.each([0, 0.004, 0.03])('differs from what is estimated by no more than its error says (error %d)', (se) => {
    const random = new RandomStream(2, 'coverage');
    const truth = 0.437;
    let squares = 0;
    let within = 0;
    let errors = 0;
    const times = 20_000;
    for (let i = 0; i < times; i++) {
      const deviation = Math.sqrt(12) * se * (random.uniform() - 0.5);
      const { value, error } = tellFigure({ value: truth + deviation, se, movesByRecords: 1 }, 0.008, random);
      squares += (value! - truth) ** 2;
      errors += error! ** 2;
      if (Math.abs(value! - truth) <= 2 * error!) within++;
    }
    expect(squares).toBeLessThan(errors * 1.05);
    expect(within / times).toBeGreaterThan(0.95);
  });
});
