import { formatCount, formatFigure, formatSetting } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart } from './chart.ts';
import type { DrawnRecord } from './risk-curves.ts';

/** Weights at which curves are drawn, and those that the table behind the chart has. */
const DRAWN = Array.from({ length: 99 }, (_, i) => (i + 1) / 100);
const LISTED = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9];

/** R and RR of a record whose truth has a weight beforehand (003 section 4). */
const pairOf = (bayesFactor: number, weight: number) => {
  // Written so that the largest factors do not overflow.
  const relative = 1 / ((1 - weight) / bayesFactor + weight);
  return { absolute: weight * relative, relative };
};

/** Relative against absolute risk of some records, a curve over all weights of the truth beforehand (003 Figure 4). */
export function riskPairsChart(records: readonly DrawnRecord[]): Chart {
  const values = records.flatMap(({ number, bayesFactor }) =>
    DRAWN.map((weight) => ({ number, weight, ...pairOf(bayesFactor, weight) })),
  );
  const most = Math.max(1.1, ...values.map(({ relative }) => relative));
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
    label: `Relative risk RR against absolute risk R of ${formatCount(records.length)} records, a curve over every weight of the truth beforehand. ${records
      .map(
        ({ number, bayesFactor }) =>
          `Record ${formatCount(number)}: RR is at most ${formatFigure(Math.max(1, bayesFactor))}`,
      )
      .join('; ')}.`,
    spec: {
      data: { values },
      mark: { type: 'line', color: CHART_COLOURS.mark, strokeWidth: 2 },
      encoding: {
        x: { field: 'absolute', type: 'quantitative', title: 'Absolute risk R', scale: { domain: [0, 1] } },
        y: {
          field: 'relative',
          type: 'quantitative',
          title: 'Relative risk RR',
          scale: {
            type: 'log',
            domainMin: Math.min(1, ...values.map(({ relative }) => relative)),
            domainMax: most,
            nice: false,
          },
          axis: { format: '~g', tickCount: 5 },
        },
        detail: { field: 'number' },
        order: { field: 'weight', type: 'quantitative' },
      },
    },
  };
}
