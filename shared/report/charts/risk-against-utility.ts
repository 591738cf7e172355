import type { SimulatedPair } from '../../contracts/results/differential-privacy.ts';
import { formatFigure, formatSetting } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart } from './chart.ts';

/** The pairs that were simulated with one epsilon. */
export interface PairsOfEpsilon {
  readonly epsilon: number;
  readonly pairs: readonly SimulatedPair[];
}

/** What tells epsilons apart, the largest first; others repeat them. */
const SHAPES = ['circle', 'square', 'triangle-up', 'diamond', 'cross', 'triangle-down'];

/**
 * Absolute risk against utility, a point a pair of table and dataset, after Figures 1 and 2 of 003. Tables without a 1,
 * where the risk is that of a 0, stand out by their colour.
 */
export function riskAgainstUtilityChart(groups: readonly PairsOfEpsilon[]): Chart {
  const names = groups.map(({ epsilon }) => formatSetting(epsilon));
  const values = groups.flatMap(({ pairs }, index) =>
    pairs.map(({ utilityLoss, absolute, trueValue }) => ({ epsilon: names[index]!, utilityLoss, absolute, ofZero: trueValue === 0 })),
  );
  const ranges = groups.map(({ pairs }, index) => {
    const risks = pairs.map(({ absolute }) => absolute);
    return `epsilon ${names[index]}: from ${formatFigure(Math.min(...risks))} to ${formatFigure(Math.max(...risks))}`;
  });
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
        y: { field: 'absolute', type: 'quantitative', title: 'Absolute risk R', scale: { domain: [0, 1] } },
        shape: {
          field: 'epsilon',
          type: 'nominal',
          sort: names,
          scale: { domain: names, range: names.map((_, index) => SHAPES[index % SHAPES.length]!) },
          legend: LEGEND,
        },
        color: {
          field: 'ofZero',
          type: 'nominal',
          scale: { domain: [false, true], range: [CHART_COLOURS.mark, CHART_COLOURS.reference] },
          legend: null,
        },
      },
    },
  };
}

/** The epsilons beneath a chart, in the order of their marks. */
export const LEGEND = {
  title: 'epsilon',
  orient: 'bottom',
  direction: 'horizontal',
  columns: 6,
  labelColor: 'var(--muted)',
  titleColor: 'var(--ink)',
  symbolStrokeColor: CHART_COLOURS.mark,
} as const;
