import { describe, expect, it } from 'vitest';
import { categoricalFromSums } from '../../shared/random/distributions.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { calibration } from '../../shared/risk/calibration.ts';
import { posterior } from '../../shared/risk/posterior.ts';

/** Targets whose truth is drawn from their very posterior: exactly calibrated, by construction. */
function calibrated(seed: number, targets: number, candidates: number, spread: number) {
  const random = new RandomStream(seed, 'calibrated');
  const logLikelihoods = Float64Array.from(
    { length: targets * candidates },
    () => -40 + spread * random.normal(),
  );
  const truths = Uint32Array.from({ length: targets }, (_, t) => {
    let sum = 0;
    const sums = posterior(logLikelihoods, t * candidates, candidates).map((p) => {
      sum += p;
      return sum;
    });
    return categoricalFromSums(random, sums, 0, candidates);
  });
  return { logLikelihoods, truths, candidates };
}

describe('calibration()', () => {
  it.each([0.3, 1, 3])(
    'finds exactly calibrated posteriors calibrated, whatever they tell (spread %d)',
    (spread) => {
      const { logLikelihoods, truths, candidates } = calibrated(1, 4_000, 10, spread);
      const found = calibration(logLikelihoods, truths, candidates);
      expect(found.claimed).toBeGreaterThan(0.03);
      expect(Math.abs(found.achieved - found.claimed)).toBeLessThan(4 * found.achievedSe);
      expect(Math.abs(found.slope - 1)).toBeLessThan(4 * found.slopeSe);
      expect(found.slopeSe).toBeLessThan(0.1);
    },
  );

  it('finds that doubled log-likelihoods claim more than they achieve, and would need the power 1/2', () => {
    const { logLikelihoods, truths, candidates } = calibrated(2, 4_000, 10, 1);
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
    // The power that makes the odds 3 to 1.
    expect(found.slope).toBeCloseTo(Math.log(3), 9);
    // Scores 1/4, 1/4, -3/4, 1/4 over the information 4 x 3/16.
    expect(found.slopeSe).toBeCloseTo(Math.sqrt(3 / 16 + 9 / 16) / (3 / 4), 8);
  });

  it('has standard errors that are those of repeated studies', () => {
    const repeats = 200;
    const studies = Array.from({ length: repeats }, (_, i) => {
      const { logLikelihoods, truths, candidates } = calibrated(100 + i, 200, 6, 1);
      return calibration(logLikelihoods, truths, candidates);
    });
    const deviation = (values: number[]) => {
      const mean = values.reduce((sum, value) => sum + value, 0) / repeats;
      return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (repeats - 1));
    };
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / repeats;
    // A standard deviation from 200 repeats is known to within 5 %: four of those.
    const achieved =
      deviation(studies.map((study) => study.achieved)) / mean(studies.map((study) => study.achievedSe));
    const slope =
      deviation(studies.map((study) => study.slope)) / mean(studies.map((study) => study.slopeSe));
    expect(Math.abs(achieved - 1)).toBeLessThan(0.2);
    expect(Math.abs(slope - 1)).toBeLessThan(0.2);
  });

  it('has no slope to speak of where the estimate says nothing', () => {
    const found = calibration(new Float64Array(30), [0, 1, 2, 0, 1, 2, 0, 1, 2, 0], 3);
    expect(found).toMatchObject({ slope: 1, slopeSe: Infinity });
    expect(found.achieved).toBeCloseTo(0, 14);
    expect(found.claimed).toBeCloseTo(0, 14);
  });
});
