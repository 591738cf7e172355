import { describe, expect, it } from 'vitest';
import { attributeDisclosures, summarizeAttributeDisclosures } from '../../../shared/risk/identification/attribute-disclosures.ts';
import type { Table } from '../../../shared/table/table.ts';

function tableOf(county: number[], income: number[]): Table {
  return {
    records: county.length,
    schema: {
      variables: [
        { name: 'COUNTY', type: 'categorical', categories: ['a', 'b', 'c', ''], missingCode: 3 },
        { name: 'INCOME', type: 'continuous' },
      ],
    },
    columns: [
      { type: 'categorical', codes: Uint8Array.from(county) },
      { type: 'continuous', values: Float64Array.from(income) },
    ],
  };
}

const table = tableOf([0, 1, 2, 3, 3], [100, 1.1, 0, -20, 7]);
const both = [0, 1];

describe('attributeDisclosures()', () => {
  it('finds every record of a copy', () => {
    const found = attributeDisclosures(table, table, both, [undefined, { relative: 0 }]);
    expect(found).toEqual({ count: 5, countByVariable: [5, 5], disclosed: Uint8Array.of(1, 1, 1, 1, 1) });
  });

  it('asks for all synthesized values together, and counts each variable by itself', () => {
    const synthetic = tableOf([0, 0, 2, 3, 2], [100, 1.1, 5, -20, 7]);
    const found = attributeDisclosures(table, synthetic, both, []);
    expect(found.countByVariable).toEqual([3, 4]);
    expect([...found.disclosed]).toEqual([1, 0, 0, 1, 0]);
    expect(found.count).toBe(2);
  });

  it('counts variables that are not synthesized for nothing', () => {
    const synthetic = tableOf([1, 1, 1, 1, 1], [100, 1.1, 0, -20, 7]);
    expect(attributeDisclosures(table, synthetic, [1], []).count).toBe(5);
    expect(attributeDisclosures(table, synthetic, [0], []).count).toBe(1);
  });

  it.each([
    // 1.21 is within 10 % of 1.1, ends included; around 0 nothing but 0 is; -22 is within 10 % of -20.
    [{ relative: 0.1 }, [110, 1.21, 0, -22, 6], [1, 1, 1, 1, 0]],
    [{ relative: 0.1 }, [111, 1.3, 1e-300, -22.1, 7.7], [0, 0, 0, 0, 1]],
    [{ absolute: 0.2 }, [100.2, 1.3, -0.2, -20.3, 7], [1, 1, 1, 0, 1]],
    [{ absolute: 0 }, [100, 1.1, -0, -20, 7.5], [1, 1, 1, 1, 0]],
  ])('takes a number within radius %j for disclosed', (radius, income, expected) => {
    const found = attributeDisclosures(table, tableOf([0, 0, 0, 0, 0], income), [1], [undefined, radius]);
    expect([...found.disclosed]).toEqual(expected);
  });

  it('refuses datasets that do not fit', () => {
    expect(() => attributeDisclosures(table, tableOf([0], [1]), both, [])).toThrow(RangeError);
    const turned = { ...table, columns: [...table.columns].reverse() };
    expect(() => attributeDisclosures(table, turned, both, [])).toThrow(RangeError);
  });
});

describe('summarizeAttributeDisclosures()', () => {
  it('gives mean and spread over the datasets', () => {
    const datasets = [table, tableOf([0, 0, 0, 0, 0], [100, 1.1, 0, -20, 8])];
    const summary = summarizeAttributeDisclosures(table, datasets, both, []);
    expect(summary.all).toEqual({ byDataset: [5, 1], mean: 3, meanShare: 0.6, standardDeviation: Math.sqrt(8), smallest: 1, largest: 5 });
    expect(summary.byVariable.map(({ variable, byDataset }) => [variable, byDataset])).toEqual([
      ['COUNTY', [5, 1]],
      ['INCOME', [5, 4]],
    ]);
  });

  it('has no spread over one dataset', () => {
    expect(summarizeAttributeDisclosures(table, [table], [0], []).all).toMatchObject({
      standardDeviation: null,
      standardDeviationReason: 'there is one dataset',
    });
  });
});
