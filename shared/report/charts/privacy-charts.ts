import type { SimulatedPair } from '../../contracts/results/differential-privacy.ts';
import { formatFigure, formatSetting } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart } from './chart.ts';

/** Relative and absolute risk of one pair under every prior. */
export interface PriorCurve {
  readonly epsilon: number;
  readonly trueValue: 0 | 1;
  readonly points: readonly { readonly absolute: number; readonly relative: number }[];
}

/** Absolute risk across, and relative risk up on a logarithmic scale. */
export const RISK_AXES = {
  x: { field: 'absolute', type: 'quantitative', title: 'Absolute risk R', scale: { domain: [0, 1] as number[] } },
  y: {
    field: 'relative',
    type: 'quantitative',
    title: 'Relative risk RR',
    scale: { type: 'log', nice: false },
    axis: { format: '~g', tickCount: 5 },
  },
} as const;

/** The epsilons beneath a chart, in the order of their marks. */
const LEGEND = {
  title: 'epsilon',
  orient: 'bottom',
  direction: 'horizontal',
  columns: 6,
  labelColor: 'var(--muted)',
  titleColor: 'var(--ink)',
  symbolStrokeColor: CHART_COLOURS.mark,
} as const;

/** What tells epsilons apart, the largest first; others repeat them. */
const SHAPES = ['circle', 'square', 'triangle-up', 'diamond', 'cross', 'triangle-down'];

/**
 * Absolute risk against utility, a point a pair of table and dataset, after Figures 1 and 2 of McClure & Reiter (2012). Tables without a 1,
 * where the risk is that of a 0, stand out by their colour.
 *
 * @param groups the pairs that were simulated with one epsilon
 */
export function riskAgainstUtilityChart(groups: readonly { readonly epsilon: number; readonly pairs: readonly SimulatedPair[] }[]): Chart {
  const names = groups.map(({ epsilon }) => formatSetting(epsilon));
  const values = groups.flatMap(({ pairs }, index) =>
    pairs.map(({ utilityLoss, absolute, trueValue }) => ({ epsilon: names[index]!, utilityLoss, absolute, ofZero: trueValue === 0 })),
  );
  const ranges = groups.map(({ pairs }, index) => {
    const risks = pairs.map(({ absolute }) => absolute);
    return `epsilon ${names[index]}: from ${formatFigure(Math.min(...risks))} to ${formatFigure(Math.max(...risks))}`;
  });
  const shapes = { domain: names, range: names.map((_, index) => SHAPES[index % SHAPES.length]!) };
  const colours = { domain: [false, true], range: [CHART_COLOURS.mark, CHART_COLOURS.reference] };
  return {
    table: {
      heads: ['epsilon', 'Loss of utility U', 'Absolute risk R', 'True value'],
      rows: values.map((pair) => [pair.epsilon, formatFigure(pair.utilityLoss), formatFigure(pair.absolute), pair.ofZero ? '0' : '1']),
    },
    label: `Absolute risk of each simulated pair against its loss of utility. Risks with ${ranges.join('; ')}.`,
    spec: {
      data: { values },
      mark: { type: 'point', size: 40, strokeWidth: 1.5 },
      encoding: {
        x: { field: 'utilityLoss', type: 'quantitative', title: 'Loss of utility U, log10 of squared errors', scale: { zero: false } },
        y: RISK_AXES.x,
        shape: { field: 'epsilon', type: 'nominal', sort: names, scale: shapes, legend: LEGEND },
        color: { field: 'ofZero', type: 'nominal', scale: colours, legend: null },
      },
    },
  };
}

/** Of a curve what its table lists: its ends, and the point between them. */
const endsAndMiddle = <Point>(points: readonly Point[]): Point[] =>
  [...new Set([0, Math.floor((points.length - 1) / 2), points.length - 1])].map((place) => points[place]!);

/** Strength of the lines of the first and of the last epsilon; the others lie between, equally spaced. */
const OPACITIES = [1, 0.2];

/** Full lines, and dashed ones for tables without a 1. */
const DASHES = {
  domain: [false, true],
  range: [
    [1, 0],
    [4, 3],
  ],
};

/**
 * Relative against absolute risk, a line a pair of table and dataset over all priors, after Figures 3 and 4 of McClure & Reiter (2012). The
 * larger epsilon, the stronger the line; tables without a 1 have dashed ones.
 */
export function relativeAgainstAbsoluteChart(curves: readonly PriorCurve[]): Chart {
  const named = curves.map((curve) => ({ ...curve, epsilon: formatSetting(curve.epsilon) }));
  const names = [...new Set(named.map(({ epsilon }) => epsilon))];
  const largest = names.map((name) => {
    const relatives = named.filter(({ epsilon }) => epsilon === name).flatMap(({ points }) => points.map(({ relative }) => relative));
    return `epsilon ${name}: ${formatFigure(Math.max(...relatives))}`;
  });
  return {
    table: {
      heads: ['epsilon', 'True value', 'Absolute risk R', 'Relative risk RR'],
      rows: named.flatMap(({ epsilon, trueValue, points }) =>
        endsAndMiddle(points).map(({ absolute, relative }) => [epsilon, String(trueValue), formatFigure(absolute), formatFigure(relative)]),
      ),
    },
    label: `Relative risk against absolute risk under every prior. Largest relative risk with ${largest.join('; ')}.`,
    spec: {
      data: {
        values: named.flatMap(({ epsilon, trueValue, points }, curve) =>
          points.map((point) => ({ ...point, curve, epsilon, ofZero: trueValue === 0 })),
        ),
      },
      mark: { type: 'line', strokeWidth: 1.5, color: CHART_COLOURS.mark },
      encoding: {
        ...RISK_AXES,
        detail: { field: 'curve', type: 'nominal' },
        strokeDash: { field: 'ofZero', type: 'nominal', scale: DASHES, legend: null },
        opacity: { field: 'epsilon', type: 'nominal', sort: names, scale: { domain: names, range: OPACITIES }, legend: LEGEND },
      },
    },
  };
}
