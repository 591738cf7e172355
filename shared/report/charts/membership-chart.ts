import type { MembershipSummary } from '../../contracts/results/membership.ts';
import { formatPercent, formatPercentEstimate } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart, layer, numbers } from './chart.ts';

const shares = (title: string) => numbers(title, { scale: { domain: [0, 1] as number[] }, axis: { format: '%', tickCount: 5 } });

/** The ROC of the optimal test of membership with its band of 95 %, and the line of guessing. */
export function membershipChart({ auc, roc }: MembershipSummary, halfWidthOf: (point: MembershipSummary['roc'][number]) => number): Chart {
  const values = roc.map((point) => {
    const half = halfWidthOf(point);
    return { wrong: point.falseAlarms, found: point.found, low: Math.max(0, point.found - half), high: Math.min(1, point.found + half) };
  });
  const x = shares('Others taken for members')('wrong');
  const y = shares('Members found')('found');
  return {
    table: {
      heads: ['Others taken for members', 'Members found', 'Standard error'],
      rows: roc.map(({ falseAlarms, found, foundSe, foundSimulationSe }) => [
        formatPercent(falseAlarms),
        formatPercentEstimate(found, foundSe ?? foundSimulationSe ?? 0),
        foundSe === null ? 'of simulation alone' : 'over releases',
      ]),
    },
    label: `ROC of the optimal test of membership: its area is ${formatPercent(auc)}, that of guessing 50 %.`,
    spec: {
      layer: [
        layer(values, { type: 'area', color: CHART_COLOURS.quiet, opacity: 0.4 }, { x, y: { ...y, field: 'low' }, y2: { field: 'high' } }),
        layer(
          [0, 1].map((share) => ({ wrong: share, found: share })),
          { type: 'line', color: CHART_COLOURS.reference, strokeDash: [4, 4] },
          { x, y },
        ),
        layer(values, { type: 'line', color: CHART_COLOURS.mark, strokeWidth: 2 }, { x, y }),
      ],
    },
  };
}
