import { describe, expect, it } from 'vitest';
import { logNormalMass } from '../../shared/numeric/normal-mass.ts';

describe('logNormalMass()', () => {
  // Probabilities of Abramowitz & Stegun, table 26.1, and of tails by the series of their eq. 26.2.12.
  it.each([
    [-1, 1, 0.682689492137086],
    [0, 1.96, 0.47500210485178],
    [-Infinity, 0, 0.5],
    [-1e9, 1e9, 1],
    [3, 4, 0.0013182267897969746],
    [-2.5, -0.3, 0.3758789124852712],
  ])('from %d to %d is the logarithm of %d', (a, b, probability) => {
    expect(Math.exp(logNormalMass(Math.max(a, -1e12), b))).toBeCloseTo(probability, 11);
  });

  it('of narrow intervals adds up to that of the wide one they make', () => {
    for (const [a, width] of [
      [0.2, 0.05],
      [2, 0.004],
      [7, 0.1],
      [-12, 0.02],
      [-0.01, 0.02],
    ] as const) {
      for (const parts of [2, 64, 400]) {
        let sum = 0;
        const whole = logNormalMass(a, a + width);
        for (let i = 0; i < parts; i++) {
          sum += Math.exp(logNormalMass(a + (width * i) / parts, a + (width * (i + 1)) / parts) - whole);
        }
        expect(sum).toBeCloseTo(1, 8);
      }
    }
  });

  it('is finite where the probability underflows', () => {
    // Mills' ratio: the tail beyond u is phi(u) / u (1 - 1 / u^2 + 3 / u^4 - ...).
    const u = 60;
    const tail = -(u * u) / 2 - Math.log(2 * Math.PI) / 2 - Math.log(u) + Math.log1p(-1 / u ** 2 + 3 / u ** 4);
    expect(logNormalMass(u, u + 5)).toBeCloseTo(tail, 6);
    expect(logNormalMass(-u - 5, -u)).toBeCloseTo(tail, 6);
  });

  // By erfc with sixty digits (mpmath).
  it.each([
    [2000, 2000.0005, -2000008.97851617],
    [1e5, 1e5 + 2 ** -11, -5000000012.43186],
    [1000001, 1000001.5, -500001000015.234],
    [3e6, 3e6 + 2 ** -24, -4500000000017.64],
    [1e11, 1e11 + 0.5, -5e21],
    [1e15, 1e15 + 0.5, -5e29],
  ])('is right as far away as from %d to %d', (a, b, log) => {
    expect(logNormalMass(a, b) / log).toBeCloseTo(1, 14);
    expect(logNormalMass(-b, -a) / log).toBeCloseTo(1, 14);
  });
});
