import { describe, expect, it } from 'vitest';
import { shareBars } from '../../shared/report/charts/share-bars.ts';
import { rowsOfRecords } from '../../shared/table/counted-rows.ts';
import type { Table } from '../../shared/table/table.ts';
import { compareMarginal } from '../../shared/utility/compare-marginals.ts';
import { tableOf } from './table-of.ts';

const beside = (tables: readonly Table[]) => {
  const [table, ...datasets] = tables.map(rowsOfRecords);
  return compareMarginal({ table: table!, datasets }, 0);
};

const codes = (...all: number[]) => all.map((code) => [code]);

describe('compareMarginal()', () => {
  it('has the shares of each category, with the error between datasets', () => {
    const found = beside([tableOf([2], codes(0, 0, 0, 1)), tableOf([2], codes(0, 0, 1, 1)), tableOf([2], codes(0, 1, 1, 1))]);
    expect(found).toEqual({
      variable: 'V0',
      totalVariation: 0.375,
      categories: [
        { category: 'v0', original: 0.75, synthetic: 0.375, syntheticSe: 0.125 },
        { category: 'v1', original: 0.25, synthetic: 0.625, syntheticSe: 0.125 },
      ],
    });
  });

  it('puts rare categories together, and says that one dataset has no error', () => {
    const rows = codes(...Array.from({ length: 16 }, (_, code) => Array(16 - code).fill(code)).flat());
    const { categories, others, reason } = beside([tableOf([16], rows), tableOf([16], rows)]);
    expect(categories).toHaveLength(12);
    expect(others).toEqual({ categories: 4, original: expect.closeTo(10 / 136), synthetic: expect.closeTo(10 / 136), syntheticSe: null });
    expect(reason).toContain('One dataset');
  });

  it('has round bins of a number, whose ends hold what lies outside', () => {
    const numbers = (of: readonly number[]): Table => ({
      schema: { variables: [{ name: 'INCOME', type: 'continuous' }] },
      records: of.length,
      columns: [{ type: 'continuous', values: Float64Array.from(of) }],
    });
    const even = numbers(Array.from({ length: 1001 }, (_, i) => i));
    const { categories, totalVariation } = beside([even, even, numbers([-5, 5000])]);
    expect(categories.map(({ category }) => category)).toEqual([
      ...['below 100', '100 to below 200', '200 to below 300', '300 to below 400', '400 to below 500', '500 to below 600'],
      ...['600 to below 700', '700 to below 800', '800 to below 900', '900 or more'],
    ]);
    expect(categories.reduce((sum, { original }) => sum + original, 0)).toBeCloseTo(1, 12);
    expect(categories[0]!.synthetic).toBeCloseTo((100 / 1001 + 0.5) / 2, 12);
    expect(totalVariation).toBeGreaterThan(0.3);
    expect(beside([numbers([3, 3]), numbers([3, 4])]).categories.map(({ category }) => category)).toEqual(['below 3', '3 or more']);
  });
});

describe('shareBars()', () => {
  it('draws two bars a category, and lets no label become markup', () => {
    const found = beside([tableOf([2], codes(0, 1)), tableOf([2], codes(0, 0)), tableOf([2], codes(0, 0))]);
    const { svg, table } = shareBars({ ...found, categories: found.categories.map((one) => ({ ...one, category: `<b>${one.category}` })) });
    expect(svg.markup.match(/<path /g)).toHaveLength(4);
    expect(svg.markup).not.toContain('<b>');
    expect(table.rows).toEqual([
      ['<b>v0', '50.0\u00a0%', '100.0\u00a0%'],
      ['<b>v1', '50.0\u00a0%', '0.0\u00a0%'],
    ]);
  });
});
