import type { BoundedMeasure, MeasureDistribution, ReleasePosition } from '../../contracts/results/bounds.ts';
import { quantile } from '../../numeric/quantile.ts';
import { standardDeviation } from '../../numeric/spread.ts';

/** Values of one measure; null where it is undefined. */
type Values = readonly (number | null)[];

/** One measure over the resamples of both bounds, and in the datasets of a release, null without one. */
export function boundedMeasure(minimum: Values, maximum: Values, release: Values | null): BoundedMeasure {
  const bounds = { minimum: distribution(minimum), maximum: distribution(maximum) };
  if (release === null) return bounds;
  return { ...bounds, release: releasePosition(release, definedOf(minimum), definedOf(maximum)) };
}

function distribution(values: Values): MeasureDistribution {
  const sorted = definedOf(values).sort();
  const defined = sorted.length;
  const at = (probability: number) => (defined === 0 ? null : quantile(sorted, probability));
  const deviation = spread(sorted);
  return {
    defined,
    mean: mean(sorted),
    standardDeviation: deviation,
    standardError: deviation === null ? null : deviation / Math.sqrt(defined),
    smallest: at(0),
    quantile05: at(0.05),
    quantile25: at(0.25),
    median: at(0.5),
    quantile75: at(0.75),
    quantile95: at(0.95),
    largest: at(1),
    ...(defined === 0 ? { reason: 'no resample defines it' } : {}),
    ...(defined === 1 ? { reason: 'one resample has no spread' } : {}),
  };
}

/** Where the mean over the datasets lies between the means of the bounds, and among their resamples. */
function releasePosition(release: Values, minimum: Float64Array, maximum: Float64Array): ReleasePosition {
  const values = definedOf(release);
  const centre = mean(values);
  const range = rangeOfMeans(minimum, maximum);
  const isPlaced = centre !== null && typeof range === 'object';
  const reason =
    centre === null ? 'no dataset defines it' : typeof range === 'string' ? range : values.length < 2 ? 'one dataset has no spread' : null;
  return {
    byDataset: [...release],
    mean: centre,
    standardDeviation: spread(values),
    smallest: centre === null ? null : Math.min(...values),
    largest: centre === null ? null : Math.max(...values),
    shareOfRange: isPlaced ? (centre - range.low) / range.length : null,
    resamples: centre === null ? null : { minimum: beyond(minimum, centre), maximum: beyond(maximum, centre) },
    ...(reason === null ? {} : { reason }),
  };
}

/** From the mean of one bound to that of the other; in words, why there is no such range. */
function rangeOfMeans(minimum: Float64Array, maximum: Float64Array): { low: number; length: number } | string {
  const [low, high] = [mean(minimum), mean(maximum)];
  if (low === null || high === null) return 'no resample of a bound defines it';
  const length = high - low;
  const errors = [minimum, maximum].map((values) => (spread(values) ?? 0) / Math.sqrt(values.length));
  const error = Math.sqrt(errors[0]! * errors[0]! + errors[1]! * errors[1]!);
  if (length === 0) return 'both bounds have the same mean';
  if (Math.abs(length) <= 2 * error) return 'the bounds differ by no more than their Monte Carlo error';
  return { low, length };
}

function beyond(values: Float64Array, value: number): { below: number; above: number } {
  return { below: values.filter((other) => other < value).length, above: values.filter((other) => other > value).length };
}

function definedOf(values: Values): Float64Array {
  return Float64Array.from(values.filter((value) => value !== null));
}

function mean(values: Float64Array): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function spread(values: Float64Array): number | null {
  return values.length < 2 ? null : standardDeviation(values);
}
