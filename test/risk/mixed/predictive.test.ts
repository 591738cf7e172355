import { describe, expect, it } from 'vitest';
import { cellMasses, predictiveOf, withoutValue, withValue } from '../../../shared/risk/mixed/predictive.ts';

const prior = { kappa: 0.1, shape: 2, rate: 0.01 };
const sums = { number: 3, average: 0.4, squares: 0.02 };

describe('sums of a class', () => {
  it('with a value more and without it again are the same, and of none are nothing', () => {
    const more = withValue(sums, 0.8);
    expect(more).toEqual({ number: 4, average: expect.closeTo(0.5, 14), squares: expect.closeTo(0.02 + 0.75 * 0.16, 14) });
    const again = withoutValue(more, 0.8);
    expect(again).toEqual({ number: 3, average: expect.closeTo(0.4, 14), squares: expect.closeTo(0.02, 14) });
    expect(withoutValue({ number: 1, average: 0.3, squares: 0 }, 0.3)).toEqual({ number: 0, average: 0, squares: 0 });
  });
});

describe('predictiveOf()', () => {
  it.each([
    ['that no standard deviation is too small for', 1e-4],
    ['of which the smallest standard deviation cuts some off', 0.1],
    ['of which it cuts nearly all off', 0.5],
  ])('is a density: %s', (_, smallest) => {
    const { location, scale, logDensity } = predictiveOf(sums, prior, smallest);
    // Over value = location + scale sinh u, of which the tails are those of Student's t.
    let total = 0;
    const step = 0.02;
    for (let u = -14; u < 14; u += step) total += Math.exp(logDensity(location + scale * Math.sinh(u))) * scale * Math.cosh(u) * step;
    expect(total).toBeCloseTo(1, 6);
    // As many records as the prior's mean counts for, by DeGroot (1970), section 9.6.
    expect(location).toBeCloseTo((0.1 * 0.5 + 3 * 0.4) / 3.1, 12);
    expect(scale).toBeGreaterThanOrEqual(smallest);
  });

  it("is Student's t where no standard deviation is too small", () => {
    const { location, scale, logDensity } = predictiveOf({ number: 0, average: 0, squares: 0 }, prior, 1e-5);
    // 2 a = 4 degrees of freedom: 3 / 8 at the middle, and (1 + t^2 / 4)^(-5 / 2) of it beside.
    expect(scale).toBeCloseTo(Math.sqrt((0.01 * 1.1) / 0.1 / 2), 12);
    expect(Math.exp(logDensity(location)) * scale).toBeCloseTo(3 / 8, 10);
    expect(Math.exp(logDensity(location + 2 * scale) - logDensity(location))).toBeCloseTo(2 ** -2.5, 10);
  });
});

describe('cellMasses()', () => {
  const massesOf = (cells: number, number: number) => {
    const predictive = predictiveOf({ number, average: 0.62, squares: number * 1e-6 }, { kappa: 0.1, shape: 2, rate: 1e-6 }, 1e-6);
    const masses = new Float64Array(cells);
    cellMasses(predictive, masses);
    return { masses, predictive };
  };

  it('of a class that is narrower than a cell lose nothing between two middles', () => {
    const { masses, predictive } = massesOf(8, 100);
    expect(predictive.scale).toBeLessThan(1 / 80);
    for (const [c, mass] of masses.entries()) {
      const steps = 4000;
      let sum = 0;
      for (let i = 0; i < steps; i++) sum += Math.exp(predictive.logDensity((c + (i + 0.5) / steps) / 8)) / 8 / steps;
      expect(mass).toBeCloseTo(sum, 2);
      if (sum > 1e-12) expect(Math.abs(mass / sum - 1)).toBeLessThan(0.05);
    }
  });

  it('of a wider class are its density in the middle times the width', () => {
    const { masses, predictive } = massesOf(4000, 1);
    expect(predictive.scale).toBeGreaterThan(1 / 4000);
    for (const c of [0, 2479, 3999]) expect(masses[c]! * 4000).toBeCloseTo(Math.exp(predictive.logDensity((c + 0.5) / 4000)), 10);
  });
});
