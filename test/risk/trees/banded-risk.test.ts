import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bandOf, type CandidateBands, candidateBands } from '../../../shared/contracts/config/bands.ts';
import { type CartSettings, fitCart, synthesizeByCart } from '../../../shared/model/cart/synthesis.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { createTreeRisk, likelihoodOfRelease } from '../../../shared/risk/trees/tree-risk.ts';
import type { TreeRelease } from '../../../shared/risk/trees/tree-variables.ts';
import { bandValues } from '../../../shared/table/guessed-columns.ts';
import type { Column, Table } from '../../../shared/table/table.ts';
import { AllDraws } from '../../all-draws.ts';
import { categorical, continuous, tableOf } from '../../model/cart/cart-tables.ts';
import { changedTable, pathOf, plainBandedLikelihood } from './plain-banded-risk.ts';

const OPTIONS = { exact: true, priorRecords: 1 };
const valuesOf = (column: Column) => Array.from(column.type === 'continuous' ? column.values : column.codes);

/** Probability of every dataset of one continuous variable that a table can lead to, by its bands. */
function byBands(table: Table, settings: CartSettings, { lower }: CandidateBands): Map<string, number> {
  const model = fitCart(table, settings);
  const found = new Map<string, number>();
  const draws = new AllDraws();
  do {
    const key = valuesOf(model.synthesize(draws)[0]!)
      .map((value) => bandOf(lower, value))
      .join();
    found.set(key, (found.get(key) ?? 0) + draws.probability);
  } while (draws.advance());
  return found;
}

describe('createTreeRisk() with bands', () => {
  it.each([
    ['minimum leaf 1', { minimumLeaf: 1, complexity: 0 }],
    ['minimum leaf 2', { minimumLeaf: 2, complexity: 0 }],
    ['pruned', { minimumLeaf: 1, complexity: 0.2 }],
  ])('has the ratios of the probabilities of banded values over all donors: %s', (_, growth) => {
    const amounts = [1.5, 2.25, 8, 9, 30];
    const table = tableOf([categorical([0, 0, 1, 1, 1]), continuous([1, 2, 2, 1, 3]), continuous(amounts)], 2);
    const settings: CartSettings = { synthesized: [2], smoothing: false, ...growth };
    const bands = candidateBands({ bands: [0, 5, 20] });
    const stands = [1.5, 8, 30];
    const own = byBands(table, settings, bands);
    let impossible = 0;
    for (const seed of [1, 2, 3, 4]) {
      const released = valuesOf(synthesizeByCart(table, settings, new RandomStream(seed, 'all'))[0]!);
      const key = released.map((value) => bandOf(bands.lower, value)).join();
      const release = { table, settings, datasets: [[continuous(released)]], bands: new Map([[2, bands]]) };
      const risk = createTreeRisk(release, OPTIONS);
      for (const record of amounts.keys()) {
        const { exact } = risk.risksOf(record, risk.valuesAt(record, 0));
        const truth = bandOf(bands.lower, amounts[record]!);
        for (const [band, value] of stands.entries()) {
          const changed = changedTable(release, record, [band === truth ? amounts[record]! : value]);
          const expected = (byBands(changed, settings, bands).get(key) ?? 0) / own.get(key)!;
          expect(Math.exp(exact!.logRatios[band]!)).toBeCloseTo(expected, 9);
          if (expected === 0) impossible++;
        }
      }
    }
    expect(impossible).toBeGreaterThan(0);
  });

  const BANDS = candidateBands({ bands: [-100, 1, 10, 20] });
  const GRID = candidateBands({ grid: [-5, 0, 6, 12, 40] });
  it.each([
    ['shares of bands', false],
    ['smoothed values', true],
  ])('agrees with the plain program on random tables in sequence: %s', (_, smoothing) => {
    const code = fc.integer({ min: 0, max: 2 });
    const amount = fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: 4, max: 90 }).map((whole) => whole / 4) },
      { weight: 1, arbitrary: fc.constantFrom(0, -3.5, -8.25) },
    );
    const row = fc.tuple(code, amount, code, amount, fc.boolean()).map(([a, x, b, y, isTied]) => {
      return isTied ? [a, Math.abs(5 * a + x / 4), a, Math.abs(x + 3 * a)] : [a, x, b, y];
    });
    let [impossible, possible, differing] = [0, 0, 0];
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 8, maxLength: 20 }),
        fc.nat(19),
        fc.constantFrom([1, 2], [2, 3], [3], [1, 3]),
        fc.constantFrom(1, 2, 3),
        fc.constantFrom(0, 0.05),
        (drawn, at, synthesized, minimumLeaf, complexity) => {
          const record = at % drawn.length;
          const column = (v: number) => drawn.map((one) => one[v]!);
          const table = tableOf([categorical(column(0)), continuous(column(1)), categorical(column(2)), continuous(column(3))], 3);
          const settings: CartSettings = { synthesized, minimumLeaf, complexity, smoothing };
          const datasets = [1, 2].map((d) => synthesizeByCart(table, settings, new RandomStream(d, 'banded')));
          const bands = new Map([
            [1, BANDS],
            [3, GRID],
          ]);
          const release: TreeRelease = { table, settings, datasets, bands };
          const decimals = (one: Table) =>
            Math.max(
              ...settings.synthesized.flatMap((v) =>
                one.columns[v]!.type === 'continuous'
                  ? valuesOf(one.columns[v]!).map((value) => (String(value).split('.')[1] ?? '').length)
                  : [0],
              ),
            );
          // Decimals are those of each variable: here of one continuous variable at a time.
          if (smoothing && synthesized.filter((v) => v % 2 === 1).length > 1) return;
          const risk = createTreeRisk(release, OPTIONS);
          const own = synthesized.map((v) => valuesOf(table.columns[v]!)[record]!);
          const truth = plainBandedLikelihood(release, table, table, decimals(table));
          for (const [place, v] of synthesized.entries()) {
            const found = risk.risksOf(record, risk.valuesAt(record, place));
            const band = bands.get(v);
            const stands = band && bandValues(band, Float64Array.from(column(v)));
            for (const [x, ratio] of found.exact!.logRatios.entries()) {
              const isOwn = band !== undefined && bandOf(band.lower, own[place]!) === x;
              const value = band === undefined ? x : isOwn ? own[place]! : stands![x]!;
              const changed = changedTable(release, record, own.with(place, value));
              const expected = plainBandedLikelihood(release, changed, changed, decimals(changed)) - truth;
              if (expected < -200) impossible++;
              else possible++;
              if (expected > -200) expect(ratio).toBeCloseTo(expected, 6);
              else expect(ratio).toBeLessThan(-200);
              if (found.fixed.logRatios[x] !== ratio) differing++;
              if (smoothing) continue;
              const held = plainBandedLikelihood(release, changed, table, 0) - truth;
              expect(found.fixed.logRatios[x]).toBeCloseTo(held, 9);
            }
          }
        },
      ),
      { numRuns: smoothing ? 25 : 60, seed: 2 },
    );
    expect(Math.min(impossible, possible, differing)).toBeGreaterThan(30);
  });

  it('has the shares of bands among the other records as its prior', () => {
    const amounts = [1, 2, 7, 8, 30];
    const table = tableOf([categorical([0, 0, 1, 1, 1]), continuous(amounts)], 2);
    const settings: CartSettings = { synthesized: [1], minimumLeaf: 1, complexity: 0, smoothing: false };
    const bands = new Map([[1, candidateBands({ bands: [0, 5, 20] })]]);
    const release = { table, settings, datasets: [[continuous([1, 2, 7, 30, 8])]], bands };
    const risk = createTreeRisk(release, OPTIONS);
    for (const record of amounts.keys()) {
      const others = changedTable(release, record, null);
      const { trees } = fitCart(others, settings);
      const leaf = pathOf(trees[0]!, table.columns, record).at(-1)!;
      const donors = valuesOf(trees[0]!.donors).slice(leaf.from, leaf.to);
      const { logPriors } = risk.risksOf(record, [0, 1, 2]).exact!;
      expect([...logPriors].map(Math.exp)).toEqual(
        [0, 5, 20].map((from, band) => {
          const alike = donors.filter((one) => one >= from && one < ([5, 20][band] ?? Infinity)).length;
          return expect.closeTo((alike + 1 / 3) / (donors.length + 1), 12);
        }),
      );
    }
  });

  it('counts the smoothed values that no donor can have led to', () => {
    // Leaves of the donors 2 to 5, of two zeros and two amounts, and of one value.
    const groups = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2];
    const table = tableOf([categorical(groups), continuous([2, 3, 4, 5, 0, 0, 120, 300, 7, 7, 7, 7])], 3);
    const settings: CartSettings = { synthesized: [1], minimumLeaf: 2, complexity: 0, smoothing: true };
    const bands = new Map([[1, candidateBands({ bands: [-10, 0, 5, 20] })]]);
    const impossible = (...released: number[][]) =>
      likelihoodOfRelease({ table, settings, bands, datasets: released.map((values) => [continuous(values)]) }, true).impossible;
    const possible = [2, 3, 5, 6, 0, 0, 150, 300, 7, 7, 7, 7];
    expect(impossible(possible, possible)).toEqual([0]);
    // However far from all donors, it is only improbable.
    expect(impossible(possible.with(0, 290))).toEqual([0]);
    // Below and above what was observed, with more decimals, a zero and a sign that no donor of the leaf has.
    expect(impossible([1, 301, 2.5, 0, -5, 0, 150, 300, 7, 7, 7, 7])).toEqual([5]);
    expect(impossible(possible, possible.with(8, 8).with(9, 8))).toEqual([2]);
  });

  it('refuses a continuous variable without bands', () => {
    const table = tableOf([categorical([0, 1]), continuous([1, 2])], 2);
    const settings: CartSettings = { synthesized: [1], minimumLeaf: 1, complexity: 0, smoothing: false };
    expect(() => createTreeRisk({ table, settings, datasets: [] }, OPTIONS)).toThrow(
      expect.objectContaining({ name: 'UnsupportedOptionError', code: 'continuous-variable' }),
    );
  });
});

describe('candidateBands() and bandValues()', () => {
  it('have what is nearest to a point of a grid, the larger one of two', () => {
    const { lower, labels } = candidateBands({ grid: [0, 10, 30] });
    expect(lower).toEqual([-Infinity, 5, 20]);
    expect(labels).toEqual(['0', '10', '30']);
    expect([-7, 4.9, 5, 19, 20, 99].map((value) => bandOf(lower, value))).toEqual([0, 0, 1, 1, 2, 2]);
    expect([...bandValues(candidateBands({ grid: [0, 10, 30] }), Float64Array.of(1, 2))]).toEqual([0, 10, 30]);
  });

  it('have the lower median of a band, its middle where it is empty, and the beginning of an empty last one', () => {
    const bands = candidateBands({ bands: [0, 10, 20, 50] });
    expect([...bandValues(bands, Float64Array.of(3, 1, 2, 9, 30))]).toEqual([2, 15, 30, 50]);
  });
});
