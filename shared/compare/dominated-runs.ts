import type { ComparedRun, Comparison, Measure } from '../contracts/results/comparison.ts';

/** 97.5 % quantile of the standard normal distribution. */
const NORMAL_QUANTILE = 1.96;

/**
 * The runs that another one dominates: which has no more risk and no less utility by the measures of a map, and one of them
 * better. Estimates decide; whether errors could have done it is told of each.
 *
 * @param map names of measures that all runs have
 * @param differences of every two runs
 */
export function dominatedRuns(
  runs: readonly ComparedRun[],
  measures: readonly Measure[],
  map: NonNullable<Comparison['map']>,
  differences: Comparison['differences'],
): Comparison['dominated'] {
  const axes = [map.risk, map.utility].map((name) => measures.find((one) => one.name === name)!);
  /** How much better the second is than the first on an axis, with the error of that. */
  const gain = (first: ComparedRun, second: ComparedRun, { name, better }: Measure) => {
    const forward = differences.find((d) => d.measure === name && d.a === first.name && d.b === second.name);
    const found = forward ?? differences.find((d) => d.measure === name && d.a === second.name && d.b === first.name)!;
    const sign = (forward ? 1 : -1) * (better === 'smaller' ? -1 : 1);
    return { gain: sign * found.difference, se: found.se };
  };
  return runs.flatMap((run) => {
    const by = runs
      .filter((other) => other !== run)
      .flatMap((other) => {
        const gains = axes.map((measure) => gain(run, other, measure));
        if (gains.some((one) => one.gain < 0) || gains.every((one) => one.gain === 0)) return [];
        const beyondErrors = gains.some((one) => one.se !== null && one.gain > NORMAL_QUANTILE * one.se);
        return [{ run: other.name, beyondErrors }];
      });
    return by.length === 0 ? [] : [{ run: run.name, by }];
  });
}
