import type { RankedRisk } from '../../contracts/results/ranked-figures.ts';
import type { AttributeRiskTable } from '../../contracts/results/tables/attribute-risk-table.ts';
import { shownError } from '../words/errors-in-words.ts';
import { formatCount, formatFigure, formatRank, formatSupported } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart, listed, numbers } from './chart.ts';

/** With more ranks than this, a bar holds several. */
const MAX_BARS = 60;

/** A bar of the histogram: the ranks `first` to `last`, and the records there, found and expected by guessing. */
export interface RankBin {
  readonly first: number;
  readonly last: number;
  readonly records: number;
  readonly expected: number;
}

/**
 * Records expected to have a rank of the truth from `first` to `last` (both included) if the candidates were
 * put in a random order: every rank up to a record's number of candidates is equally likely.
 */
export function recordsExpectedAtRanks({ columns }: AttributeRiskTable, first: number, last: number): number {
  const byCandidates = new Map<number, number>();
  columns.candidates.forEach((candidates, row) => {
    byCandidates.set(candidates, (byCandidates.get(candidates) ?? 0) + columns.count[row]!);
  });
  let expected = 0;
  for (const [candidates, records] of byCandidates) {
    expected += (records * Math.max(0, Math.min(last, candidates) - first + 1)) / candidates;
  }
  return expected;
}

/**
 * Bars for the rank of the truth: one for each rank, or equal groups of ranks when there are more than 60.
 * A rank shared by ties falls into the bar of the next whole rank, as in `rankHistogram`.
 */
export function rankBins(
  ranks: Pick<RankedRisk, 'rankHistogram' | 'rankHistogramWidth' | 'candidatesPerCombinationMax'>,
  table: AttributeRiskTable,
): RankBin[] {
  const { rankHistogram, rankHistogramWidth, candidatesPerCombinationMax } = ranks;
  const width = Math.ceil(rankHistogram.length / MAX_BARS);
  return Array.from({ length: Math.ceil(rankHistogram.length / width) }, (_, bar) => {
    const elements = rankHistogram.slice(bar * width, (bar + 1) * width);
    const first = bar * width * rankHistogramWidth + 1;
    const last = Math.min((bar * width + elements.length) * rankHistogramWidth, candidatesPerCombinationMax);
    const records = elements.reduce((sum, one) => sum + one, 0);
    return { first, last, records, expected: recordsExpectedAtRanks(table, first, last) };
  });
}

/** An axis of ranks. */
const ranksAxis = (title: string, candidates: number) =>
  numbers(title, { scale: { domainMin: 0.5, domainMax: candidates + 0.5, nice: false }, axis: { values: rankTicks(candidates) } });

/** Histogram of the rank of the truth over records, after Figure 3 of Hu et al. (2014), with what guessing would give. */
export function rankHistogramChart(risk: RankedRisk, table: AttributeRiskTable): Chart {
  const bins = rankBins(risk, table);
  const values = bins.map(({ first, last, records, expected }, index) => ({
    from: first - 0.5,
    to: last + 0.5,
    records,
    expected,
    first: index === 0,
  }));
  const x = ranksAxis('Rank of the truth (1 = the first guess)', risk.candidatesPerCombinationMax)('from');
  return {
    table: {
      heads: ['Ranks', 'Records', 'By guessing'],
      rows: bins.map(({ first, last, records, expected }) => [
        first === last ? formatCount(first) : `${formatCount(first)} to ${formatCount(last)}`,
        formatCount(records),
        formatFigure(expected),
      ]),
    },
    label:
      `Histogram of the rank of the truth over ${formatCount(risk.records)} records. ` +
      `The truth ranks first for ${formatSupported(risk.truthRankedFirst, risk.records * shownError(risk, 'truthRankedFirstShare')!)}; guessing at random would put about ` +
      `${formatFigure(Math.round(recordsExpectedAtRanks(table, 1, 1)))} first. The median rank is ${formatRank(risk.truthRankMedian)}.`,
    spec: {
      data: { values },
      layer: [
        {
          mark: { type: 'rect', stroke: 'var(--surface)', strokeWidth: 1 },
          encoding: {
            x,
            x2: { field: 'to' },
            y: { field: 'records', type: 'quantitative', title: 'Records' },
            y2: { datum: 0 },
            fill: { condition: { test: 'datum.first', value: CHART_COLOURS.mark }, value: CHART_COLOURS.quiet },
          },
        },
        {
          mark: { type: 'rule', color: CHART_COLOURS.reference, strokeWidth: 2 },
          encoding: { x, x2: { field: 'to' }, y: { field: 'expected', type: 'quantitative' } },
        },
      ],
    },
  };
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
  const x = ranksAxis(`Rank of the truth among up to ${formatCount(candidates)} candidates`, candidates);
  const tone = (otherwise: string) =>
    ({ condition: { test: 'datum.distinguishable', value: CHART_COLOURS.mark }, value: otherwise }) as const;
  const stroke = tone(CHART_COLOURS.quiet);
  return {
    height: rows.length * 17 + 60,
    table: {
      heads: ['Combination', 'Rank of the truth', 'From', 'To'],
      rows: values.map(({ combination, rank, low, high, distinguishable }) => [
        combination,
        distinguishable ? formatRank(rank) : 'not distinguishable',
        formatRank(low),
        formatRank(high),
      ]),
    },
    label: listed(
      'Rank of the truth with its 90 % interval for the combinations most at risk.',
      values.map(
        ({ combination, rank, low, high, distinguishable }) =>
          `Combination ${combination}: ${distinguishable ? `rank ${formatRank(rank)}, ` : 'not distinguishable, '}` +
          `interval ${formatRank(low)} to ${formatRank(high)}`,
      ),
    ),
    spec: {
      data: { values },
      layer: [
        { mark: { type: 'rule', strokeWidth: 3, strokeCap: 'round' }, encoding: { y, x: x('low'), x2: { field: 'high' }, stroke } },
        {
          mark: { type: 'point', size: 52, strokeWidth: 2, opacity: 1 },
          encoding: { y, x: x('rank'), stroke, fill: tone('var(--surface)') },
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
