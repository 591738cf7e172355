import { beforeAll, describe, expect, it } from 'vitest';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { type Calibration, calibration, calibrationVerdict } from '../../shared/risk/calibration/calibration.ts';
import { drawTargets } from '../../shared/risk/calibration/calibration-targets.ts';
import { reliabilityBins } from '../../shared/risk/calibration/reliability.ts';
import { candidateSpace } from '../../shared/risk/intruder/candidate-space.ts';
import { exactLogLikelihoods } from '../exact-posterior.ts';
import { release } from './draw-release.ts';

/**
 * With one class the posterior of a replaced record is known exactly, and an exact posterior is calibrated: whatever
 * the table, and with every record of it replaced at once.
 */
const sizes = [2, 3, 4];
const RECORDS = 12;
const TABLES = 150;
const DATASETS = 5;
const model = { classes: 1, concentration: { value: 1 } };
const space = candidateSpace(
  'one-change',
  sizes.map((_, k) => `v${k}`),
  sizes,
);
const candidates = space.perCombination;
const targets = TABLES * RECORDS;
const logLikelihoods = new Float64Array(targets * candidates);
const truths = new Uint32Array(targets);

beforeAll(() => {
  const random = new RandomStream(81, 'calibrated/table');
  const table = Uint16Array.from({ length: RECORDS * sizes.length }, (_, i) =>
    Math.floor(sizes[i % sizes.length]! * random.uniform() ** 2),
  );
  for (let repeat = 0; repeat < TABLES; repeat++) {
    const altered = drawTargets(table, space, RECORDS, random);
    const { datasets } = release(altered.codes, sizes, model, DATASETS, 0, 1_000 + repeat);
    for (const [t, record] of altered.records.entries()) {
      // The candidates are those around what the record was; the others are as they are now.
      const codes = altered.codes.slice();
      codes.set(altered.centres.subarray(3 * t, 3 * t + 3), 3 * record);
      const at = repeat * RECORDS + t;
      logLikelihoods.set(exactLogLikelihoods({ codes, datasets, space }, record, 1, 1), at * candidates);
      truths[at] = altered.truths[t]!;
    }
  }
}, 120_000);

describe('the exact posterior, with one class', () => {
  let found: Calibration;

  beforeAll(() => {
    found = calibration(logLikelihoods, truths, candidates);
  });

  it('achieves what it claims, at the slope 1, within the errors', () => {
    expect(found.claimed).toBeGreaterThan(0.02);
    expect(Math.abs(found.excess)).toBeLessThan(3 * found.excessSe);
    expect(Math.abs(found.slope - 1)).toBeLessThan(3 * found.slopeSe);
    expect(found.slopeSe).toBeLessThan(0.12);
    expect(calibrationVerdict(found, targets).code).toBe('calibrated');
  });

  it('finds in every bin about the share of truths that it claims', () => {
    const bins = reliabilityBins(logLikelihoods, truths, candidates);
    const within = bins.filter(({ meanClaimed, low, high }) => low <= meanClaimed && meanClaimed <= high);
    expect(within.length).toBeGreaterThanOrEqual(bins.length - 2);
  });

  it('overclaims when its likelihoods are squared, and half of that power would repair it', () => {
    const squared = calibration(
      logLikelihoods.map((value) => 2 * value),
      truths,
      candidates,
    );
    expect(Math.abs(squared.slope - 0.5)).toBeLessThan(3 * squared.slopeSe);
    expect(calibrationVerdict(squared, targets).code).toBe('overclaims');
    expect(squared.achieved).toBeLessThan(found.achieved);
  });

  it('underclaims when its likelihoods are brought to the power 1/2', () => {
    const rooted = calibration(
      logLikelihoods.map((value) => value / 2),
      truths,
      candidates,
    );
    expect(Math.abs(rooted.slope - 2)).toBeLessThan(3 * rooted.slopeSe);
    expect(calibrationVerdict(rooted, targets).code).toBe('underclaims');
  });
});
