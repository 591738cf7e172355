import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import { shortened } from '../page/label.ts';
import { shownError } from '../words/errors-in-words.ts';
import { formatPercent } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart, dot, listed, names, numbers, rule } from './chart.ts';

/** Values guessed right of each variable, before the release and after it. */
export function beforeAfterChart(variables: AttributeRiskSummary['variables']): Chart {
  const values = variables.map(({ variable, firstGuessRightBefore, firstGuessRightAfter }) => ({
    variable: shortened(variable),
    before: firstGuessRightBefore,
    after: firstGuessRightAfter,
  }));
  const y = names('variable', { grid: true, domain: false, ticks: false, labelLimit: 140 });
  const x = numbers('Values guessed right', { scale: { domainMin: 0, domainMax: 1 }, axis: { format: '.0%', tickCount: 5 } });
  const rows = variables.map((own) => [
    shortened(own.variable),
    formatPercent(own.firstGuessRightBefore, own.firstGuessRightBeforeSe),
    formatPercent(own.firstGuessRightAfter, shownError(own, 'firstGuessRightAfter')),
  ]);
  const hollow = { type: 'point', size: 60, strokeWidth: 2, opacity: 1, fill: 'var(--surface)', stroke: CHART_COLOURS.quiet } as const;
  return {
    height: variables.length * 26 + 60,
    table: { heads: ['Variable', 'Right before', 'Right after'], rows },
    label: listed(
      'Values guessed right before and after the release.',
      rows.map(([variable, before, after]) => `${variable}: ${before} before, ${after} after`),
    ),
    spec: {
      data: { values },
      layer: [
        { mark: rule(CHART_COLOURS.quiet, 3), encoding: { y, x: x('before'), x2: { field: 'after' } } },
        { mark: hollow, encoding: { y, x: x('before') } },
        { mark: dot(CHART_COLOURS.mark, 60), encoding: { y, x: x('after') } },
      ],
    },
  };
}
