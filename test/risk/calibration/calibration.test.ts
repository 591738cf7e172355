import { describe, expect, it } from 'vitest';
import { type Calibration, calibration, pooledCalibration } from '../../../shared/risk/calibration/calibration.ts';
import { calibratedTargets } from './calibrated-targets.ts';

describe('calibration()', () => {
  it.each([0.3, 1, 3])('finds exactly calibrated posteriors calibrated, whatever they tell (spread %d)', (spread) => {
    const { logLikelihoods, truths, candidates } = calibratedTargets(1, 4_000, 10, spread);
    const found = calibration(logLikelihoods, truths, candidates);
    expect(found.claimed).toBeGreaterThan(0.03);
    expect(Math.abs(found.achieved - found.claimed)).toBeLessThan(4 * found.achievedSe);
    expect(Math.abs(found.slope - 1)).toBeLessThan(4 * found.slopeSe);
    expect(found.slopeSe).toBeLessThan(0.1);
  });

  it('finds that doubled log-likelihoods claim more than they achieve, and would need the power 1/2', () => {
    const { logLikelihoods, truths, candidates } = calibratedTargets(2, 4_000, 10, 1);
    const honest = calibration(logLikelihoods, truths, candidates);
    const doubled = calibration(
      logLikelihoods.map((value) => 2 * value),
      truths,
      candidates,
    );
    expect(doubled.slope).toBeCloseTo(honest.slope / 2, 8);
    expect(doubled.slopeSe).toBeCloseTo(honest.slopeSe / 2, 8);
    expect(Math.abs(doubled.slope - 0.5)).toBeLessThan(4 * doubled.slopeSe);
    expect(doubled.claimed).toBeGreaterThan(doubled.achieved + 10 * doubled.achievedSe);
    expect(doubled.achieved).toBeLessThan(honest.achieved);
    const halved = calibration(
      logLikelihoods.map((value) => value / 2),
      truths,
      candidates,
    );
    expect(halved.slope).toBeCloseTo(2 * honest.slope, 8);
    expect(halved.claimed).toBeLessThan(halved.achieved - 10 * halved.achievedSe);
  });

  it('gives what two candidates give by hand', () => {
    // Each target favours candidate 1 by one nat; three of four truths are candidate 1.
    const logLikelihoods = Float64Array.from({ length: 8 }, (_, i) => 7 + (i % 2));
    const found = calibration(logLikelihoods, [1, 1, 0, 1], 2);
    const p = Math.E / (1 + Math.E);
    const [right, left] = [Math.log(2 * p), Math.log(2 * (1 - p))];
    expect(found.achieved).toBeCloseTo((3 * right + left) / 4, 13);
    expect(found.claimed).toBeCloseTo(p * right + (1 - p) * left, 13);
    // Sample standard deviation of three at `right` and one at `left`: |right - left| / 2.
    expect(found.achievedSe).toBeCloseTo((right - left) / 2 / 2, 13);
    // Every target claims the same, so that the difference varies as the scores do.
    expect(found.claimedSe).toBe(0);
    expect(found.excess).toBeCloseTo(found.claimed - found.achieved, 13);
    expect(found.excessSe).toBeCloseTo(found.achievedSe, 13);
    // The power that makes the odds 3 to 1.
    expect(found.slope).toBeCloseTo(Math.log(3), 9);
    // Scores 1/4, 1/4, -3/4, 1/4 over the information 4 x 3/16.
    expect(found.slopeSe).toBeCloseTo(Math.sqrt(3 / 16 + 9 / 16) / (3 / 4), 8);
  });

  it('has standard errors that are those of repeated studies', () => {
    const repeats = 200;
    const studies = Array.from({ length: repeats }, (_, i) => {
      const { logLikelihoods, truths, candidates } = calibratedTargets(100 + i, 200, 6, 1);
      return calibration(logLikelihoods, truths, candidates);
    });
    const deviation = (values: number[]) => {
      const mean = values.reduce((sum, value) => sum + value, 0) / repeats;
      return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (repeats - 1));
    };
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / repeats;
    // A standard deviation from 200 repeats is known to within 5 %: four of those.
    const achieved = deviation(studies.map((study) => study.achieved)) / mean(studies.map((study) => study.achievedSe));
    const slope = deviation(studies.map((study) => study.slope)) / mean(studies.map((study) => study.slopeSe));
    expect(Math.abs(achieved - 1)).toBeLessThan(0.2);
    expect(Math.abs(slope - 1)).toBeLessThan(0.2);
  });

  it('has no slope to speak of where the estimate says nothing', () => {
    const found = calibration(new Float64Array(30), [0, 1, 2, 0, 1, 2, 0, 1, 2, 0], 3);
    expect(found).toMatchObject({ slope: 1, slopeSe: Infinity });
    expect(found.achieved).toBeCloseTo(0, 14);
    expect(found.claimed).toBeCloseTo(0, 14);
  });

  it('gives a truth that was all but ruled out its score, though its probability rounds to zero', () => {
    const found = calibration(Float64Array.of(0, -2_000, 0, -2_000), [1, 0], 2);
    expect(found.achieved).toBeCloseTo((2 * Math.log(2) - 2_000) / 2, 10);
    expect(found.claimed).toBeCloseTo(Math.log(2), 14);
  });
});

describe('pooledCalibration()', () => {
  const figures = (achieved: number, slope: number): Calibration => ({
    ...{ achieved, achievedSe: 0.02, claimed: 0.3, claimedSe: 0.01, excess: 0.3 - achieved, excessSe: 0.02 },
    ...{ slope, slopeSe: 0.1 },
  });
  const together: Calibration = {
    ...{ achieved: 0.3, achievedSe: 0.01, claimed: 0.3, claimedSe: 0.005, excess: 0, excessSe: 0.01 },
    ...{ slope: 1, slopeSe: 0.05 },
  };

  it('keeps the errors of the targets where replicates differ by less', () => {
    const replicates = [0.295, 0.305, 0.3].map((achieved) => figures(achieved, 1));
    expect(pooledCalibration(together, replicates)).toEqual(together);
    expect(pooledCalibration(together, [figures(0.9, 3)])).toEqual(together);
  });

  it('takes the errors from the replicates where these differ by more', () => {
    const replicates = [figures(0.2, 0.7), figures(0.3, 1), figures(0.4, 1.3)];
    const pooled = pooledCalibration(together, replicates);
    expect(pooled.achievedSe).toBeCloseTo(0.1 / Math.sqrt(3), 13);
    expect(pooled.excessSe).toBeCloseTo(0.1 / Math.sqrt(3), 13);
    expect(pooled.slopeSe).toBeCloseTo(0.3 / Math.sqrt(3), 13);
    expect(pooled.claimedSe).toBe(0.005);
    expect(pooled).toMatchObject({ achieved: 0.3, claimed: 0.3, excess: 0, slope: 1 });
  });
});
