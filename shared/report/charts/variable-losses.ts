import type { MaskingResult } from '../../contracts/results/masking.ts';
import { shortened } from '../page/label.ts';
import { formatFigure } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart } from './chart.ts';

/** Information loss of single variables, as bars. */
export function variableLossesChart({ variableLosses }: MaskingResult): Chart {
  const largest = variableLosses.reduce((a, b) => (b.informationLossPercent > a.informationLossPercent ? b : a));
  return {
    table: {
      heads: ['Variable', 'Information loss (%)'],
      rows: variableLosses.map((own) => [shortened(own.variable), formatFigure(own.informationLossPercent)]),
    },
    label: `Information loss of ${variableLosses.length} variables in percent, the largest ${formatFigure(largest.informationLossPercent)} of ${shortened(largest.variable)}.`,
    spec: {
      data: { values: variableLosses.map((own) => ({ ...own, variable: shortened(own.variable) })) },
      mark: { type: 'bar', color: CHART_COLOURS.mark },
      encoding: {
        y: { field: 'variable', type: 'nominal', title: null, sort: null, axis: { labelLimit: 140 } },
        x: { field: 'informationLossPercent', type: 'quantitative', title: 'Information loss (%)' },
      },
    },
  };
}
