import type { LinkageResult } from '../../contracts/results/linkage.ts';
import { formatPercent } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart } from './chart.ts';

const shareAxis = { type: 'quantitative' as const, scale: { domain: [0, 1] }, axis: { format: '%', tickCount: 5 } };

/** Precision against recall of the unique links, from the most probable ones on. */
export function precisionRecallChart({ thresholds, precision }: LinkageResult): Chart {
  const values = thresholds.map((threshold) => ({ recall: threshold.recall ?? 0, precision: threshold.precision }));
  return {
    table: {
      heads: ['Rows re-identified', 'Right ones of the links'],
      rows: values.map((own) => [formatPercent(own.recall), formatPercent(own.precision)]),
    },
    label: `Precision of the unique links against the share of rows that they re-identify. Of all of them ${
      precision.share === null ? 'there are none' : `${formatPercent(precision.share)} are right`
    }.`,
    spec: {
      data: { values },
      mark: { type: 'line', color: CHART_COLOURS.mark, strokeWidth: 2, point: values.length < 2 },
      encoding: {
        x: { ...shareAxis, field: 'recall', title: 'Rows re-identified' },
        y: { ...shareAxis, field: 'precision', title: 'Right ones of the links' },
        order: { field: 'recall', type: 'quantitative' },
      },
    },
  };
}

/** The ROC curve of the unique links by their probability, with the line of guessing. */
export function rocChart({ thresholds, rocArea }: LinkageResult): Chart {
  const values = [
    { wrong: 0, right: 0 },
    ...thresholds.map(({ falsePositiveRate, truePositiveRate }) => ({ wrong: falsePositiveRate ?? 0, right: truePositiveRate ?? 0 })),
  ];
  const x = { ...shareAxis, field: 'wrong', title: 'Wrong links taken' };
  const y = { ...shareAxis, field: 'right', title: 'Right links taken' };
  return {
    table: {
      heads: ['Wrong links taken', 'Right links taken'],
      rows: values.map(({ wrong, right }) => [formatPercent(wrong), formatPercent(right)]),
    },
    label: `ROC curve of the unique links by their probability, of area ${rocArea === null ? 'undefined' : formatPercent(rocArea)}.`,
    spec: {
      layer: [
        {
          data: {
            values: [
              { wrong: 0, right: 0 },
              { wrong: 1, right: 1 },
            ],
          },
          mark: { type: 'line', color: CHART_COLOURS.reference, strokeDash: [4, 4] },
          encoding: { x, y },
        },
        {
          data: { values },
          mark: { type: 'line', color: CHART_COLOURS.mark, strokeWidth: 2 },
          encoding: { x, y, order: { field: 'wrong', type: 'quantitative' } },
        },
      ],
    },
  };
}
