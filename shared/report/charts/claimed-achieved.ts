import type { StoredCalibration } from '../../contracts/results/calibration.ts';
import { formatEstimate } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart } from './chart.ts';

/** With more replicates than this, the chart shows them together alone. */
const MOST_ROWS = 12;

/** Height of the chart for a row and for what is around the rows, in pixels. */
const ROW_HEIGHT = 40;
const AROUND = 60;

type Figures = Pick<StoredCalibration, 'achievedBits' | 'achievedBitsSe' | 'claimedBits' | 'claimedBitsSe' | 'byReplicate' | 'replicates'>;

/** Rows of the chart: all replicates together and, unless they are one or too many, each of them. */
function rows(found: Figures) {
  const each =
    found.replicates === 1 || found.replicates > MOST_ROWS
      ? []
      : found.byReplicate.map((figures) => ({ name: `Replicate ${figures.replicate}`, ...figures }));
  const together = found.replicates === 1 ? 'Replicate 1' : 'All';
  return [{ name: together, ...found }, ...each];
}

/** Height of {@link claimedAchievedChart} in pixels. */
export function claimedAchievedHeight(found: Figures): number {
  return AROUND + ROW_HEIGHT * rows(found).length;
}

/** Information claimed and achieved, in bits a record, each with two standard errors to either side. */
export function claimedAchievedChart(found: Figures): Chart {
  const values = rows(found).flatMap(({ name, achievedBits, achievedBitsSe, claimedBits, claimedBitsSe }) => [
    { name, kind: 'achieved', ...withInterval(achievedBits, achievedBitsSe) },
    { name, kind: 'claimed', ...withInterval(claimedBits, claimedBitsSe) },
  ]);
  const y = { field: 'name', type: 'nominal', title: null, sort: null, axis: { grid: false, domain: false, ticks: false } } as const;
  const yOffset = { field: 'kind', type: 'nominal', sort: ['claimed', 'achieved'] } as const;
  const x = (field: string) =>
    ({
      field,
      type: 'quantitative',
      title: 'Information, bits a record',
      scale: { zero: true },
      axis: { grid: true, tickCount: 4, format: '~g' },
    }) as const;
  const colour = { condition: { test: `datum.kind === 'achieved'`, value: CHART_COLOURS.mark }, value: CHART_COLOURS.reference } as const;
  return {
    table: {
      heads: ['Of', 'What', 'Bits a record'],
      rows: values.map(({ name, kind, value, standardError }) => [name, kind, formatEstimate(value, standardError)]),
    },
    label: `${values
      .map(({ name, kind, value, standardError }) => `${name}: ${kind} ${formatEstimate(value, standardError)} bits`)
      .join('; ')}.`,
    spec: {
      data: { values },
      layer: [
        { mark: { type: 'rule', strokeWidth: 3 }, encoding: { y, yOffset, x: x('low'), x2: { field: 'high' }, color: colour } },
        { mark: { type: 'point', filled: true, size: 70, opacity: 1 }, encoding: { y, yOffset, x: x('value'), color: colour } },
      ],
    },
  };
}

function withInterval(value: number, standardError: number) {
  return { value, standardError, low: value - 2 * standardError, high: value + 2 * standardError };
}
