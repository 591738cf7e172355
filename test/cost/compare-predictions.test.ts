import { describe, expect, it } from 'vitest';
import { readTimeFactors, timeFactorsSchema } from '../../shared/contracts/cloud/cloud-environment.ts';
import { predictionSchema } from '../../shared/contracts/run/prediction.ts';
import { CLOUD_STEPS, type CloudStep } from '../../shared/contracts/run/usage.ts';
import { estimateCloud } from '../../shared/cost/cloud-estimate.ts';
import { CLOUD_DEFAULTS } from '../../shared/cost/cloud-options.ts';
import type { CloudWork } from '../../shared/cost/cloud-work.ts';
import { comparePredictions, type PredictedRun, timeFactorsOf } from '../../shared/cost/compare-predictions.ts';
import { runUsed } from '../../shared/cost/run-used.ts';

const ofAll = <Value>(of: (step: CloudStep) => Value) =>
  Object.fromEntries(CLOUD_STEPS.map((step) => [step, of(step)])) as Record<CloudStep, Value>;

/** A run that was predicted to take so much of each step, under a factor, and took so much of the chains. */
function run(predicted: number, fit: number, factor = 1, peakMemoryMiB = 100): PredictedRun {
  const steps = ofAll(() => ({ cpuSeconds: predicted, seconds: 2 * predicted, memoryMiB: 200, dollars: predicted / 100 }));
  const ofStep = { seconds: 3 * fit, cpuSeconds: fit, peakMemoryMiB };
  return {
    predicted: predictionSchema.parse({ timeFactors: ofAll(() => factor), steps }),
    used: { ...runUsed([], ''), dollarsByStep: { fit: 0.5 }, bySteps: { plan: ofStep, fit: ofStep } },
  };
}

describe('comparePredictions()', () => {
  it('holds sums of what runs took against sums of what was predicted', () => {
    const { fit, plan } = comparePredictions([run(100, 120), run(300, 600, 1, 300), run(29, 700)]);
    expect(fit).toMatchObject({ cpuSeconds: 1420, predictedCpuSeconds: 429, seconds: 4260, predictedSeconds: 858, dollars: 1.5 });
    expect(fit.predictedDollars).toBeCloseTo(4.29, 12);
    expect(fit).toMatchObject({ peakMemoryMiB: 300, predictedMemoryMiB: 200, memoryQuotient: 1.5 });
    expect(fit.timeFactor).toBeCloseTo(1.8, 12);
    // The last is too small to say anything. Without one or the other the factor is 2 or 1.2: half of their distance.
    expect(fit.timeFactorSe).toBeCloseTo(0.4, 12);
    expect(plan.timeFactor).toBeNull();
  });

  it('finds the same factor where predictions had one already', () => {
    const [first, later] = [run(100, 300), run(200, 300, 2)].map((one) => comparePredictions([one]).fit);
    expect([first!.timeFactor, later!.timeFactor]).toEqual([3, 3]);
    expect(first!.timeFactorSe).toBeNull();
    expect(later!.predictedCpuSeconds).toBe(200);
  });

  it('gives a setting that predictions take, after which they are right', () => {
    const work: CloudWork = {
      phases: [{ stage: 1, tasks: 8, secondsPerTask: 100 }],
      batches: [500, 500],
      secondsPerCombination: 0.1,
      values: 1000,
      valueBytes: 8000,
      stepMemory: { plan: 0, fit: { process: 0, thread: 0 }, assess: 0, aggregate: 0, report: 0 },
      utilitySeconds: 50,
      storedBytes: 0,
      draws: { bytes: 0, objects: 10 },
      table: { bytes: 0, objects: 0 },
      contextObjects: 10,
      part: { bytesPerCombination: 8, objects: 2 },
      fitReads: 10,
      fitObjects: 10,
    };
    const actual = { plan: 1, fit: 1.7, assess: 0.6, aggregate: 2.5, report: 1 };
    const before = estimateCloud(work, CLOUD_DEFAULTS);
    const bySteps = ofAll((step) => ({ seconds: 1, cpuSeconds: before.steps[step].cpuSeconds * actual[step], peakMemoryMiB: 1 }));
    const predicted = { timeFactors: CLOUD_DEFAULTS.timeFactors, steps: before.steps };
    const setting = timeFactorsOf(comparePredictions([{ predicted, used: { ...runUsed([], ''), bySteps } }]));
    expect(setting).toBe('fit=1.70 assess=0.60 aggregate=2.50');
    const after = estimateCloud(work, { ...CLOUD_DEFAULTS, timeFactors: readTimeFactors(timeFactorsSchema.parse(setting)) });
    for (const step of CLOUD_STEPS) expect(after.steps[step].cpuSeconds, step).toBeCloseTo(bySteps[step].cpuSeconds, 9);
    // And with the processor's time the minutes: chains of two turns on four vCPU, scoring of two batches side by side.
    expect(60 * (after.minutes.fit - before.minutes.fit)).toBeCloseTo(0.7 * 200, 6);
    expect(60 * (after.minutes.assess - before.minutes.assess)).toBeCloseTo(-0.4 * 50, 6);
    expect(after.dollars).toBeGreaterThan(before.dollars);
  });

  it.each(['fit=0', 'fit=0.0', 'fit=-1', 'nothing=1', 'fit=1,assess=2', 'fit=1  assess=2', 'fit', ''])('is no setting: %s', (text) => {
    expect(timeFactorsSchema.safeParse(text).success).toBe(false);
  });
});
