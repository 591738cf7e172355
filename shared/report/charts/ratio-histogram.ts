import type { AttributeRiskTable } from '../../contracts/results/tables/attribute-risk-table.ts';
import { formatCount, formatFigure } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart, layer, rule } from './chart.ts';

/** Bars are half a doubling wide; ratios below 2^LOWEST_DOUBLING share one bar. */
const LOWEST_DOUBLING = -6;

/** The axis reaches at least to four times uniform, so that harmless releases look harmless. */
const LEAST_HIGHEST_DOUBLING = 2;

/** A bar of the histogram: the records with a ratio from 2^from to 2^to (the latter excluded). */
export interface RatioBin {
  from: number;
  to: number;
  records: number;
}

/** Records by the probability of the truth relative to uniform, in bars of half a doubling. */
export function ratioBins(table: AttributeRiskTable): RatioBin[] {
  const { count, ratio_to_uniform } = table.columns;
  const largest = largestRatio(table);
  let highest = LEAST_HIGHEST_DOUBLING;
  while (powerOfTwo(highest) <= largest) highest += 1;
  const bins: RatioBin[] = [];
  for (let from = LOWEST_DOUBLING - 0.5; from < highest; from += 0.5) {
    bins.push({ from, to: from + 0.5, records: 0 });
  }
  const upperEdges = bins.map((bin) => powerOfTwo(bin.to));
  ratio_to_uniform.forEach((ratio, row) => {
    const index = upperEdges.findIndex((edge) => ratio < edge);
    bins[index]!.records += count[row]!;
  });
  return bins;
}

/** Records whose truth is at least so many times as probable as under uniform guessing. */
export function recordsAtRatio({ columns }: AttributeRiskTable, ratio: number): number {
  const { count, ratio_to_uniform } = columns;
  return count.reduce((sum, records, row) => sum + (ratio_to_uniform[row]! >= ratio ? records : 0), 0);
}

function largestRatio({ columns }: AttributeRiskTable): number {
  return columns.ratio_to_uniform.reduce((largest, ratio) => Math.max(largest, ratio), 0);
}

/** Histogram of the probability of the truth relative to uniform, over records, after Figure 4 of Hu et al. (2014). */
export function ratioHistogramChart(table: AttributeRiskTable): Chart {
  const bins = ratioBins(table);
  const last = bins[bins.length - 1]!.to;
  const x = { type: 'quantitative', scale: { domainMin: LOWEST_DOUBLING - 0.5, domainMax: last, nice: false } } as const;
  return {
    table: {
      heads: ['Times uniform', 'Records'],
      rows: bins.map(({ from, to, records }) => [
        `${formatFigure(powerOfTwo(from))} to ${formatFigure(powerOfTwo(to))}`,
        formatCount(records),
      ]),
    },
    label:
      'Histogram of the probability of the truth as a multiple of the uniform probability, on a scale of doublings. ' +
      `It is at or above uniform for ${formatFigure(recordsAtRatio(table, 1))} records, at least twice uniform for ` +
      `${formatFigure(recordsAtRatio(table, 2))}; the largest is ${formatFigure(largestRatio(table))} times uniform.`,
    spec: {
      data: { values: bins.map((bin) => ({ ...bin, above: bin.from >= 0 })) },
      layer: [
        {
          mark: { type: 'rect', stroke: 'var(--surface)', strokeWidth: 1 },
          encoding: {
            x: {
              ...x,
              field: 'from',
              title: 'Probability of the truth ÷ uniform',
              axis: {
                values: axisDoublings(last),
                labelExpr: `(datum.value === ${LOWEST_DOUBLING} ? '≤ ' : '') + (datum.value < 0 ? '1/' + pow(2, -datum.value) : format(pow(2, datum.value), ',d'))`,
              },
            },
            x2: { field: 'to' },
            y: { field: 'records', type: 'quantitative', title: 'Records' },
            y2: { datum: 0 },
            fill: { condition: { test: 'datum.above', value: CHART_COLOURS.mark }, value: CHART_COLOURS.quiet },
          },
        },
        layer([{ uniform: 0 }], rule(CHART_COLOURS.reference, 2), { x: { ...x, field: 'uniform' } }),
      ],
    },
  };
}

/** 2 to a whole or half power, without a logarithm or a power that processors round differently. */
function powerOfTwo(exponent: number): number {
  const whole = Math.floor(exponent);
  return 2 ** whole * (exponent === whole ? 1 : Math.SQRT2);
}

/** Every doubling, or every second, third, ... when there would be too many labels. */
function axisDoublings(last: number): number[] {
  const step = Math.ceil((last - LOWEST_DOUBLING) / 10);
  const doublings: number[] = [];
  for (let doubling = 0; doubling >= LOWEST_DOUBLING; doubling -= step) doublings.unshift(doubling);
  if (doublings[0] !== LOWEST_DOUBLING) doublings.unshift(LOWEST_DOUBLING);
  for (let doubling = step; doubling <= last; doubling += step) doublings.push(doubling);
  return doublings;
}
