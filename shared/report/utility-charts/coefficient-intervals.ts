import type { UtilityRegression } from '../../contracts/results/utility.ts';
import { CHART_COLOURS, type Chart } from '../charts/chart.ts';
import { shortened } from '../page/label.ts';
import { formatFigure } from '../words/format-number.ts';

/** Coefficients that are drawn at most: those that differ most. */
const DRAWN = 25;

/** Standard errors beyond which an interval is cut off. */
const FARTHEST = 12;

/** Half the width of the table's interval in its standard errors. */
const HALF_WIDTH = 1.96;

type Coefficient = UtilityRegression['coefficients'][number];

/** Coefficients that are known of table and datasets, those that differ most, in the order of the regression. */
export function drawnCoefficients({ coefficients }: UtilityRegression): Coefficient[] {
  const known = coefficients.filter(({ standardizedDifference, synthetic }) => standardizedDifference !== null && synthetic?.low !== null);
  const chosen = new Set(
    known.toSorted((a, b) => Math.abs(b.standardizedDifference!) - Math.abs(a.standardizedDifference!)).slice(0, DRAWN),
  );
  return known.filter((one) => chosen.has(one));
}

/** Height in pixels of a chart of so many coefficients. */
export const coefficientsHeight = (coefficients: number): number => coefficients * 17 + 70;

/**
 * Where the datasets' estimates and intervals lie, in standard errors of the table's estimate from it: its own interval is
 * the band in the middle.
 */
export function coefficientIntervalsChart(regression: UtilityRegression): Chart {
  const cut = (value: number) => Math.max(-FARTHEST, Math.min(FARTHEST, value));
  const values = drawnCoefficients(regression).map(({ term, original, synthetic, standardizedDifference }) => ({
    term: shortened(term),
    at: cut(standardizedDifference!),
    low: cut((synthetic!.low! - original!.estimate) / original!.se),
    high: cut((synthetic!.high! - original!.estimate) / original!.se),
  }));
  const y = { field: 'term', type: 'ordinal', sort: null, title: null, axis: { grid: true, labelFontSize: 11, labelLimit: 150 } } as const;
  const x = (field: string) => ({ field, type: 'quantitative', title: 'From the table, standard errors' }) as const;
  return {
    table: {
      heads: ['Coefficient', 'Estimate, standard errors from the table’s', '95 % interval'],
      rows: values.map(({ term, at, low, high }) => [term, formatFigure(at), `${formatFigure(low)} to ${formatFigure(high)}`]),
    },
    label: `Coefficients of ${shortened(regression.formula)}. ${values
      .map(({ term, at, low, high }) => `${term}: ${formatFigure(at)}, ${formatFigure(low)} to ${formatFigure(high)}`)
      .join('; ')}.`,
    spec: {
      layer: [
        {
          data: { values: [{ from: -HALF_WIDTH, to: HALF_WIDTH }] },
          mark: { type: 'rect', color: CHART_COLOURS.quiet, opacity: 0.3 },
          encoding: { x: x('from'), x2: { field: 'to' } },
        },
        {
          data: { values },
          mark: { type: 'rule', strokeWidth: 3, strokeCap: 'round', color: CHART_COLOURS.mark },
          encoding: { y, x: x('low'), x2: { field: 'high' } },
        },
        {
          data: { values },
          mark: { type: 'point', filled: true, size: 45, opacity: 1, color: CHART_COLOURS.mark },
          encoding: { y, x: x('at') },
        },
      ],
    },
  };
}
