import type { LinkageResult } from '../../contracts/results/linkage.ts';
import { formatPercent } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart, layer, numbers } from './chart.ts';

const shares = (title: string) => numbers(title, { scale: { domain: [0, 1] as number[] }, axis: { format: '%', tickCount: 5 } });

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
        x: shares('Rows re-identified')('recall'),
        y: shares('Right ones of the links')('precision'),
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
  const x = shares('Wrong links taken')('wrong');
  const y = shares('Right links taken')('right');
  return {
    table: {
      heads: ['Wrong links taken', 'Right links taken'],
      rows: values.map(({ wrong, right }) => [formatPercent(wrong), formatPercent(right)]),
    },
    label: `ROC curve of the unique links by their probability, of area ${rocArea === null ? 'undefined' : formatPercent(rocArea)}.`,
    spec: {
      layer: [
        layer(
          [0, 1].map((share) => ({ wrong: share, right: share })),
          { type: 'line', color: CHART_COLOURS.reference, strokeDash: [4, 4] },
          { x, y },
        ),
        layer(
          values,
          { type: 'line', color: CHART_COLOURS.mark, strokeWidth: 2 },
          { x, y, order: { field: 'wrong', type: 'quantitative' } },
        ),
      ],
    },
  };
}
