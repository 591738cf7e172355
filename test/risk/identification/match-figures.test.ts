import { describe, expect, it } from 'vitest';
import { spreadOfFigures } from '../../../shared/risk/identification/match-figures.ts';

const figures = (expectedMatchRisk: number, falseMatchRate: number | null) => ({
  expectedMatchRisk,
  trueMatchRate: expectedMatchRisk / 10,
  falseMatchRate,
  ...(falseMatchRate === null ? { falseMatchRateReason: 'no record has a unique match' } : {}),
  uniqueMatches: 4 * expectedMatchRisk,
});

describe('spreadOfFigures()', () => {
  it('has the mean, the deviation with the divisor m - 1, and the ends of each figure', () => {
    const found = spreadOfFigures([figures(1, 0.2), figures(2, 0.6), figures(6, 0.1)]);
    expect(found.mean).toEqual({
      expectedMatchRisk: 3,
      trueMatchRate: expect.closeTo(0.3, 14),
      falseMatchRate: expect.closeTo(0.3, 14),
      uniqueMatches: 12,
    });
    expect(found.standardDeviation).toEqual({
      expectedMatchRisk: expect.closeTo(Math.sqrt(7), 14),
      trueMatchRate: expect.closeTo(Math.sqrt(0.07), 14),
      falseMatchRate: expect.closeTo(Math.sqrt(0.07), 14),
      uniqueMatches: expect.closeTo(4 * Math.sqrt(7), 13),
    });
    expect(found.minimum).toMatchObject({ expectedMatchRisk: 1, falseMatchRate: 0.1 });
    expect(found.maximum).toMatchObject({ expectedMatchRisk: 6, falseMatchRate: 0.6 });
  });

  it('has the false match rate over the datasets that have one, and its spread where two do', () => {
    const two = spreadOfFigures([figures(1, 0.2), figures(2, null), figures(6, 0.4)]);
    expect(two.mean.falseMatchRate).toBeCloseTo(0.3, 14);
    expect(two.standardDeviation!.falseMatchRate).toBeCloseTo(Math.sqrt(0.02), 14);
    const one = spreadOfFigures([figures(1, 0.2), figures(2, null)]);
    expect(one.mean.falseMatchRate).toBe(0.2);
    expect(one.standardDeviation).toMatchObject({
      expectedMatchRisk: expect.closeTo(Math.SQRT1_2, 14),
      falseMatchRate: null,
      falseMatchRateReason: expect.stringMatching(/fewer than two datasets/),
    });
  });

  it('has no deviation of one dataset, and says why', () => {
    expect(spreadOfFigures([figures(1, 0.2)])).toMatchObject({
      standardDeviation: null,
      standardDeviationReason: expect.stringMatching(/one dataset/),
    });
  });
});
