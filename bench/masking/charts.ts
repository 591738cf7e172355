import type { TopLevelSpec } from 'vega-lite';
import { COLOURS, chartSvg } from '../pages/chart-svg.ts';
import { PANELS, type SweepPoint } from './sweeps.ts';

/** Panels whose axis is logarithmic. */
const LOGARITHMIC = new Set(['k', 'p', 'sample']);

/** The re-identified share against what is varied, a panel each. */
export function sweepChart(points: readonly SweepPoint[]): Promise<string> {
  const panels = (Object.entries(PANELS) as [SweepPoint['panel'], string][]).map(([panel, title]) => ({
    width: 190,
    height: 170,
    data: { values: points.filter((point) => point.panel === panel) },
    mark: { type: 'line' as const, point: true },
    encoding: {
      x: {
        field: 'at',
        type: 'quantitative' as const,
        title,
        scale: { type: LOGARITHMIC.has(panel) ? ('log' as const) : ('linear' as const) },
      },
      y: { field: 'share', type: 'quantitative' as const, title: 'Re-identified', scale: { domain: [0, 1] }, axis: { format: '%' } },
      color: {
        field: 'series',
        type: 'nominal' as const,
        title: null,
        scale: { range: COLOURS },
        legend: { orient: 'bottom' as const, columns: 1 },
      },
    },
  }));
  const spec = {
    vconcat: [{ hconcat: panels.slice(0, 3) }, { hconcat: panels.slice(3) }],
    resolve: { scale: { color: 'independent' } },
  } as unknown as TopLevelSpec;
  const independent = JSON.parse(
    JSON.stringify(spec).replaceAll('"hconcat"', '"resolve":{"scale":{"color":"independent"}},"hconcat"'),
  ) as TopLevelSpec;
  return chartSvg(
    'Share of rows that are re-identified against k, p, the number of variables, the sampling fraction and the error rate',
    independent,
  );
}
