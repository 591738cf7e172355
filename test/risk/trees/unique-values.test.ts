import { describe, expect, it } from 'vitest';
import { type CartSettings, fitCart } from '../../../shared/model/cart/synthesis.ts';
import { uniqueValues } from '../../../shared/risk/trees/unique-values.ts';
import type { Column } from '../../../shared/table/table.ts';
import { AllDraws } from '../../all-draws.ts';
import { categorical, continuous, tableOf } from '../../model/cart/cart-tables.ts';

const SETTINGS = { minimumLeaf: 1, complexity: 0, smoothing: false };

function valuesOf(column: Column): number[] {
  return [...(column.type === 'categorical' ? column.codes : column.values)];
}

describe('uniqueValues()', () => {
  const table = tableOf([categorical([0, 0, 1, 1]), categorical([0, 1, 1, 2]), continuous([1.5, 4, 2, 2])], 3);

  it('counts values that one record alone has, and the rows that were given them', () => {
    const settings: CartSettings = { ...SETTINGS, synthesized: [2] };
    const datasets = [[continuous([1.5, 4, 2, 2])], [continuous([1.5, 1.5, 2, 2])]];
    const found = uniqueValues({ table, settings: { ...settings, minimumLeaf: 2 }, datasets }, 0);
    expect([...found.unique]).toEqual([1, 1, 0, 0]);
    expect([...found.released]).toEqual([3, 1, 0, 0]);
  });

  it('has the probability of all donors that can be drawn, variables visited before being as released', () => {
    const settings: CartSettings = { ...SETTINGS, synthesized: [1, 2], minimumLeaf: 2, complexity: 0 };
    const model = fitCart(table, settings);
    const draws = new AllDraws();
    const byFirst = new Map<string, { dataset: Column[]; all: number; withValue: number[] }>();
    do {
      const dataset = model.synthesize(draws);
      const key = valuesOf(dataset[0]!).join();
      const one = byFirst.get(key) ?? { dataset, all: 0, withValue: [0, 0, 0, 0] };
      one.all += draws.probability;
      for (const [record, value] of valuesOf(table.columns[2]!).entries()) {
        if (valuesOf(dataset[1]!).includes(value)) one.withValue[record]! += draws.probability;
      }
      byFirst.set(key, one);
    } while (draws.advance());
    expect(byFirst.size).toBeGreaterThan(3);
    for (const { dataset, all, withValue } of byFirst.values()) {
      const { probability } = uniqueValues({ table, settings, datasets: [dataset] }, 1);
      expect([...probability]).toEqual([expect.closeTo(withValue[0]! / all, 10), expect.closeTo(withValue[1]! / all, 10), 0, 0]);
    }
  });

  it('has a probability that a value is released by any of the datasets', () => {
    const settings: CartSettings = { ...SETTINGS, synthesized: [2], predictors: 'none' };
    const datasets = [1, 2, 3].map(() => [continuous([2, 2, 2, 2])]);
    const { probability } = uniqueValues({ table, settings, datasets }, 0);
    expect(probability[0]).toBeCloseTo(1 - (3 / 4) ** 12, 12);
  });

  it('is sure of the only donor of a leaf', () => {
    const lone = tableOf([categorical([0, 1, 1, 1]), continuous([9, 2, 2, 3])], 2);
    const datasets = [[continuous([9, 2, 2, 2])]];
    const settings: CartSettings = { ...SETTINGS, synthesized: [1] };
    const { probability } = uniqueValues({ table: lone, settings, datasets }, 0);
    expect([...probability]).toEqual([1, 0, 0, expect.closeTo(1 - (2 / 3) ** 3, 12)]);
  });

  it('refuses smoothed values, and trees of bootstrap samples', () => {
    const found = (change: Partial<CartSettings>) => () =>
      uniqueValues({ table, settings: { ...SETTINGS, synthesized: [2], ...change }, datasets: [] }, 0);
    expect(found({ smoothing: true })).toThrow(RangeError);
    expect(found({ proper: true })).toThrow(RangeError);
    // Codes are given as they are.
    expect(found({ smoothing: true, synthesized: [1] })).not.toThrow();
  });
});
