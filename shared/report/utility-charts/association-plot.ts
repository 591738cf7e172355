import type { UtilitySummary } from '../../contracts/results/utility.ts';
import { CHART_COLOURS, type Chart } from '../charts/chart.ts';
import { shortened } from '../page/label.ts';
import { formatFigure } from '../words/format-number.ts';

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
  const least = Math.min(0, ...values.flatMap(({ own, other }) => [own, other]));
  const most = Math.max(0.1, ...values.flatMap(({ own, other }) => [own, other]));
  const axis = (field: string, title: string) => ({
    field,
    type: 'quantitative' as const,
    title,
    scale: { domain: [least, most], nice: false },
  });
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
        {
          data: {
            values: [
              { own: least, other: least },
              { own: most, other: most },
            ],
          },
          mark: { type: 'line', color: CHART_COLOURS.reference, strokeWidth: 1.2 },
          encoding: { x: axis('own', 'In the table'), y: axis('other', 'In the datasets') },
        },
        {
          data: { values },
          mark: { type: 'point', size: 40, opacity: 0.9 },
          encoding: {
            x: axis('own', 'In the table'),
            y: axis('other', 'In the datasets'),
            color: {
              field: 'marked',
              type: 'nominal',
              scale: { domain: [false, true], range: [CHART_COLOURS.mark, CHART_COLOURS.reference] },
              legend: null,
            },
          },
        },
      ],
    },
  };
}
