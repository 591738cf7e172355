import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainLogLikelihood, plainPrior } from '../../../bench/kernels/plain-tree-risk.ts';
import { candidateBands } from '../../../shared/contracts/config/bands.ts';
import { ABSENT, LEFT, mirrored } from '../../../shared/model/cart/cut.ts';
import { type CartSettings, fitCart, synthesizeByCart } from '../../../shared/model/cart/synthesis.ts';
import type { CartNode } from '../../../shared/model/cart/tree.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { createTreeRisk, likelihoodOfRelease } from '../../../shared/risk/trees/tree-risk.ts';
import type { TreeRelease } from '../../../shared/risk/trees/tree-variables.ts';
import type { Column, Table } from '../../../shared/table/table.ts';
import { AllDraws } from '../../all-draws.ts';
import { categorical, continuous, tableOf } from '../../model/cart/cart-tables.ts';
import { changedTable } from './plain-banded-risk.ts';

const OPTIONS = { exact: true, priorRecords: 0.5 };

/** All cells of some variables with so many categories each, row-major. */
function allCells(categories: number, variables: number): number[][] {
  if (variables === 0) return [[]];
  const rest = allCells(categories, variables - 1);
  return Array.from({ length: categories }, (_, one) => rest.map((cell) => [one, ...cell])).flat();
}

/** Probability of every dataset that a table can lead to, by its values. */
function allDatasets(table: Table, settings: CartSettings): Map<string, number> {
  const model = fitCart(table, settings);
  const found = new Map<string, number>();
  const draws = new AllDraws();
  do {
    const key = nameOf(model.synthesize(draws));
    found.set(key, (found.get(key) ?? 0) + draws.probability);
  } while (draws.advance());
  return found;
}

function nameOf(dataset: readonly Column[]): string {
  return dataset.map((column) => (column.type === 'categorical' ? column.codes.join() : '')).join(' ');
}

function datasetOf(name: string): Column[] {
  return name.split(' ').map((codes) => categorical(codes.split(',').map(Number)));
}

/** The divisions of a tree, the same ones for mirror images of them: the first category that is there goes to the left. */
function divisionsOf({ split }: CartNode): unknown {
  if (split === null) return null;
  const { cut, left, right } = split;
  const isMirrored = cut.type === 'categories' && cut.sides.find((side) => side !== ABSENT) !== LEFT;
  return [isMirrored ? mirrored(cut) : cut, ...(isMirrored ? [right, left] : [left, right]).map(divisionsOf)];
}

describe('createTreeRisk()', () => {
  // Category 2 of either variable is seen once; equal records tie the divisions by both predictors.
  const rows = [
    [0, 0, 0],
    [0, 0, 0],
    [1, 1, 1],
    [1, 2, 2],
  ];
  it.each([
    ['minimum leaf 1', { minimumLeaf: 1, complexity: 0 }],
    ['pruned', { minimumLeaf: 1, complexity: 0.4 }],
    ['without kept predictors', { minimumLeaf: 1, complexity: 0, predictors: 'none' as const }],
  ])('has the ratios of the probabilities over all donors that can be drawn: %s', (_, growth) => {
    const columns = [0, 1, 2].map((v) => categorical(rows.map((row) => row[v]!)));
    const table = tableOf(columns, 3);
    const settings: CartSettings = { synthesized: [1, 2], smoothing: false, ...growth };
    const released = allDatasets(table, settings);
    expect([...released.values()].reduce((a, b) => a + b, 0)).toBeCloseTo(1, 10);
    const names = [...released.keys()];
    const some = names.filter((_, i) => i % Math.ceil(names.length / 12) === 0);
    const cells = allCells(3, 2);
    for (const record of [0, 3]) {
      const given = cells.map((cell) => {
        const changed = [...columns];
        for (const [place, variable] of settings.synthesized.entries()) {
          const codes = rows.map((row) => row[variable]!);
          codes[record] = cell[place]!;
          changed[variable] = categorical(codes);
        }
        return allDatasets({ ...table, columns: changed }, settings);
      });
      for (const name of some) {
        // Two datasets: of the probabilities of both, which are independent given the table.
        const pair = [name, names[0]!];
        const risk = createTreeRisk({ table, settings, datasets: pair.map(datasetOf) }, OPTIONS);
        const { logRatios } = risk.risksOf(record, cells.flat()).exact!;
        const truth = pair.reduce((product, one) => product * released.get(one)!, 1);
        const expected = given.map((byName) => pair.reduce((product, one) => product * (byName.get(one) ?? 0), 1) / truth);
        expect([...logRatios].map(Math.exp).map((one, x) => one / (expected[x]! || 1))).toEqual(
          expected.map((one) => expect.closeTo(one === 0 ? 0 : 1, 9)),
        );
      }
    }
  });

  it('agrees with the plain program on random tables, by both ways, with its priors', () => {
    const code = fc.integer({ min: 0, max: 2 });
    const value = fc.integer({ min: 0, max: 4 });
    const row = fc.tuple(code, code, code, value, fc.integer({ min: 0, max: 3 })).map(([a, b, c, x, noise]) => {
      // The synthesized variables 1 and 2 depend on the kept ones 0 and 3, and on each other.
      return noise === 0 ? [a, b, c, x] : [a, (a + (x > 2 ? 1 : 0)) % 3, noise === 1 ? c : b, x];
    });
    let [impossible, differing, compared] = [0, 0, 0];
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 6, maxLength: 25 }),
        fc.nat(24),
        fc.constantFrom([1, 2], [2, 1], [2], [1, 2, 0]),
        fc.constantFrom(1, 2, 3),
        fc.constantFrom(0, 0.05, 0.2),
        fc.constantFrom('kept' as const, 'none' as const),
        (drawn, at, synthesized, minimumLeaf, complexity, predictors) => {
          const record = at % drawn.length;
          const column = (v: number) => drawn.map((one) => one[v]!);
          const table = tableOf([categorical(column(0)), categorical(column(1)), categorical(column(2)), continuous(column(3))], 3);
          const settings = { synthesized, minimumLeaf, complexity, predictors, smoothing: false };
          const datasets = [1, 2].map((d) => synthesizeByCart(table, settings, new RandomStream(d, 'tree-risk')));
          const release: TreeRelease = { table, settings, datasets };
          const cells = allCells(3, synthesized.length).filter((_, c) => c % 3 === at % 3);
          const risk = createTreeRisk(release, OPTIONS);
          const found = risk.risksOf(record, cells.flat());
          for (const exact of [true, false]) {
            const { logRatios, logPriors } = exact ? found.exact! : found.fixed;
            const own = synthesized.map((variable) => drawn[record]![variable]!);
            const truth = plainLogLikelihood(release, record, own, exact);
            for (const [x, cell] of cells.entries()) {
              const expected = plainLogLikelihood(release, record, cell, exact) - truth;
              if (expected === -Infinity) impossible++;
              if (exact && found.fixed.logRatios[x] !== found.exact!.logRatios[x]) differing++;
              compared++;
              expect(logRatios[x]).toBeCloseTo(expected, 9);
              const prior = plainPrior(release, record, cell, { ...OPTIONS, exact });
              expect(Math.exp(logPriors[x]!)).toBeCloseTo(prior, 12);
            }
          }
        },
      ),
      { numRuns: 80, seed: 1 },
    );
    expect(impossible).toBeGreaterThan(compared / 20);
    expect(differing).toBeGreaterThan(compared / 20);
  });

  it('says whether any tree divides records otherwise once it is grown again', () => {
    const rows = Array.from({ length: 18 }, (_, i) => [i % 3, (i + (i % 5 === 0 ? 1 : 0)) % 3, (i >> 1) % 3]);
    const column = (v: number) => rows.map((row) => row[v]!);
    const amounts = continuous(rows.map((_, i) => (7 * i) % 5));
    const table = tableOf([categorical(column(0)), categorical(column(1)), categorical(column(2)), amounts], 3);
    for (const complexity of [0, 0.08]) {
      const settings: CartSettings = { synthesized: [1, 2], minimumLeaf: 1, complexity, smoothing: false };
      const datasets = [synthesizeByCart(table, settings, new RandomStream(1, 'regrown'))];
      const release: TreeRelease = { table, settings, datasets };
      const risk = createTreeRisk(release, OPTIONS);
      const divisions = (one: Table) => fitCart(one, settings).trees.map(({ root }) => divisionsOf(root));
      const cells = allCells(3, 2);
      const counts = [0, 0];
      for (let record = 0; record < table.records; record++) {
        const { regrown } = risk.risksOf(record, cells.flat()).exact!;
        for (const [x, cell] of cells.entries()) {
          const same = isDeepStrictEqual(divisions(changedTable(release, record, cell)), divisions(table));
          expect(regrown[x]).toBe(same ? 0 : 1);
          counts[regrown[x]!]!++;
        }
      }
      expect(Math.min(...counts)).toBeGreaterThan(10);
    }
  });

  it('tells nothing of a record where nothing is released', () => {
    const table = tableOf([categorical([0, 0, 1, 1]), categorical([0, 1, 1, 2]), continuous([1, 5, 5, 9])], 3);
    const bands = new Map([[2, candidateBands({ bands: [0, 3, 6] })]]);
    for (const smoothing of [false, true]) {
      const settings: CartSettings = { synthesized: [1, 2], minimumLeaf: 1, complexity: 0, smoothing };
      const risk = createTreeRisk({ table, settings, datasets: [], bands }, OPTIONS);
      const { exact, fixed } = risk.risksOf(3, allCells(3, 2).flat());
      expect([...exact!.logRatios, ...fixed.logRatios].every((ratio) => ratio === 0)).toBe(true);
    }
  });

  it('refuses trees of bootstrap samples', () => {
    const table = tableOf([categorical([0, 1]), categorical([0, 1])], 2);
    const settings = { synthesized: [1], minimumLeaf: 1, complexity: 0, smoothing: false, proper: true };
    const refusal = expect.objectContaining({ name: 'UnsupportedOptionError', code: 'proper-trees' });
    expect(() => createTreeRisk({ table, settings, datasets: [] }, OPTIONS)).toThrow(refusal);
  });

  describe('of a table that an intruder knows all but one record of', () => {
    const table = tableOf([categorical([0, 0, 1, 1, 1]), categorical([0, 0, 1, 1, 2])], 3);
    const settings: CartSettings = { synthesized: [1], minimumLeaf: 1, complexity: 0, smoothing: false };

    it('proves a value that no other record has', () => {
      // With kept value 0 both records have 0; 2 was released where the others have 1, 1 and the unknown value.
      const datasets = [[categorical([0, 0, 1, 2, 1])]];
      const risk = createTreeRisk({ table, settings, datasets }, OPTIONS);
      const { exact, fixed } = risk.risksOf(4, risk.valuesAt(4, 0));
      expect([...exact!.logRatios]).toEqual([-Infinity, -Infinity, 0]);
      expect([...fixed.logRatios]).toEqual([-Infinity, -Infinity, 0]);
      // The donors are 1 and 1 without the record, and half a record's worth of three categories.
      expect([...exact!.logPriors].map(Math.exp)).toEqual([1 / 6, 2 + 1 / 6, 1 / 6].map((share) => expect.closeTo(share / 2.5, 12)));
      expect([...exact!.regrown]).toEqual([0, 0, 0]);
    });

    it('tells by counts of donors how likely each value is', () => {
      const datasets = [[categorical([0, 0, 1, 1, 1])], [categorical([0, 0, 1, 1, 1])]];
      const risk = createTreeRisk({ table, settings, datasets }, OPTIONS);
      const { exact } = risk.risksOf(4, risk.valuesAt(4, 0));
      // Six ones from two of three donors, or from all of them; 0 would be one of three as 2 is.
      expect([...exact!.logRatios]).toEqual([expect.closeTo(0, 12), expect.closeTo(6 * Math.log(3 / 2), 12), 0]);
    });

    it('answers the same whatever it was asked before', () => {
      const release = { table, settings, datasets: [[categorical([0, 0, 1, 2, 1])]] };
      const risk = createTreeRisk(release, OPTIONS);
      for (const record of [0, 4, 2, 0, 3]) {
        const alone = createTreeRisk(release, OPTIONS);
        expect(risk.risksOf(record, [0, 1, 2])).toEqual(alone.risksOf(record, [0, 1, 2]));
      }
    });

    it('answers the quick way alone if it is asked to', () => {
      const datasets = [[categorical([0, 0, 1, 2, 1])]];
      const quick = createTreeRisk({ table, settings, datasets }, { ...OPTIONS, exact: false });
      const both = createTreeRisk({ table, settings, datasets }, OPTIONS);
      expect(quick.risksOf(2, [0, 1, 2])).toEqual({ exact: null, fixed: both.risksOf(2, [0, 1, 2]).fixed });
    });

    it('refuses what the trees of the table cannot have led to', () => {
      const datasets = [[categorical([0, 1, 1, 2, 2])]];
      expect(() => createTreeRisk({ table, settings, datasets }, OPTIONS)).toThrow(
        expect.objectContaining({
          name: 'InvalidTableError',
          code: 'other-trees',
          message: expect.stringMatching(/released values of V2 .* other settings/),
        }),
      );
    });

    it('counts what the trees of the table cannot have led to', () => {
      // The first two rows rest with donors 0 and 0, the others with 1, 2 and 1.
      const datasets = [[categorical([0, 1, 1, 2, 2])], [categorical([2, 1, 0, 1, 1])]];
      expect(likelihoodOfRelease({ table, settings, datasets }, true).impossible).toEqual([4]);
      expect(likelihoodOfRelease({ table, settings, datasets: [[categorical([0, 0, 1, 2, 2])]] }, true).impossible).toEqual([0]);
    });

    it.each([
      ['a dataset of other records', { datasets: [[categorical([0])]] }],
      ['a dataset of other variables', { datasets: [[]] }],
      ['a column of another type', { datasets: [[continuous([0, 0, 1, 1, 1])]] }],
      ['no variable', { settings: { ...settings, synthesized: [] } }],
      ['one record', { table: tableOf([categorical([0]), categorical([0])], 3), datasets: [] }],
    ])('refuses %s', (_, wrong) => {
      const release = { table, settings, datasets: [[categorical([0, 0, 1, 1, 1])]], ...wrong };
      expect(() => createTreeRisk(release, OPTIONS)).toThrow(RangeError);
    });

    it.each([0, -1, NaN, Infinity])('refuses a prior of %d records', (priorRecords) => {
      const datasets = [[categorical([0, 0, 1, 1, 1])]];
      expect(() => createTreeRisk({ table, settings, datasets }, { exact: true, priorRecords })).toThrow(RangeError);
    });
  });
});
