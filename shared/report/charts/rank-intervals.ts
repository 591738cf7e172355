import type { AttributeRiskTable } from '../../contracts/results/attribute-risk-table.ts';
import { formatCount, formatRank } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart } from './chart.ts';

/** Height in pixels of a chart of so many combinations. */
export function rankIntervalsHeight(combinations: number): number {
  return combinations * 17 + 60;
}

/** The rank of the truth with its 90 % interval, a line for each of some rows, in the order given. */
export function rankIntervalsChart({ columns }: AttributeRiskTable, rows: readonly number[]): Chart {
  const candidates = rows.reduce((maximum, row) => Math.max(maximum, columns.candidates[row]!), 1);
  const values = rows.map((row) => ({
    combination: formatCount(columns.combination[row]!),
    rank: columns.rank[row]!,
    low: columns.rank_low[row]!,
    high: columns.rank_high[row]!,
    distinguishable: columns.distinguishable(row),
  }));
  const y = { field: 'combination', type: 'ordinal', sort: null, title: 'Combination', axis: { grid: true, labelFontSize: 11 } } as const;
  const x = (field: string) =>
    ({
      field,
      type: 'quantitative',
      title: `Rank of the truth among up to ${formatCount(candidates)} candidates`,
      scale: { domainMin: 0.5, domainMax: candidates + 0.5, nice: false },
      axis: { values: rankTicks(candidates) },
    }) as const;
  const tone = { condition: { test: 'datum.distinguishable', value: CHART_COLOURS.mark }, value: CHART_COLOURS.quiet } as const;
  return {
    table: {
      heads: ['Combination', 'Rank of the truth', 'From', 'To'],
      rows: values.map(({ combination, rank, low, high, distinguishable }) => [
        combination,
        distinguishable ? formatRank(rank) : 'not distinguishable',
        formatRank(low),
        formatRank(high),
      ]),
    },
    label:
      'Rank of the truth with its 90 % interval for the combinations most at risk. ' +
      values
        .map(
          ({ combination, rank, low, high, distinguishable }) =>
            `Combination ${combination}: ${distinguishable ? `rank ${formatRank(rank)}, ` : 'not distinguishable, '}` +
            `interval ${formatRank(low)} to ${formatRank(high)}`,
        )
        .join('; ') +
      '.',
    spec: {
      data: { values },
      layer: [
        { mark: { type: 'rule', strokeWidth: 3, strokeCap: 'round' }, encoding: { y, x: x('low'), x2: { field: 'high' }, stroke: tone } },
        {
          mark: { type: 'point', size: 52, strokeWidth: 2, opacity: 1 },
          encoding: {
            y,
            x: x('rank'),
            stroke: tone,
            fill: { condition: { test: 'datum.distinguishable', value: CHART_COLOURS.mark }, value: 'var(--surface)' },
          },
        },
      ],
    },
  };
}

/** Ranks to label on an axis: 1, the first guess, and about eight round ones up to the last. */
export function rankTicks(ranks: number): number[] {
  let step = 1;
  // 1, 2, 5, 10, 20, 50, ...
  for (let next = 0; ranks / step > 8; next++) step *= next % 3 === 1 ? 2.5 : 2;
  const ticks = [1];
  for (let rank = step; rank <= ranks; rank += step) if (rank > 1) ticks.push(rank);
  return ticks;
}
