import type { UtilityRegression } from '../../contracts/results/utility.ts';
import { studentHalfWidth } from '../../numeric/student-t.ts';

/** An estimate from all datasets of a release, with a 95 % interval; what there is none of is null, with the reason. */
export type CombinedEstimate = NonNullable<UtilityRegression['coefficients'][number]['synthetic']> & { readonly reason?: string };

/** An estimate from one dataset. */
export interface DatasetEstimate {
  readonly estimate: number;
  readonly se: number;
}

/**
 * Combines the estimates of m datasets, with mean q, mean variance u and variance b between them.
 *
 * Partial synthesis (Reiter 2003): T = b/m + u, with (m - 1)(1 + u m/b)^2 degrees of freedom. Full synthesis (Raghunathan,
 * Reiter and Rubin 2003): T = (1 + 1/m) b - u, with (m - 1)(1 - u / ((1 + 1/m) b))^2. Where that is not positive, T is u
 * times the ratio of the sizes of a dataset and the table (Reiter 2002), with an interval of the normal distribution.
 *
 * @param sizeRatio records of a dataset by those of the table; of full synthesis
 */
export function combineEstimates(estimates: readonly DatasetEstimate[], kind: 'full' | 'partial', sizeRatio = 1): CombinedEstimate {
  const m = estimates.length;
  const estimate = estimates.reduce((sum, one) => sum + one.estimate, 0) / m;
  if (m < 2) {
    const reason = 'one dataset does not tell how datasets differ';
    return { estimate, se: null, df: null, low: null, high: null, reason };
  }
  const within = estimates.reduce((sum, { se }) => sum + se * se, 0) / m;
  const between = estimates.reduce((sum, one) => sum + (one.estimate - estimate) * (one.estimate - estimate), 0) / (m - 1);
  const { variance, df } = kind === 'partial' ? ofPartial(between, within, m) : ofFull(between, within, m, sizeRatio);
  const se = Math.sqrt(variance);
  const interval = { estimate, se, df: df === Infinity ? null : df };
  // Below one degree of freedom Student's t is so wide that its interval says nothing.
  if (df < 1) {
    return { ...interval, low: null, high: null, reason: 'less than one degree of freedom: no interval' };
  }
  const half = se * studentHalfWidth(df);
  return { ...interval, low: estimate - half, high: estimate + half };
}

function ofPartial(between: number, within: number, m: number): { variance: number; df: number } {
  const ratio = 1 + (within * m) / between;
  return { variance: between / m + within, df: between === 0 ? Infinity : (m - 1) * ratio * ratio };
}

function ofFull(between: number, within: number, m: number, sizeRatio: number): { variance: number; df: number } {
  const spread = (1 + 1 / m) * between;
  if (!(spread > within)) return { variance: within * sizeRatio, df: Infinity };
  const ratio = 1 - within / spread;
  return { variance: spread - within, df: (m - 1) * ratio * ratio };
}

interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * How far two intervals overlap (Karr et al. 2006): the mean of the shares of each that lies in the other; 1 where they are
 * the same, negative where they are apart.
 */
export function intervalOverlap(first: Interval, second: Interval): number {
  const common = Math.min(first.high, second.high) - Math.max(first.low, second.low);
  return (common / (first.high - first.low) + common / (second.high - second.low)) / 2;
}
