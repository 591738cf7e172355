import { describe, expect, it } from 'vitest';
import { type Calibration, calibrationVerdict, excessVerdict } from '../../../shared/risk/calibration/calibration.ts';

/** Figures with the parts that a verdict looks at; errors are powers of two, so that twice them is exact. */
function figures(excess: number, slope: number, { excessSe = 1 / 64, slopeSe = 1 / 16 } = {}): Calibration {
  const rest = { achieved: 0.25, achievedSe: excessSe, claimed: 0.25 + excess, claimedSe: 0.01 };
  return { ...rest, excess, excessSe, slope, slopeSe };
}

const verdict = (found: Calibration, targets = 1_000) => calibrationVerdict(found, targets);

describe('calibrationVerdict()', () => {
  it('says that an estimate overclaims when excess and slope both are beyond two standard errors', () => {
    expect(verdict(figures(0.04, 0.8))).toEqual({ code: 'overclaims', moreTargets: null });
    // Wide errors do not matter where the difference is wider still.
    const wide = { excessSe: 1 / 8, slopeSe: 1 / 4 };
    expect(verdict(figures(0.5, 0.4, wide))).toMatchObject({ code: 'overclaims' });
  });

  it('says that it underclaims when both are so on the other side', () => {
    expect(verdict(figures(-0.04, 1.2))).toEqual({ code: 'underclaims', moreTargets: null });
  });

  it('takes exactly two standard errors for chance', () => {
    expect(verdict(figures(2 / 64, 0.8)).code).toBe('calibrated');
    expect(verdict(figures(0.04, 1 - 2 / 16)).code).toBe('calibrated');
    expect(verdict(figures(-2 / 64, 1.2)).code).toBe('calibrated');
    expect(verdict(figures(-0.04, 1 + 2 / 16)).code).toBe('calibrated');
  });

  it('wants both figures on one side', () => {
    expect(verdict(figures(0.04, 1.2)).code).toBe('calibrated');
    expect(verdict(figures(-0.04, 0.8)).code).toBe('calibrated');
  });

  it('cannot tell when two standard errors of the slope exceed a quarter, and says how many targets do', () => {
    expect(verdict(figures(0, 1, { slopeSe: 1 / 8 })).code).toBe('calibrated');
    // Twice the error that would do: four times the targets, three times as many more.
    expect(verdict(figures(0, 1, { slopeSe: 1 / 4 }))).toEqual({ code: 'cannot-tell', moreTargets: 3_000 });
    expect(verdict(figures(0, 1, { slopeSe: 1 / 4 }), 20)).toEqual({ code: 'cannot-tell', moreTargets: 60 });
  });

  it('knows no number of targets for an estimate that claims nothing', () => {
    const nothing = figures(0, 1, { excessSe: 0, slopeSe: Infinity });
    expect(verdict(nothing)).toEqual({ code: 'cannot-tell', moreTargets: null });
  });
});

describe('excessVerdict()', () => {
  it('takes up to two standard errors for chance, on either side', () => {
    const of = (excess: number) => excessVerdict({ excess, excessSe: 1 / 64 });
    expect([of(2 / 64), of(-2 / 64), of(0)]).toEqual([null, null, null]);
    expect(of(2.01 / 64)).toBe('overclaims');
    expect(of(-2.01 / 64)).toBe('underclaims');
  });
});
