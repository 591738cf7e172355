import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CartSettings, fitCart } from '../../../shared/model/cart/synthesis.ts';
import { seededStreams } from '../../../shared/random/streams.ts';
import { likelihoodOfRelease } from '../../../shared/risk/trees/tree-risk.ts';
import type { Column } from '../../../shared/table/table.ts';
import { categorical, continuous, smallTables, tableOf } from '../../model/cart/cart-tables.ts';

const settings: CartSettings = { synthesized: [0], minimumLeaf: 2, complexity: 0, smoothing: false };
const BANDS = new Map([[0, { lower: [-Infinity, 0, 1, 10], labels: [], points: null }]]);

/** What explains that the first record got a value, where all others have their own. */
function explain(columns: Column[], value: number, minimumLeaf = 2, categories = 2) {
  const [response] = columns;
  const released =
    response!.type === 'categorical' ? categorical(response!.codes.with(0, value)) : continuous(response!.values.with(0, value));
  const release = { table: tableOf(columns, categories), settings: { ...settings, minimumLeaf }, datasets: [[released]], bands: BANDS };
  const found = likelihoodOfRelease(release);
  expect(found.impossible).toEqual([1]);
  return found.explain(0);
}

describe('impossible values of a tree are explained', () => {
  // Either divides three records of the first class from the others; the first record is among the others by the second.
  const predictors = [categorical([0, 0, 0, 1, 1, 1, 1, 1]), categorical([1, 0, 0, 0, 1, 1, 1, 1])];
  const classes = [0, 0, 0, 0, 1, 1, 1, 1];
  const tie = { depth: 0, taken: 1, other: 2, gainsMore: false };

  it('by a division of another variable that gains the same', () => {
    expect(explain([categorical(classes), ...predictors], 1)).toEqual([tie]);
    expect(explain([continuous(classes.map((one) => 10 * one)), ...predictors], 10)).toEqual([tie]);
  });

  it('by another threshold of the same variable', () => {
    const symmetric = categorical([0, 0, 0, 1, 1, 1, 1, 0, 0, 0]);
    expect(explain([symmetric, continuous([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])], 1, 3)).toEqual([{ ...tie, other: 1 }]);
  });

  it('by nothing where no division of the records that gains most gives them', () => {
    expect(explain([categorical([0, 0, 0, 0, 1, 1, 1, 1]), categorical(classes)], 1)).toBeNull();
    // The second would give them, and gains less.
    const lesser = [categorical(classes), predictors[1]!];
    expect(explain([categorical(classes), ...lesser], 1)).toBeNull();
    expect(explain([continuous(classes.map((one) => 10 * one)), ...lesser], 10)).toBeNull();
  });

  it('by a grouping of many categories that gains more than those that are tried', () => {
    const random = seededStreams(3).open('tables');
    const draw = (records: number, below: number) => Array.from({ length: records }, () => random.below(below));
    const found = Array.from({ length: 40 }, () => {
      const table = tableOf([categorical(draw(40, 3)), categorical(draw(40, 12))], 12);
      const release = categorical(draw(40, 3));
      return likelihoodOfRelease({ table, settings: { ...settings, minimumLeaf: 10 }, datasets: [[release]] }).explain(0) ?? [];
    }).flat();
    expect(found).toContainEqual({ depth: 0, taken: 1, other: 1, gainsMore: true });
  });

  it.each(['categorical', 'continuous'] as const)('wherever a program takes the last of equal divisions: %s', (type) => {
    fc.assert(
      fc.property(smallTables(type), fc.nat(), (table, seed) => {
        fc.pre(table.records > 1);
        // The other way round: predictors, and the order of their values.
        const backwards = [0, 4, 3, 2, 1].map((v) => table.columns[v]!);
        const turned = backwards.map((one, v) =>
          v > 0 && one.type === 'continuous' ? continuous(one.values.map((value) => -value)) : one,
        );
        const otherTable = { ...table, schema: { variables: [0, 4, 3, 2, 1].map((v) => table.schema.variables[v]!) }, columns: turned };
        const released = fitCart(otherTable, settings).synthesize(seededStreams(seed).open('release'));
        const found = likelihoodOfRelease({ table, settings, datasets: [released], bands: BANDS });
        if (found.impossible[0]! > 0) expect(found.explain(0)?.length).toBeGreaterThan(0);
      }),
    );
  });
});
