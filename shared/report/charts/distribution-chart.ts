import type { UtilityDistribution } from '../../contracts/results/utility.ts';
import { shortened } from '../page/label.ts';
import { formatFigure, formatPercent } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart, layer, numbers } from './chart.ts';

/** Bins between two numbers on the axis. */
const LABELLED = 10;

/** Shares of a continuous variable's values in bins of its declared scale, masses aside: the table, and the mean of the datasets. */
export function distributionChart({ variable, bins }: UtilityDistribution): Chart {
  const edges = bins.flatMap(({ from }, place) => (place % LABELLED === 0 ? [from] : [])).concat(bins.at(-1)!.to);
  const x = numbers(`${shortened(variable)}, on its declared scale`, {
    scale: { domain: [0, bins.length] as number[], nice: false },
    axis: {
      values: edges.map((_, place) => place * LABELLED),
      labelExpr: `${JSON.stringify(edges.map(formatFigure))}[datum.value / ${LABELLED}]`,
    },
  });
  const y = numbers('Share of the values', { axis: { format: '~%' } });
  const largest = bins.reduce((most, bin) => (bin.original > most.original ? bin : most));
  const range = ({ from, to }: { readonly from: number; readonly to: number }) => `${formatFigure(from)} to ${formatFigure(to)}`;
  const outline = [...bins, bins.at(-1)!].map(({ synthetic }, place) => ({ place, synthetic }));
  return {
    table: {
      heads: ['Values', 'In the table', 'In the datasets'],
      rows: bins.map((bin) => [range(bin), formatPercent(bin.original), formatPercent(bin.synthetic)]),
    },
    label: `Distribution of ${shortened(variable)} in the table and in the datasets. Of the bin from ${range(largest)}, the fullest of the table: ${formatPercent(largest.original)} in the table, ${formatPercent(largest.synthetic)} in the datasets.`,
    spec: {
      layer: [
        layer(
          bins.map(({ original }, place) => ({ place, end: place + 1, original })),
          { type: 'rect', color: CHART_COLOURS.quiet, opacity: 0.5 },
          { x: x('place'), x2: { field: 'end' }, y: y('original'), y2: { datum: 0 } },
        ),
        layer(
          outline,
          { type: 'line', interpolate: 'step-after', color: CHART_COLOURS.mark, strokeWidth: 1.8 },
          { x: x('place'), y: y('synthetic') },
        ),
      ],
    },
  };
}
