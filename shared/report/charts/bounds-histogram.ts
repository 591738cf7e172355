import type { ReleasePosition } from '../../contracts/results/bounds.ts';
import { formatCount, formatFigure } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart, layer, numbers, rule } from './chart.ts';

/** Bars over the whole axis, about. */
const BARS = 40;

/** A measure of every resample of both bounds, and of a release. */
export interface BoundsHistogram {
  /** What the axis shows, in words. */
  readonly title: string;
  readonly minimum: readonly number[];
  readonly maximum: readonly number[];
  /** Null without a release. */
  readonly release: Pick<ReleasePosition, 'mean' | 'smallest' | 'largest'> | null;
}

/** A bar: the resamples of a bound with a value from `from` to `to` (the latter excluded). */
export interface BoundsBar {
  readonly bound: 'minimum' | 'maximum';
  readonly from: number;
  readonly to: number;
  resamples: number;
}

/** The vertical lines of a release: one when its datasets agree, or there is but one. */
function releaseLines({ release }: BoundsHistogram): { at: number; isMean: boolean }[] {
  if (release === null || release.mean === null) return [];
  const ends = [release.smallest!, release.largest!].filter((at) => at !== release.mean);
  return [{ at: release.mean, isMean: true }, ...ends.map((at) => ({ at, isMean: false }))];
}

/**
 * Bars of both bounds on one grid, which spans the release too. Counts get bars a whole number wide and centred on whole
 * numbers. Bars without resamples are left out.
 */
export function boundsBars(histogram: BoundsHistogram): BoundsBar[] {
  const { minimum, maximum } = histogram;
  const all = [...minimum, ...maximum, ...releaseLines(histogram).map(({ at }) => at)];
  if (all.length === 0) return [];
  const lowest = Math.min(...all);
  const range = Math.max(...all) - lowest;
  const whole = [...minimum, ...maximum].every(Number.isInteger);
  const width = whole ? Math.max(1, Math.ceil(range / BARS)) : range > 0 ? range / BARS : 1;
  const first = whole ? Math.floor(lowest) - 0.5 : range > 0 ? lowest : lowest - 0.5;
  const bars = new Map<string, BoundsBar>();
  for (const bound of ['minimum', 'maximum'] as const) {
    for (const value of histogram[bound]) {
      const place = Math.floor((value - first) / width);
      const from = first + place * width;
      const bar = bars.get(`${bound} ${place}`) ?? { bound, from, to: from + width, resamples: 0 };
      bar.resamples += 1;
      bars.set(`${bound} ${place}`, bar);
    }
  }
  return [...bars.values()].sort((a, b) => b.bound.localeCompare(a.bound, 'en') || a.from - b.from);
}

/** Both bounds as histograms over their resamples with the release's datasets as lines, after Figure 4 of Hu & Savitsky (2018). */
export function boundsHistogramChart(histogram: BoundsHistogram): Chart {
  const bars = boundsBars(histogram);
  const lines = releaseLines(histogram);
  const ends = [...bars.flatMap(({ from, to }) => [from, to]), ...lines.map(({ at }) => at)];
  const x = numbers(histogram.title, {
    scale: { domainMin: Math.min(...ends), domainMax: Math.max(...ends), nice: true, zero: false },
    axis: { tickCount: 6 },
  });
  return {
    table: {
      heads: ['Bound', 'From', 'To', 'Resamples'],
      rows: bars.map(({ bound, from, to, resamples }) => [bound, formatFigure(from), formatFigure(to), formatCount(resamples)]),
    },
    label: `${histogram.title}. ${inWords(histogram)}`,
    spec: {
      layer: [
        layer(
          bars,
          { type: 'rect', stroke: 'var(--surface)', strokeWidth: 0.5, fillOpacity: 0.85 },
          {
            x: x('from'),
            x2: { field: 'to' },
            y: numbers('Resamples')('resamples'),
            y2: { datum: 0 },
            fill: { condition: { test: "datum.bound === 'maximum'", value: CHART_COLOURS.mark }, value: CHART_COLOURS.quiet },
          },
        ),
        layer(lines, rule(CHART_COLOURS.reference, 2), {
          x: x('at'),
          strokeDash: { condition: { test: 'datum.isMean', value: [1, 0] }, value: [4, 4] },
        }),
      ],
    },
  };
}

function inWords({ minimum, maximum, release }: BoundsHistogram): string {
  const span = (values: readonly number[]) =>
    values.length === 0 ? 'undefined' : `from ${formatFigure(Math.min(...values))} to ${formatFigure(Math.max(...values))}`;
  const bounds = `Minimum: ${span(minimum)}. Maximum: ${span(maximum)}.`;
  if (release === null) return bounds;
  const { mean, smallest, largest } = release;
  if (mean === null) return `${bounds} The release: undefined.`;
  return `${bounds} The release: mean ${formatFigure(mean)}, from ${formatFigure(smallest!)} to ${formatFigure(largest!)}.`;
}
