import { formatPercent, formatPercentEstimate } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart, dot, numbers, rule } from './chart.ts';

/** The ends of the scale, which hold for every table. */
const ENDS = { nothing: 'an independent release', all: 'the table itself' } as const;

/**
 * Where the release lies between one that tells nothing and the table itself.
 *
 * @param halfWidth half of the width of its 95 % interval over releases; null where it has none
 */
export function resolvedScaleChart(
  resolved: number,
  { halfWidth, standardError }: { readonly halfWidth: number | null; readonly standardError: number | null },
): Chart {
  const reach = halfWidth ?? 0;
  const [low, high] = [resolved - reach, Math.min(1, resolved + reach)];
  const x = numbers('Share of what the intruder did not know that is resolved', {
    scale: { domainMin: Math.min(0, low), domainMax: 1, nice: false },
    axis: { format: '.0%', tickCount: 5, grid: false },
  });
  const own = standardError === null || standardError === 0 ? formatPercent(resolved) : formatPercentEstimate(resolved, standardError);
  return {
    height: 90,
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
      data: { values: [{ low, high, own: resolved, nothing: 0, all: 1 }] },
      layer: [
        { mark: { ...rule(CHART_COLOURS.quiet, 8), opacity: 0.4 }, encoding: { x: x('nothing'), x2: { field: 'all' } } },
        { mark: rule(CHART_COLOURS.mark, 3), encoding: { x: x('low'), x2: { field: 'high' } } },
        { mark: dot(CHART_COLOURS.mark, 80), encoding: { x: x('own') } },
      ],
    },
  };
}
