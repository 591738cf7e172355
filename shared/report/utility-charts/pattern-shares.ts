import type { UtilitySummary } from '../../contracts/results/utility.ts';
import { CHART_COLOURS, type Chart } from '../charts/chart.ts';
import { shortened } from '../page/label.ts';
import { formatCount, formatPercent } from '../words/format-number.ts';

type ShownPattern = NonNullable<UtilitySummary['patterns']>['variables'][number]['shown'][number];

/** Shares of the commonest values within a pattern, in the table and in the datasets, after Figure 3 of 001. */
export function patternSharesChart({ records, values }: ShownPattern, variable: string): Chart {
  const of = shortened(variable);
  const points = values.flatMap(({ original, synthetic }, place) => [
    { place: place + 1, share: original, source: 'table' },
    { place: place + 1, share: synthetic, source: 'datasets' },
  ]);
  const [first] = values;
  return {
    table: {
      heads: ['Value, by frequency', 'In the table', 'In the datasets'],
      rows: values.map(({ original, synthetic }, place) => [String(place + 1), formatPercent(original), formatPercent(synthetic)]),
    },
    label: `Shares of the values of ${of} in a pattern of ${formatCount(records)} records, by their frequency in the table. The commonest: ${formatPercent(first!.original)} in the table, ${formatPercent(first!.synthetic)} in the datasets.`,
    spec: {
      data: { values: points },
      mark: { type: 'line', interpolate: 'step', strokeWidth: 1.8, point: values.length < 8 },
      encoding: {
        x: {
          field: 'place',
          type: 'quantitative',
          title: `Values of ${of}, by their frequency in the table`,
          scale: { domain: [1, Math.max(2, values.length)], nice: false },
          axis: { tickMinStep: 1, format: 'd' },
        },
        y: { field: 'share', type: 'quantitative', title: 'Share of the records', axis: { format: '~%' } },
        color: {
          field: 'source',
          type: 'nominal',
          scale: { domain: ['table', 'datasets'], range: [CHART_COLOURS.reference, CHART_COLOURS.mark] },
          legend: null,
        },
      },
    },
  };
}
