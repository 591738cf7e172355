import { describe, expect, it } from 'vitest';
import { priorCurve, riskUnderPrior } from '../../../shared/risk/privacy/bayes-factor.ts';

describe('riskUnderPrior', () => {
  it('is Bayes’ rule, and the posterior over the prior', () => {
    for (const factor of [0.01, 0.5, 1, 3, 200]) {
      for (const w of [0.001, 0.3, 0.5, 0.99]) {
        const { absolute, relative } = riskUnderPrior(Math.log(factor), w);
        expect(absolute).toBeCloseTo((w * factor) / (1 - w + w * factor), 12);
        expect(relative).toBeCloseTo(factor / (1 - w + w * factor), 10);
      }
    }
  });

  it('leaves the prior where the release carries no information', () => {
    expect(riskUnderPrior(0, 0.3)).toEqual({ absolute: 0.3, relative: 1 });
  });

  it('stays a number where the Bayes factor is beyond double precision', () => {
    expect(riskUnderPrior(1000, 0.25)).toEqual({ absolute: 1, relative: 4 });
    expect(riskUnderPrior(-1000, 0.25)).toEqual({ absolute: 0, relative: 0 });
  });
});

describe('priorCurve', () => {
  it('has 1000 equally spaced priors inside (0, 1), the risk rising with them and the relative risk falling', () => {
    const curve = priorCurve(1.5);
    expect(curve).toHaveLength(1000);
    expect(curve[0]!.prior).toBeCloseTo(1 / 1001, 15);
    expect(curve.at(-1)!.prior).toBeCloseTo(1000 / 1001, 15);
    for (let k = 1; k < curve.length; k++) {
      expect(curve[k]!.prior - curve[k - 1]!.prior).toBeCloseTo(1 / 1001, 12);
      expect(curve[k]!.absolute).toBeGreaterThan(curve[k - 1]!.absolute);
      expect(curve[k]!.relative).toBeLessThan(curve[k - 1]!.relative);
    }
  });
});
