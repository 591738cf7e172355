import { formatFigure, formatSetting } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart } from './chart.ts';
import { LEGEND } from './risk-against-utility.ts';

/** Relative and absolute risk of one pair under every prior. */
export interface PriorCurve {
  readonly epsilon: number;
  readonly trueValue: 0 | 1;
  readonly points: readonly { readonly absolute: number; readonly relative: number }[];
}

/** Absolute risk across, and relative risk up on a logarithmic scale. */
export const RISK_AXES = {
  x: { field: 'absolute', type: 'quantitative' as const, title: 'Absolute risk R', scale: { domain: [0, 1] } },
  y: {
    field: 'relative',
    type: 'quantitative' as const,
    title: 'Relative risk RR',
    scale: { type: 'log' as const, nice: false },
    axis: { format: '~g', tickCount: 5 },
  },
};

/** Of a curve what its table lists: its ends, and the point between them. */
const endsAndMiddle = <Point>(points: readonly Point[]): Point[] =>
  [...new Set([0, Math.floor((points.length - 1) / 2), points.length - 1])].map((place) => points[place]!);

/** Strength of the lines of the first and of the last epsilon; the others lie between, equally spaced. */
const OPACITIES = [1, 0.2] as const;

/**
 * Relative against absolute risk, a line a pair of table and dataset over all priors, after Figures 3 and 4 of 003. The
 * larger epsilon, the stronger the line; tables without a 1 have dashed ones.
 */
export function relativeAgainstAbsoluteChart(curves: readonly PriorCurve[]): Chart {
  const names = [...new Set(curves.map(({ epsilon }) => formatSetting(epsilon)))];
  const largest = names.map((name) => {
    const relatives = curves
      .filter(({ epsilon }) => formatSetting(epsilon) === name)
      .flatMap(({ points }) => points.map(({ relative }) => relative));
    return `epsilon ${name}: ${formatFigure(Math.max(...relatives))}`;
  });
  return {
    table: {
      heads: ['epsilon', 'True value', 'Absolute risk R', 'Relative risk RR'],
      rows: curves.flatMap(({ epsilon, trueValue, points }) =>
        endsAndMiddle(points).map(({ absolute, relative }) => [
          formatSetting(epsilon),
          String(trueValue),
          formatFigure(absolute),
          formatFigure(relative),
        ]),
      ),
    },
    label: `Relative risk against absolute risk under every prior. Largest relative risk with ${largest.join('; ')}.`,
    spec: {
      data: {
        values: curves.flatMap(({ epsilon, trueValue, points }, curve) =>
          points.map((point) => ({ ...point, curve, epsilon: formatSetting(epsilon), ofZero: trueValue === 0 })),
        ),
      },
      mark: { type: 'line', strokeWidth: 1.5, color: CHART_COLOURS.mark },
      encoding: {
        ...RISK_AXES,
        detail: { field: 'curve', type: 'nominal' },
        strokeDash: {
          field: 'ofZero',
          type: 'nominal',
          scale: {
            domain: [false, true],
            range: [
              [1, 0],
              [4, 3],
            ],
          },
          legend: null,
        },
        opacity: { field: 'epsilon', type: 'nominal', sort: names, scale: { domain: names, range: [...OPACITIES] }, legend: LEGEND },
      },
    },
  };
}
