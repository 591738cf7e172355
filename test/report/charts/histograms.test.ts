import { describe, expect, it } from 'vitest';
import type { RankedRisk } from '../../../shared/contracts/results/ranked-figures.ts';
import { informationGroups } from '../../../shared/report/charts/information-by-count.ts';
import { rankBins, rankTicks, recordsExpectedAtRanks } from '../../../shared/report/charts/rank-charts.ts';
import { ratioBins, recordsAtRatio } from '../../../shared/report/charts/ratio-histogram.ts';
import { reportInput, riskTable } from '../fixture.ts';

const { summary } = reportInput();
const table = riskTable();
const { records } = summary.table;
const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

describe('random guessing', () => {
  const mixed = riskTable(2, { count: Int32Array.of(3, 1), candidates: Float64Array.of(2, 4) });

  it('puts no record at a rank beyond its candidates', () => {
    expect(recordsExpectedAtRanks(mixed, 1, 1)).toBe(1.75);
    expect(recordsExpectedAtRanks(mixed, 3, 4)).toBe(0.5);
  });
});

describe('rankBins', () => {
  it('has a bar for each rank when they are few', () => {
    const bins = rankBins(summary.attributeRisk[0] as RankedRisk, table);
    expect(bins).toHaveLength(26);
    expect(bins[0]!.records).toBe(summary.attributeRisk[0]!.truthRankedFirst);
  });

  it('groups many ranks and loses no record', () => {
    const many = riskTable(table.rows, { candidates: new Float64Array(table.rows).fill(1001) });
    for (const rankHistogramWidth of [1, 3]) {
      const length = Math.ceil(1001 / rankHistogramWidth);
      const rankHistogram = Array.from({ length }, (_, index) => (index % 7 === 0 ? 2 : 0));
      const ranks = { rankHistogram, rankHistogramWidth, candidatesPerCombinationMax: 1001 };
      const bins = rankBins(ranks, many);
      expect(bins.length).toBeLessThanOrEqual(60);
      expect(bins[bins.length - 1]!.last).toBe(1001);
      expect(total(bins.map((bin) => bin.records))).toBe(2 * Math.ceil(length / 7));
      expect(total(bins.map((bin) => bin.expected))).toBeCloseTo(records, 6);
    }
  });

  it('begins each bar where the one before it ends', () => {
    const ranks = { rankHistogram: [1, 0, 2], rankHistogramWidth: 400, candidatesPerCombinationMax: 1001 };
    const bins = rankBins(ranks, table);
    expect(bins.map(({ first, last, records: found }) => [first, last, found])).toEqual([
      [1, 400, 1],
      [401, 800, 0],
      [801, 1001, 2],
    ]);
  });
});

describe('rankTicks', () => {
  it.each([
    [5, [1, 2, 3, 4, 5]],
    [30, [1, 5, 10, 15, 20, 25, 30]],
    [3_000_000, [1, 500_000, 1_000_000, 1_500_000, 2_000_000, 2_500_000, 3_000_000]],
  ])('labels about eight round ranks of %i', (ranks, ticks) => expect(rankTicks(ranks)).toEqual(ticks));
});

describe('ratioBins', () => {
  it('holds every record once', () => {
    expect(total(ratioBins(table).map((bin) => bin.records))).toBe(records);
  });

  it('puts a ratio on an edge into the bar above it, and the tiniest into the lowest', () => {
    const edges = riskTable(5, { count: new Int32Array(5).fill(1), ratio_to_uniform: Float64Array.of(0, 1e-9, 1, 2, 64) });
    const bins = ratioBins(edges);
    expect(bins[0]!.records).toBe(2);
    expect(bins.filter((bin) => bin.records > 0).map((bin) => bin.from)).toEqual([-6.5, 0, 1, 6]);
    expect(recordsAtRatio(edges, 2)).toBe(2);
  });
});

describe('informationGroups', () => {
  it('holds every combination once, the rarest first', () => {
    const groups = informationGroups(table);
    expect(total(groups.map((group) => group.rows))).toBe(table.rows);
    expect(groups[0]).toMatchObject({ counts: '1', rows: summary.table.sampleUniques });
  });

  it('gives the quantiles of a known group', () => {
    const bits = riskTable(5, { count: new Int32Array(5).fill(2), information_bits: Float64Array.of(4, 0, 1, 3, 2) });
    expect(informationGroups(bits)).toEqual([
      { counts: '2', rows: 5, lower: 0.2, quarter: 1, median: 2, threeQuarters: 3, upper: 3.8, largest: 4 },
    ]);
  });

  it('groups records by how many share their combination, where every record has a row', () => {
    const columns = { combination: Int32Array.of(7, 8, 8), count: new Int32Array(3).fill(1) };
    const ofRecords = { ...riskTable(3, columns), ofRecords: true };
    expect(informationGroups(ofRecords)).toMatchObject([
      { counts: '1', rows: 1 },
      { counts: '2', rows: 2 },
    ]);
  });
});
