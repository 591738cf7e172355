import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { treePosterior } from '../../../bench/plain/tree-posterior.ts';

const risk = (ratios: number[], priors: number[]) => ({
  logRatios: Float64Array.from(ratios),
  logPriors: Float64Array.from(priors, Math.log),
});

describe('treePosterior()', () => {
  it('is Bayes theorem', () => {
    const found = treePosterior(risk([0, Math.log(3), -Infinity], [0.5, 0.3, 0.2]), 1, false);
    expect([...found.prior]).toEqual([0.5, 0.3, 0.2].map((one) => expect.closeTo(one, 12)));
    expect([...found.posterior]).toEqual([0.5 / 1.4, 0.9 / 1.4, 0].map((one) => expect.closeTo(one, 12)));
    expect(found.gainBits).toBeCloseTo(Math.log2(3 / 1.4), 12);
    expect(found.claimedBits).toBeCloseTo((0.5 / 1.4) * Math.log2(1 / 1.4) + (0.9 / 1.4) * Math.log2(3 / 1.4), 12);
    expect(found).toMatchObject({ rightBefore: 0, rightAfter: 1, proven: false });
  });

  it('has equal priors if it is asked to', () => {
    const found = treePosterior(risk([0, Math.log(3), -Infinity], [0.5, 0.3, 0.2]), 0, true);
    expect([...found.posterior]).toEqual([0.25, 0.75, 0].map((one) => expect.closeTo(one, 12)));
    expect(found.rightBefore).toBe(1 / 3);
    expect(found.gainBits).toBeCloseTo(Math.log2(0.75), 12);
  });

  it('knows what is proven, however improbable it was', () => {
    const found = treePosterior(risk([-Infinity, 0, -Infinity], [0.999, 1e-300, 0.001]), 1, false);
    expect(found).toMatchObject({ proven: true, rightBefore: 0, rightAfter: 1 });
    expect(found.posterior[1]).toBe(1);
    expect(found.gainBits).toBeCloseTo(300 * Math.log2(10), 6);
    expect(found.claimedBits).toBeCloseTo(found.gainBits, 9);
  });

  it('guesses among ties, but for rounding', () => {
    const found = treePosterior(risk([0, 1e-13, -5], [0.25, 0.25, 0.5]), 0, false);
    expect(found.rightAfter).toBe(1 / 2);
    expect(found.rightBefore).toBe(0);
  });

  it('adds up to one, whatever the likelihoods', () => {
    const weight = fc.double({ min: 1e-6, max: 1, noNaN: true });
    const ratio = fc.oneof(fc.double({ min: -1000, max: 1000, noNaN: true }), fc.constant(-Infinity));
    fc.assert(
      fc.property(fc.array(fc.tuple(ratio, weight), { minLength: 1, maxLength: 9 }), fc.boolean(), (drawn, uniform) => {
        const candidates = [[0, 0.5] as const, ...drawn];
        const { prior, posterior, claimedBits } = treePosterior(
          risk(
            candidates.map(([one]) => one),
            candidates.map(([, one]) => one),
          ),
          0,
          uniform,
        );
        expect(prior.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
        expect(posterior.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
        expect(claimedBits).toBeGreaterThan(-1e-12);
      }),
    );
  });
});
