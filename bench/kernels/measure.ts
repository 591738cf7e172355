/** One piece of work, timed with what it is compared to in the same run (milliseconds of CPU). */
export interface Measurement {
  readonly work: string;
  readonly kernelMs: number;
  /** The program that does the same work. */
  readonly baseline: string;
  readonly baselineMs: number;
  /** How many times faster the kernel is. */
  readonly ratio: number;
}

/** How time grows with a size, the rest held fixed: time is about proportional to size^exponent. */
export interface Growth {
  readonly work: string;
  readonly size: string;
  readonly sizes: readonly number[];
  readonly milliseconds: readonly number[];
  readonly exponent: number;
}

const REPEATS = 9;

/** The middle of some numbers. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** Milliseconds of this process's CPU that one call takes: the median over repeats of `calls` calls. */
export function milliseconds(calls: number, call: () => void): number {
  for (let i = 0; i < calls; i++) call();
  return median(
    Array.from({ length: REPEATS }, () => {
      const started = process.cpuUsage();
      for (let i = 0; i < calls; i++) call();
      const { user, system } = process.cpuUsage(started);
      return (user + system) / 1000 / calls;
    }),
  );
}

/** Milliseconds of this process's CPU that one call takes, waited for when it is under way. */
export async function cpuMilliseconds(call: () => unknown): Promise<number> {
  const started = process.cpuUsage();
  await call();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

/** A measurement of a kernel against another program. */
export function compared(work: string, kernelMs: number, baseline: string, baselineMs: number): Measurement {
  return { work, kernelMs, baseline, baselineMs, ratio: baselineMs / kernelMs };
}

/** The least-squares slope of log time against log size. */
export function growth(work: string, size: string, points: readonly { readonly size: number; readonly milliseconds: number }[]): Growth {
  const x = points.map((point) => Math.log(point.size));
  const y = points.map((point) => Math.log(point.milliseconds));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const centre = mean(x);
  const spread = x.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  const together = x.reduce((sum, value, i) => sum + (value - centre) * (y[i]! - mean(y)), 0);
  return {
    work,
    size,
    sizes: points.map((point) => point.size),
    milliseconds: points.map((point) => point.milliseconds),
    exponent: together / spread,
  };
}
