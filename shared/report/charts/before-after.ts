import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import { shortened } from '../page/label.ts';
import { formatPercent } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart } from './chart.ts';

/** Height in pixels of a chart of so many variables. */
export const beforeAfterHeight = (variables: number): number => variables * 26 + 60;

/** Values guessed right of each variable, before the release and after it. */
export function beforeAfterChart(variables: AttributeRiskSummary['variables']): Chart {
  const values = variables.map(({ variable, firstGuessRightBefore, firstGuessRightAfter }) => ({
    variable: shortened(variable),
    before: firstGuessRightBefore,
    after: firstGuessRightAfter,
  }));
  const y = {
    field: 'variable',
    type: 'nominal',
    title: null,
    sort: null,
    axis: { grid: true, domain: false, ticks: false, labelLimit: 140 },
  } as const;
  const x = (field: string) =>
    ({
      field,
      type: 'quantitative',
      title: 'Values guessed right',
      scale: { domainMin: 0, domainMax: 1 },
      axis: { format: '.0%', tickCount: 5 },
    }) as const;
  const rows = variables.map((own) => [
    shortened(own.variable),
    formatPercent(own.firstGuessRightBefore, own.firstGuessRightBeforeSe),
    formatPercent(own.firstGuessRightAfter, own.firstGuessRightAfterSe),
  ]);
  return {
    table: { heads: ['Variable', 'Right before', 'Right after'], rows },
    label: `Values guessed right before and after the release. ${rows
      .map(([variable, before, after]) => `${variable}: ${before} before, ${after} after`)
      .join('; ')}.`,
    spec: {
      data: { values },
      layer: [
        { mark: { type: 'rule', strokeWidth: 3, color: CHART_COLOURS.quiet }, encoding: { y, x: x('before'), x2: { field: 'after' } } },
        {
          mark: { type: 'point', size: 60, strokeWidth: 2, opacity: 1, fill: 'var(--surface)', stroke: CHART_COLOURS.quiet },
          encoding: { y, x: x('before') },
        },
        { mark: { type: 'point', filled: true, size: 60, opacity: 1, color: CHART_COLOURS.mark }, encoding: { y, x: x('after') } },
      ],
    },
  };
}
