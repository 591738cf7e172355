import { halfWidthOf } from '../../contracts/figure-errors.ts';
import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import { shortened } from '../page/label.ts';
import { shownError } from '../words/errors-in-words.ts';
import { formatFigure, formatMeasured } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart, dot, layer, listed, names, numbers, rule } from './chart.ts';

/** Information gained about the true values of each variable, from the largest, with its 95 % interval where it has one. */
export function gainsChart(risk: AttributeRiskSummary, most: number): Chart {
  const variables = risk.variables.toSorted((a, b) => b.gainBitsMean - a.gainBitsMean).slice(0, most);
  const values = variables.map((own) => {
    const half = halfWidthOf({ ...own, releaseQuantile: risk.releaseQuantile }, 'gainBitsMean') ?? 0;
    const gain = own.gainBitsMean;
    return { variable: shortened(own.variable), gain, low: gain - half, high: gain + half };
  });
  const rows = variables.map((own) => [
    shortened(own.variable),
    formatMeasured(own.gainBitsMean, shownError(own, 'gainBitsMean')),
    formatFigure(own.gainBitsClaimed),
  ]);
  const y = names('variable', { grid: true, domain: false, ticks: false, labelLimit: 140 });
  const x = numbers('Information gained, bits a record', { scale: { zero: true }, axis: { tickCount: 5 } });
  return {
    height: variables.length * 26 + 60,
    table: { heads: ['Variable', 'Gain, bits', 'Claimed'], rows },
    label: listed(
      'Information gained about the true values of each variable, in bits a record.',
      rows.map(([variable, gain]) => `${variable}: ${gain}`),
    ),
    spec: {
      data: { values },
      layer: [
        layer([{ none: 0 }], rule(CHART_COLOURS.reference, 2), { x: x('none') }),
        { mark: rule(CHART_COLOURS.mark, 3), encoding: { y, x: x('low'), x2: { field: 'high' } } },
        { mark: dot(CHART_COLOURS.mark, 70), encoding: { y, x: x('gain') } },
      ],
    },
  };
}
