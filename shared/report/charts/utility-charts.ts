import type { UtilityRegression, UtilitySummary } from '../../contracts/results/utility.ts';
import { shortened } from '../page/label.ts';
import { formatCount, formatFigure, formatPercent } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart, dot, layer, listed, names, numbers, rule } from './chart.ts';

/** Association of every pair of variables in the datasets against that in the table: on the line where it is kept. */
export function associationPlot({ variables, original, synthetic, mostChanged }: UtilitySummary['associations']): Chart {
  const values = variables.flatMap((first, i) =>
    variables.slice(0, i).flatMap((second, j) => {
      const [own, other] = [original[i]![j]!, synthetic[i]![j]!];
      if (own === null || other === null) return [];
      const pair = `${shortened(second)} and ${shortened(first)}`;
      return [{ pair, own, other, marked: mostChanged?.includes(first) === true && mostChanged.includes(second) }];
    }),
  );
  const all = values.flatMap(({ own, other }) => [own, other]);
  const [least, most] = [Math.min(0, ...all), Math.max(0.1, ...all)];
  const scale = { domain: [least, most], nice: false };
  const [x, y] = [numbers('In the table', { scale })('own'), numbers('In the datasets', { scale })('other')];
  const colours = { domain: [false, true], range: [CHART_COLOURS.mark, CHART_COLOURS.reference] };
  return {
    table: {
      heads: ['Variables', 'In the table', 'In the datasets'],
      rows: values.map(({ pair, own, other }) => [pair, formatFigure(own), formatFigure(other)]),
    },
    label: `Association of ${values.length} pairs of variables in the datasets against that in the table${
      mostChanged === null ? '' : `. Most changed: ${mostChanged.map((name) => shortened(name)).join(' and ')}`
    }, from ${formatFigure(least)} to ${formatFigure(most)}.`,
    spec: {
      layer: [
        layer(
          [least, most].map((value) => ({ own: value, other: value })),
          { type: 'line', color: CHART_COLOURS.reference, strokeWidth: 1.2 },
          { x, y },
        ),
        layer(
          values,
          { type: 'point', size: 40, opacity: 0.9 },
          { x, y, color: { field: 'marked', type: 'nominal', scale: colours, legend: null } },
        ),
      ],
    },
  };
}

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
  const y = names('term', { grid: true, labelFontSize: 11, labelLimit: 150 });
  const x = numbers('From the table, standard errors');
  return {
    height: values.length * 17 + 70,
    table: {
      heads: ['Coefficient', 'Estimate, standard errors from the table’s', '95 % interval'],
      rows: values.map(({ term, at, low, high }) => [term, formatFigure(at), `${formatFigure(low)} to ${formatFigure(high)}`]),
    },
    label: listed(
      `Coefficients of ${shortened(regression.formula)}.`,
      values.map(({ term, at, low, high }) => `${term}: ${formatFigure(at)}, ${formatFigure(low)} to ${formatFigure(high)}`),
    ),
    spec: {
      layer: [
        layer(
          [{ from: -HALF_WIDTH, to: HALF_WIDTH }],
          { type: 'rect', color: CHART_COLOURS.quiet, opacity: 0.3 },
          { x: x('from'), x2: { field: 'to' } },
        ),
        layer(values, { ...rule(CHART_COLOURS.mark, 3), strokeCap: 'round' }, { y, x: x('low'), x2: { field: 'high' } }),
        layer(values, dot(CHART_COLOURS.mark, 45), { y, x: x('at') }),
      ],
    },
  };
}

type ShownPattern = NonNullable<UtilitySummary['patterns']>['variables'][number]['shown'][number];

/** Shares of the commonest values within a pattern, in the table and in the datasets, after Figure 3 of Hu & Savitsky (2018). */
export function patternSharesChart({ records, values }: ShownPattern, variable: string): Chart {
  const of = shortened(variable);
  const points = values.flatMap(({ original, synthetic }, place) => [
    { place: place + 1, share: original, source: 'table' },
    { place: place + 1, share: synthetic, source: 'datasets' },
  ]);
  const [first] = values;
  const colours = { domain: ['table', 'datasets'], range: [CHART_COLOURS.reference, CHART_COLOURS.mark] };
  return {
    table: {
      heads: ['Value, by frequency', 'In the table', 'In the datasets'],
      rows: values.map(({ original, synthetic }, place) => [String(place + 1), formatPercent(original), formatPercent(synthetic)]),
    },
    label: `Shares of the values of ${of} in a pattern of ${formatCount(records)} records, by their frequency in the table. The commonest: ${formatPercent(first!.original)} in the table, ${formatPercent(first!.synthetic)} in the datasets.`,
    spec: {
      data: { values: points },
      mark: { type: 'line', interpolate: 'step', strokeWidth: 1.8, point: values.length < 8 },
      encoding: {
        x: numbers(`Values of ${of}, by their frequency in the table`, {
          scale: { domain: [1, Math.max(2, values.length)] as number[], nice: false },
          axis: { tickMinStep: 1, format: 'd' },
        })('place'),
        y: numbers('Share of the records', { axis: { format: '~%' } })('share'),
        color: { field: 'source', type: 'nominal', scale: colours, legend: null },
      },
    },
  };
}
