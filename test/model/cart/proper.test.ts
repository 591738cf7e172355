import { describe, expect, it } from 'vitest';
import { type CartSettings, fitCart, synthesizeByCart } from '../../../shared/model/cart/synthesis.ts';
import type { Column, Table } from '../../../shared/table/table.ts';
import { AllDraws } from '../../all-draws.ts';
import { categorical, continuous, tableOf } from './cart-tables.ts';

const valuesOf = (column: Column) => Array.from(column.type === 'continuous' ? column.values : column.codes);

/** Probability of every dataset, over all numbers that can be drawn. */
function allDatasets(synthesize: (draws: AllDraws) => Column[]): Map<string, number> {
  const found = new Map<string, number>();
  const draws = new AllDraws();
  do {
    const key = synthesize(draws)
      .map((column) => valuesOf(column).join())
      .join(' ');
    found.set(key, (found.get(key) ?? 0) + draws.probability);
  } while (draws.advance());
  return found;
}

/** Rows of a table, some of them more than once. */
function rowsOf({ schema, columns }: Table, rows: readonly number[]): Table {
  const taken = columns.map((column) =>
    column.type === 'continuous' ? continuous(rows.map((row) => column.values[row]!)) : categorical(rows.map((row) => column.codes[row]!)),
  );
  return { schema, records: rows.length, columns: taken };
}

/** All samples of three records with replacement. */
const SAMPLES = [0, 1, 2].flatMap((a) => [0, 1, 2].flatMap((b) => [0, 1, 2].map((c) => [a, b, c])));

describe('synthesizeByCart() where the synthesis is proper', () => {
  const table = tableOf([continuous([1, 2, 3]), categorical([0, 1, 1]), continuous([5, 6, 8])], 2);

  it.each([
    ['a categorical variable', 1],
    ['a continuous one', 2],
  ])('is the mean over all bootstrap samples of what their trees release: %s', (_, variable) => {
    const settings: CartSettings = { synthesized: [variable], minimumLeaf: 1, complexity: 0, smoothing: false };
    const found = allDatasets((draws) => synthesizeByCart(table, { ...settings, proper: true }, draws));
    const expected = new Map<string, number>();
    for (const sample of SAMPLES) {
      const [tree] = fitCart(rowsOf(table, sample), settings).trees;
      // Rows of the table, not of the sample, go down the tree of the sample.
      const donors = [0, 1, 2].map((row) => {
        let node = tree!.root;
        while (node.split !== null) {
          const { cut, left, right } = node.split;
          const value = valuesOf(table.columns[cut.variable]!)[row]!;
          if (cut.type === 'categories' && cut.sides[value]! > 1) break;
          const isLeft = cut.type === 'threshold' ? value < cut.threshold : cut.sides[value] === 0;
          node = isLeft ? left : right;
        }
        return valuesOf(tree!.donors).slice(node.from, node.to);
      });
      for (const a of donors[0]!) {
        for (const b of donors[1]!) {
          for (const c of donors[2]!) {
            const key = [a, b, c].join();
            const share = 1 / SAMPLES.length / donors.reduce((product, { length }) => product * length, 1);
            expected.set(key, (expected.get(key) ?? 0) + share);
          }
        }
      }
    }
    expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
    for (const [key, probability] of expected) expect(found.get(key)).toBeCloseTo(probability, 12);
  });

  it('draws a sample of its own for each variable', () => {
    const settings: CartSettings = { ...{ synthesized: [1, 2], minimumLeaf: 3, complexity: 0, smoothing: false }, proper: true };
    // Trees of one leaf: the numbers drawn are three of a sample, three of donors, and again.
    const numbers = [1, 1, 1, 0, 1, 2, 0, 0, 2, 2, 0, 2];
    let next = 0;
    const random = { below: () => numbers[next++]! } as unknown as AllDraws;
    const dataset = synthesizeByCart(table, settings, random);
    expect(dataset.map(valuesOf)).toEqual([
      [1, 1, 1],
      [8, 5, 8],
    ]);
    expect(next).toBe(numbers.length);
  });
});
