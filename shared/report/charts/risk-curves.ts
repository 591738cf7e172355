import { formatCount, formatFigure, formatSetting } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart, layer, listed, numbers } from './chart.ts';
import { RISK_AXES } from './privacy-charts.ts';

/** A record whose risk is drawn: its number, and its Bayes factor. */
export interface DrawnRecord {
  readonly number: number;
  readonly bayesFactor: number;
}

/** Weights at which curves are drawn, evenly in (0, 1). */
const WEIGHTS = Array.from({ length: 101 }, (_, i) => Math.min(0.999, Math.max(0.001, i / 100)));

/** The table behind a chart has every so many of these weights. */
const TABLE_STEP = 10;

/** R and RR of a record whose truth has a weight beforehand (McClure & Reiter 2012, section 4). */
const pairOf = (bayesFactor: number, weight: number) => {
  // Written so that the largest factors do not overflow.
  const relative = 1 / ((1 - weight) / bayesFactor + weight);
  return { absolute: weight * relative, relative };
};

const LINE = { type: 'line', color: CHART_COLOURS.mark, strokeWidth: 2 } as const;

const TITLES = { R: 'Probability of the truth afterwards, R', RR: 'Times as probable as before, RR' } as const;

/**
 * R(w) or RR(w) of some records, over the weight w of the truth beforehand (McClure & Reiter 2012, Figures 3 and 4), with bounds on it.
 *
 * @param bounds of the acceptance region on this risk
 */
export function riskCurves(risk: keyof typeof TITLES, records: readonly DrawnRecord[], bounds: readonly number[]): Chart {
  const values = records.flatMap(({ number, bayesFactor }) =>
    WEIGHTS.map((weight) => {
      const { absolute, relative } = pairOf(bayesFactor, weight);
      return { number, weight, value: risk === 'R' ? absolute : relative };
    }),
  );
  const least = Math.min(...values.map(({ value }) => value), ...bounds.filter((bound) => bound > 0));
  const most = Math.max(...values.map(({ value }) => value), ...bounds);
  const x = numbers('Weight of the truth beforehand, w', { scale: { domainMin: 0, domainMax: 1, nice: false } });
  const scale =
    risk === 'R'
      ? ({ type: 'linear', domainMin: 0, domainMax: 1 } as const)
      : ({ type: 'log', domainMin: least, domainMax: Math.max(most, 1.1) } as const);
  const y = numbers(TITLES[risk], { scale, axis: { format: '~g', tickCount: 5 } });
  return {
    table: {
      heads: ['Weight of the truth beforehand, w', ...records.map(({ number }) => formatCount(number))],
      rows: WEIGHTS.filter((_, index) => index % TABLE_STEP === 0).map((weight) => [
        formatSetting(weight),
        ...values.filter((point) => point.weight === weight).map(({ value }) => formatFigure(value)),
      ]),
    },
    label: listed(
      `${TITLES[risk]} for ${formatCount(records.length)} records, by the weight of the truth beforehand.`,
      records.map(({ number, bayesFactor }) => `Record ${formatCount(number)}: Bayes factor ${formatFigure(bayesFactor)}`),
    ),
    spec: {
      layer: [
        layer(
          bounds.map((bound) => ({ bound })),
          { type: 'rule', color: CHART_COLOURS.reference, strokeWidth: 2, strokeDash: [5, 4] },
          { y: y('bound') },
        ),
        layer(values, LINE, { x: x('weight'), y: y('value'), detail: { field: 'number' } }),
      ],
    },
  };
}

/** Weights that the table behind the curves of pairs has. */
const LISTED = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9];

/** Relative against absolute risk of some records, a curve over all weights of the truth beforehand (McClure & Reiter 2012, Figure 4). */
export function riskPairsChart(records: readonly DrawnRecord[]): Chart {
  const values = records.flatMap(({ number, bayesFactor }) =>
    WEIGHTS.map((weight) => ({ number, weight, ...pairOf(bayesFactor, weight) })),
  );
  const relatives = values.map(({ relative }) => relative);
  const scale = { ...RISK_AXES.y.scale, domainMin: Math.min(1, ...relatives), domainMax: Math.max(1.1, ...relatives) };
  return {
    table: {
      heads: ['Record', 'Weight w', 'R', 'RR'],
      rows: records.flatMap(({ number, bayesFactor }) =>
        LISTED.map((weight) => {
          const { absolute, relative } = pairOf(bayesFactor, weight);
          return [formatCount(number), formatSetting(weight), formatFigure(absolute), formatFigure(relative)];
        }),
      ),
    },
    label: listed(
      `Relative risk RR against absolute risk R of ${formatCount(records.length)} records, a curve over every weight of the truth beforehand.`,
      records.map(({ number, bayesFactor }) => `Record ${formatCount(number)}: RR is at most ${formatFigure(Math.max(1, bayesFactor))}`),
    ),
    spec: {
      data: { values },
      mark: LINE,
      encoding: {
        ...RISK_AXES,
        y: { ...RISK_AXES.y, scale },
        detail: { field: 'number' },
        order: { field: 'weight', type: 'quantitative' },
      },
    },
  };
}
