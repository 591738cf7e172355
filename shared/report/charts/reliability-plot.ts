import type { StoredCalibration } from '../../contracts/results/calibration.ts';
import { formatCount, formatFigure } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart } from './chart.ts';

/** Room beside the outermost points of the plot, as a factor. */
const MARGIN = 1.4;

/**
 * Reliability of the claimed probabilities: for each bin the mean probability claimed against the share of truths,
 * with its 95 % interval, on logarithmic axes. Points of a calibrated estimate lie about the diagonal.
 */
export function reliabilityPlot({ reliability }: Pick<StoredCalibration, 'reliability'>): Chart {
  const claimed = reliability.map((bin) => bin.meanClaimed).filter((value) => value > 0);
  const shares = reliability.flatMap((bin) => [bin.observedShare, bin.low]).filter((value) => value > 0);
  const least = Math.min(...claimed, ...shares) / MARGIN;
  const largest = Math.max(...claimed, ...reliability.map((bin) => bin.high)) * MARGIN;
  const scale = { type: 'log', domainMin: least, domainMax: largest, nice: false } as const;
  const ticks = decimalTicks(least, largest);
  const axis = { values: ticks, format: '~g', grid: true } as const;
  const x = { type: 'quantitative', title: 'Probability claimed', scale, axis } as const;
  const y = { type: 'quantitative', title: 'Share that are the truth', scale, axis } as const;
  const values = reliability.filter((bin) => bin.meanClaimed > 0);
  return {
    table: {
      heads: ['Probability claimed', 'Share that are the truth', '95 % interval'],
      rows: values.map((bin) => [
        formatFigure(bin.meanClaimed),
        formatFigure(bin.observedShare),
        `${formatFigure(bin.low)} to ${formatFigure(bin.high)}`,
      ]),
    },
    label:
      `Claimed probabilities against the share of truths in ${formatCount(reliability.length)} bins. ` +
      reliability
        .map(({ meanClaimed, observedShare }) => `Claimed ${formatFigure(meanClaimed)}, found ${formatFigure(observedShare)}`)
        .join('; ') +
      '.',
    spec: {
      layer: [
        {
          data: { values: [{ at: least }, { at: largest }] },
          mark: { type: 'line', color: CHART_COLOURS.reference, strokeWidth: 2 },
          encoding: { x: { ...x, field: 'at' }, y: { ...y, field: 'at' } },
        },
        {
          // A bin without a truth has an interval down to zero, which a logarithmic axis does not reach.
          data: { values: values.map((bin) => ({ ...bin, low: Math.max(bin.low, least) })) },
          mark: { type: 'rule', color: CHART_COLOURS.quiet, strokeWidth: 3 },
          encoding: { x: { ...x, field: 'meanClaimed' }, y: { ...y, field: 'low' }, y2: { field: 'high' } },
        },
        {
          data: { values: values.filter((bin) => bin.observedShare > 0) },
          mark: { type: 'point', filled: true, color: CHART_COLOURS.mark, size: 60, opacity: 1 },
          encoding: { x: { ...x, field: 'meanClaimed' }, y: { ...y, field: 'observedShare' } },
        },
      ],
    },
  };
}

/** One, two and five times the powers of ten between two numbers; powers of ten alone over more than three decades. */
function decimalTicks(from: number, to: number): number[] {
  const ticks: number[] = [];
  for (let exponent = -300; exponent <= 1; exponent++) {
    for (const step of to / from > 1000 ? [1] : [1, 2, 5]) {
      const tick = Number(`${step}e${exponent}`);
      if (tick >= from && tick <= to) ticks.push(tick);
    }
  }
  return ticks;
}
