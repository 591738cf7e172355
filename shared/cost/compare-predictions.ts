import type { Prediction } from '../contracts/run/prediction.ts';
import { CLOUD_STEPS, type CloudStep, type Used } from '../contracts/run/usage.ts';

/** A run that has ended after one round: what it was expected to take, and what it took. */
export interface PredictedRun {
  readonly predicted: Prediction;
  readonly used: Used & { readonly bySteps: NonNullable<Used['bySteps']> };
}

/** Of a step, over some runs: what it took beside what was predicted. Seconds and dollars are sums, memory is the most of a run. */
export interface StepComparison {
  readonly cpuSeconds: number;
  readonly predictedCpuSeconds: number;
  readonly seconds: number;
  readonly predictedSeconds: number;
  readonly dollars: number;
  readonly predictedDollars: number;
  readonly peakMemoryMiB: number;
  readonly predictedMemoryMiB: number;
  /** The most by which a run took more memory than was predicted, as a quotient: below 1 where none did. */
  readonly memoryQuotient: number;
  /**
   * What processor times would have to be multiplied by for their sums to agree, over the runs in which the step was predicted to
   * take {@link LEAST_SECONDS}: a quotient of sums, so that large runs have the say. Null where there are none, and of planning,
   * whose own time goes into measuring the processor.
   */
  readonly timeFactor: number | null;
  /** Its standard error, by leaving out a run at a time; null of a single run. */
  readonly timeFactorSe: number | null;
}

/**
 * Seconds of the processor below which a step says nothing of its speed: a process takes two or three to start, which no
 * prediction of processor time has.
 */
export const LEAST_SECONDS = 30;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** A quotient of sums over runs, with its standard error by the jackknife (null of one run). */
function quotient(
  runs: readonly { readonly actual: number; readonly predicted: number }[],
): readonly [value: number, error: number | null] {
  const of = (some: typeof runs) => sum(some.map(({ actual }) => actual)) / sum(some.map(({ predicted }) => predicted));
  if (runs.length < 2) return [of(runs), null];
  const others = runs.map((_, left) => of(runs.filter((_, k) => k !== left)));
  const mean = sum(others) / runs.length;
  const squares = sum(others.map((value) => (value - mean) * (value - mean)));
  return [of(runs), Math.sqrt((squares * (runs.length - 1)) / runs.length)];
}

function compareStep(runs: readonly PredictedRun[], step: CloudStep): StepComparison {
  const each = runs.map(({ predicted, used }) => {
    const { cpuSeconds, dollars, memoryMiB, seconds } = predicted.steps[step];
    return {
      ...(used.bySteps[step] ?? { cpuSeconds: 0, peakMemoryMiB: 0, seconds: 0 }),
      dollars: used.dollarsByStep[step] ?? 0,
      ...{ predictedCpuSeconds: cpuSeconds, predictedSeconds: seconds, predictedDollars: dollars, predictedMemoryMiB: memoryMiB },
      unscaledCpuSeconds: cpuSeconds / predicted.timeFactors[step],
    };
  });
  const sumOf = (field: keyof (typeof each)[number]) => sum(each.map((run) => run[field]));
  const telling = step === 'plan' ? [] : each.filter(({ predictedCpuSeconds }) => predictedCpuSeconds >= LEAST_SECONDS);
  const [timeFactor, timeFactorSe] =
    telling.length === 0
      ? [null, null]
      : quotient(telling.map(({ cpuSeconds, unscaledCpuSeconds }) => ({ actual: cpuSeconds, predicted: unscaledCpuSeconds })));
  return {
    cpuSeconds: sumOf('cpuSeconds'),
    predictedCpuSeconds: sumOf('predictedCpuSeconds'),
    seconds: sumOf('seconds'),
    predictedSeconds: sumOf('predictedSeconds'),
    dollars: sumOf('dollars'),
    predictedDollars: sumOf('predictedDollars'),
    peakMemoryMiB: Math.max(...each.map(({ peakMemoryMiB }) => peakMemoryMiB)),
    predictedMemoryMiB: Math.max(...each.map(({ predictedMemoryMiB }) => predictedMemoryMiB)),
    memoryQuotient: Math.max(...each.map(({ peakMemoryMiB, predictedMemoryMiB }) => peakMemoryMiB / predictedMemoryMiB)),
    timeFactor,
    timeFactorSe,
  };
}

/** What runs took of each step, beside what was predicted before. */
export function comparePredictions(runs: readonly PredictedRun[]): Readonly<Record<CloudStep, StepComparison>> {
  return Object.fromEntries(CLOUD_STEPS.map((step) => [step, compareStep(runs, step)])) as Record<CloudStep, StepComparison>;
}

/** The factors by which predictions would have been right, as the setting `timeFactors` takes them. */
export function timeFactorsOf(steps: Readonly<Record<CloudStep, StepComparison>>): string {
  return CLOUD_STEPS.flatMap((step) => {
    const factor = steps[step].timeFactor;
    return factor === null ? [] : [`${step}=${factor.toFixed(2)}`];
  }).join(' ');
}
