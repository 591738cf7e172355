import type { AttributeRiskTable } from '../../contracts/results/attribute-risk-table.ts';
import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import { formatCount, formatFigure, formatRank, formatSupported } from '../words/format-number.ts';
import { recordsExpectedAtRanks } from '../words/random-guessing.ts';
import { CHART_COLOURS, type Chart } from './chart.ts';
import { rankTicks } from './rank-intervals.ts';

/** With more ranks than this, a bar holds several. */
const MAX_BARS = 60;

/** A bar of the histogram: the ranks `first` to `last`, and the records there, found and expected by guessing. */
export interface RankBin {
  first: number;
  last: number;
  records: number;
  expected: number;
}

/** The part of a summary that tells of ranks. */
type Ranks = Pick<AttributeRiskSummary, 'rankHistogram' | 'rankHistogramWidth' | 'candidatesPerCombinationMax'>;

/**
 * Bars for the rank of the truth: one for each rank, or equal groups of ranks when there are more than 60.
 * A rank shared by ties falls into the bar of the next whole rank, as in `rankHistogram`.
 */
export function rankBins({ rankHistogram, rankHistogramWidth, candidatesPerCombinationMax }: Ranks, table: AttributeRiskTable): RankBin[] {
  const width = Math.ceil(rankHistogram.length / MAX_BARS);
  const bins: RankBin[] = [];
  for (let start = 0; start < rankHistogram.length; start += width) {
    const elements = rankHistogram.slice(start, start + width);
    const first = start * rankHistogramWidth + 1;
    const last = Math.min((start + elements.length) * rankHistogramWidth, candidatesPerCombinationMax);
    bins.push({
      first,
      last,
      records: elements.reduce((sum, records) => sum + records, 0),
      expected: recordsExpectedAtRanks(table, first, last),
    });
  }
  return bins;
}

/** Histogram of the rank of the truth over records, after Figure 3 of 000, with what guessing would give. */
export function rankHistogramChart(risk: AttributeRiskSummary, table: AttributeRiskTable): Chart {
  const bins = rankBins(risk, table);
  const candidates = risk.candidatesPerCombinationMax;
  const values = bins.map((bin, index) => ({
    from: bin.first - 0.5,
    to: bin.last + 0.5,
    records: bin.records,
    expected: bin.expected,
    first: index === 0,
  }));
  const x = {
    field: 'from',
    type: 'quantitative',
    title: 'Rank of the truth (1 = the first guess)',
    scale: { domainMin: 0.5, domainMax: candidates + 0.5, nice: false },
    axis: { values: rankTicks(candidates) },
  } as const;
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
      `The truth ranks first for ${formatSupported(risk.truthRankedFirst, risk.records * risk.truthRankedFirstShareSe)}; guessing at random would put about ` +
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
