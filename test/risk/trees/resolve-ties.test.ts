import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CartSettings, fitCart } from '../../../shared/model/cart/synthesis.ts';
import { seededStreams } from '../../../shared/random/streams.ts';
import { createTreeRisk, likelihoodOfRelease } from '../../../shared/risk/trees/tree-risk.ts';
import type { Column } from '../../../shared/table/table.ts';
import { categorical, continuous, smallTables, tableOf } from '../../model/cart/cart-tables.ts';

const settings: CartSettings = { synthesized: [0], minimumLeaf: 2, complexity: 0, smoothing: false };
const BANDS = new Map([[0, { lower: [-Infinity, 0, 1, 10], labels: [], points: null }]]);

/** Where the first record was given a value, and all others their own. */
function releaseOf(columns: Column[], value: number, minimumLeaf = 2) {
  const [response] = columns;
  const released =
    response!.type === 'categorical' ? categorical(response!.codes.with(0, value)) : continuous(response!.values.with(0, value));
  return { table: tableOf(columns, 2), settings: { ...settings, minimumLeaf }, datasets: [[released]], bands: BANDS };
}

/** Impossible values by the first of equal divisions, and by any. */
function impossible(columns: Column[], value: number, minimumLeaf = 2) {
  const release = releaseOf(columns, value, minimumLeaf);
  return [false, true].map((resolveTies) => likelihoodOfRelease(release, resolveTies).impossible[0]);
}

describe('ties of a tree are resolved so that released values are possible', () => {
  // Either divides three records of the first class from the others; the first record is among the others by the second.
  const predictors = [categorical([0, 0, 0, 1, 1, 1, 1, 1]), categorical([1, 0, 0, 0, 1, 1, 1, 1])];
  const classes = [0, 0, 0, 0, 1, 1, 1, 1];
  const numbers = continuous(classes.map((one) => 10 * one));

  it('by a division of another variable that gains the same', () => {
    expect(impossible([categorical(classes), ...predictors], 1)).toEqual([1, 0]);
    expect(impossible([numbers, ...predictors], 10)).toEqual([1, 0]);
  });

  it('by another threshold of the same variable', () => {
    const symmetric = categorical([0, 0, 0, 1, 1, 1, 1, 0, 0, 0]);
    expect(impossible([symmetric, continuous([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])], 1, 3)).toEqual([1, 0]);
  });

  it('by divisions that are not worth their leaves, so that nothing is divided', () => {
    // Of the root the first and the third gain the same, and below the third the first and the second, by which both rare values
    // stay with others.
    const binary = [
      [1, 1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0],
      [1, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0],
      [0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1],
    ].map(categorical);
    expect(impossible([categorical([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]), ...binary], 1, 1)).toEqual([1, 0]);
  });

  it('by none where no division of the records that gains most gives them', () => {
    expect(impossible([categorical([0, 0, 0, 0, 1, 1, 1, 1]), categorical(classes)], 1)).toEqual([1, 1]);
    // The second would give them, and gains less.
    const lesser = [categorical(classes), predictors[1]!];
    expect(impossible([categorical(classes), ...lesser], 1)).toEqual([1, 1]);
    expect(impossible([numbers, ...lesser], 10)).toEqual([1, 1]);
  });

  it('and the risk is that of a program that takes the other division', () => {
    for (const [response, value] of [[categorical(classes), 1] as const, [numbers, 10] as const]) {
      const risks = [predictors, predictors.toReversed()].map((columns) => {
        const risk = createTreeRisk(releaseOf([response, ...columns], value), { exact: true, priorRecords: 1 });
        return classes.map((_, record) => risk.risksOf(record, risk.valuesAt(record, 0)));
      });
      expect(risks[0]).toEqual(risks[1]);
    }
  });

  it('by a grouping of many categories that gains more than those that are tried', () => {
    const random = seededStreams(3).open('tables');
    const draw = (records: number, below: number) => Array.from({ length: records }, () => random.below(below));
    const found = Array.from({ length: 40 }, () => {
      const table = tableOf([categorical(draw(40, 3)), categorical(draw(40, 12))], 12);
      const release = categorical(draw(40, 3));
      const released = { table, settings: { ...settings, minimumLeaf: 10 }, datasets: [[release]] };
      return [false, true].map((resolveTies) => likelihoodOfRelease(released, resolveTies).impossible[0]! > 0);
    });
    expect(found).toContainEqual([true, false]);
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
        expect(likelihoodOfRelease({ table, settings, datasets: [released], bands: BANDS }, true).impossible).toEqual([0]);
      }),
    );
  });
});
