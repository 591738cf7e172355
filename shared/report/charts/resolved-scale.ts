import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import { formatPercent, formatPercentEstimate } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart } from './chart.ts';

/** Height in pixels of the scale. */
export const RESOLVED_SCALE_HEIGHT = 90;

/** Standard errors on either side of a 95 % interval. */
const INTERVAL = 1.96;

/** The ends of the scale, which hold for every table. */
const ENDS = { nothing: 'an independent release', all: 'the table itself' } as const;

/** Where the release lies between one that tells nothing and the table itself, with its 95 % interval where it has one. */
export function resolvedScaleChart({
  uncertaintyResolved,
  uncertaintyResolvedSe,
}: Pick<AttributeRiskSummary, 'uncertaintyResolvedSe'> & { readonly uncertaintyResolved: number }): Chart {
  const reach = INTERVAL * (uncertaintyResolvedSe ?? 0);
  const [low, high] = [uncertaintyResolved - reach, Math.min(1, uncertaintyResolved + reach)];
  const x = (field: string) =>
    ({
      field,
      type: 'quantitative',
      title: 'Share of what the intruder did not know that is resolved',
      scale: { domainMin: Math.min(0, low), domainMax: 1, nice: false },
      axis: { format: '.0%', tickCount: 5, grid: false },
    }) as const;
  const own =
    uncertaintyResolvedSe === null || uncertaintyResolvedSe === 0
      ? formatPercent(uncertaintyResolved)
      : formatPercentEstimate(uncertaintyResolved, uncertaintyResolvedSe);
  return {
    table: {
      heads: ['Release', 'Uncertainty resolved'],
      rows: [
        [ENDS.nothing, formatPercent(0)],
        ['this release', own],
        [ENDS.all, formatPercent(1)],
      ],
    },
    label: `Scale from ${ENDS.nothing}, 0 %, to ${ENDS.all}, 100 %. This release: ${own}.`,
    spec: {
      data: { values: [{ low, high, own: uncertaintyResolved, nothing: 0, all: 1 }] },
      layer: [
        {
          mark: { type: 'rule', strokeWidth: 8, color: CHART_COLOURS.quiet, opacity: 0.4 },
          encoding: { x: x('nothing'), x2: { field: 'all' } },
        },
        { mark: { type: 'rule', strokeWidth: 3, color: CHART_COLOURS.mark }, encoding: { x: x('low'), x2: { field: 'high' } } },
        { mark: { type: 'point', filled: true, size: 80, opacity: 1, color: CHART_COLOURS.mark }, encoding: { x: x('own') } },
      ],
    },
  };
}
