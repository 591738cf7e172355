import type { ReconstructionSummary } from '../../contracts/results/reconstruction/reconstruction.ts';
import { formatCount, formatPercent, formatPercentEstimate } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart, layer, numbers } from './chart.ts';

const line = (color: string, strokeDash?: number[]) =>
  ({ type: 'line', color, strokeWidth: 2, ...(strokeDash && { strokeDash }) }) as const;

/** Share of the combinations named that are in the table, by how many are named, against the baseline and the most frequent ones. */
export function reconstructionChart({ curve, first100 }: ReconstructionSummary): Chart {
  const x = numbers('Combinations named, from the most confident', { scale: { type: 'log' }, axis: { format: ',', tickCount: 4 } })('rank');
  const y = numbers('Of these in the table', { scale: { domain: [0, 1] as number[] }, axis: { format: '%', tickCount: 5 } });
  return {
    table: {
      heads: ['Named', 'In the table', 'Expected', 'Baseline', 'Most frequent ones, in the table'],
      rows: curve.map(({ rank, share, shareSe, shareSimulationSe, expected, baseline, byFrequency }) => [
        formatCount(rank),
        formatPercentEstimate(share, shareSe ?? shareSimulationSe ?? 0),
        ...[expected, baseline, byFrequency].map((value) => formatPercent(value)),
      ]),
    },
    label: `Share in the table of the combinations named, by their number: of ${formatCount(first100.guesses)} it is ${formatPercent(first100.share)}, and the baseline ${formatPercent(first100.baseline)}.`,
    spec: {
      layer: [
        layer(curve, line(CHART_COLOURS.quiet), { x, y: y('byFrequency') }),
        layer(curve, line(CHART_COLOURS.reference, [4, 4]), { x, y: y('baseline') }),
        layer(curve, line(CHART_COLOURS.mark), { x, y: y('share') }),
      ],
    },
  };
}
