import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { type CountedRows, countedRows, rowsOfRecords } from '../../shared/table/counted-rows.ts';
import type { Table } from '../../shared/table/table.ts';
import { propensityUtility } from '../../shared/utility/propensity.ts';
import { permutedLabels, stackTables, swappedLabels, treePropensity } from '../../shared/utility/tree-propensity.ts';
import { referenceTables } from './reference-tables.ts';
import { tableOf } from './table-of.ts';

/** A table drawn by chance, of which a variable depends on another. */
function drawn(seed: number, records: number): Table {
  const random = new RandomStream(seed, 'test/propensity');
  return tableOf(
    [2, 3, 4],
    Array.from({ length: records }, () => {
      const first = random.below(2);
      return [first, Math.min(2, first + random.below(3)), random.below(4)];
    }),
  );
}

/** Every variable is synthesized. */
const ALL = [0, 1, 2];

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const deviation = (values: readonly number[]) =>
  Math.sqrt(values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / (values.length - 1));

describe('propensityUtility()', () => {
  it.each(['main', 'pairs'] as const)('is 0 for a copy of the table (%s)', (terms) => {
    const rows = countedRows(drawn(1, 300));
    const { score } = propensityUtility(rows, rows, terms, ALL);
    expect(score!.pmse).toBeLessThan(1e-15);
    expect(score!.ratio).toBeLessThan(1e-9);
  });

  it('is the same of records one by one and of combinations', () => {
    const [table, dataset] = [drawn(1, 300), drawn(2, 200)];
    const one = propensityUtility(rowsOfRecords(table), rowsOfRecords(dataset), 'pairs', ALL);
    const other = propensityUtility(countedRows(table), countedRows(dataset), 'pairs', ALL);
    expect(one.coefficients).toBe(other.coefficients);
    expect(one.score!.pmse).toBeCloseTo(other.score!.pmse, 12);
  });

  it('sees by pairs, and not by main effects, that two variables have come apart', () => {
    const together = drawn(3, 600);
    const [first, second, third] = together.columns as { type: 'categorical'; codes: Uint16Array }[];
    const codes = second!.codes.map((_, i) => second!.codes[(i + 7) % 600]!);
    const apart: Table = { ...together, columns: [first!, { type: 'categorical', codes }, third!] };
    const score = (terms: 'main' | 'pairs') => propensityUtility(countedRows(together), countedRows(apart), terms, ALL).score!;
    expect(score('main').pmse).toBeLessThan(1e-12);
    expect(score('pairs').pmse).toBeGreaterThan(0.01);
    expect(score('pairs').standardized).toBeGreaterThan(5);
  });

  it('finds what is told apart without error, where coefficients have no end', () => {
    const rows = (value: number) =>
      countedRows(
        tableOf(
          [3, 2],
          Array.from({ length: 50 }, (_, i) => [value, i % 2]),
        ),
      );
    const { score } = propensityUtility(rows(1), rows(2), 'main', ALL);
    expect(score!.pmse).toBeCloseTo(0.25, 6);
  });

  it('leaves out a dataset of too many coefficients, with the reason', () => {
    const rows = countedRows(
      tableOf(
        [1300, 2],
        Array.from({ length: 40 }, (_, i) => [i, i % 2]),
      ),
    );
    const found = propensityUtility(rows, rows, 'main', ALL);
    expect(found).toMatchObject({ score: null, reason: expect.stringContaining('1301 coefficients') });
  });

  it('expects by formula what datasets come to that are drawn from the fitted model', () => {
    // The table has exactly uniform margins, and variables are drawn independently with these.
    const table = countedRows(
      tableOf(
        [2, 3, 4],
        Array.from({ length: 480 }, (_, i) => [i % 2, Math.floor(i / 2) % 3, Math.floor(i / 6) % 4]),
      ),
    );
    const found = Array.from({ length: 300 }, (_, l) => {
      const random = new RandomStream(l, 'test/null');
      const rows = Array.from({ length: 480 }, () => [random.below(2), random.below(3), random.below(4)]);
      return propensityUtility(table, countedRows(tableOf([2, 3, 4], rows)), 'main', ALL).score!;
    });
    const ratios = found.map(({ ratio }) => ratio!);
    const standardError = deviation(ratios) / Math.sqrt(300);
    expect(Math.abs(mean(ratios) - 1)).toBeLessThan(4 * standardError);
    expect(deviation(found.map(({ standardized }) => standardized!))).toBeCloseTo(1, 0);
  });

  it('expects of kept variables half of what swapping the labels of rows gives', () => {
    const [table, dataset] = referenceTables(1, 'partial');
    const random = new RandomStream(1, 'test/swaps');
    const swapped = Array.from({ length: 300 }, () => {
      const labels = Uint8Array.from({ length: 400 }, () => random.below(2));
      const pick = (own: boolean): CountedRows =>
        rowsOfRecords({
          ...table!,
          columns: table!.columns.map((column, v) => {
            const other = dataset!.columns[v]!;
            if (column.type === 'continuous' && other.type === 'continuous') {
              const values = column.values.map((value, i) => ((labels[i] === 0) === own ? value : other.values[i]!));
              return { type: 'continuous', values };
            }
            if (column.type !== 'categorical' || other.type !== 'categorical') throw new Error('types differ');
            const codes = column.codes.map((code, i) => ((labels[i] === 0) === own ? code : other.codes[i]!));
            return { type: 'categorical', codes };
          }),
        });
      return propensityUtility(pick(true), pick(false), 'main', [2, 3]).score!;
    });
    const found = swapped.map(({ pmse }) => pmse);
    // What is expected does not depend on which of two rows is called the dataset's.
    const { expected } = swapped[0]!;
    expect(swapped[1]!.expected).toBeCloseTo(expected, 12);
    expect(Math.abs(mean(found) / 2 - expected)).toBeLessThan(4 * (deviation(found) / 2 / Math.sqrt(300)) + 0.02 * expected);
    const { standardized, pmse } = swapped[0]!;
    expect((pmse - expected) / standardized! / (deviation(found) / 2)).toBeCloseTo(1, 0);
  });
});

describe('propensityUtility() where a variable is kept', () => {
  const rowsOf = (records: number[][]) => rowsOfRecords(tableOf(Array<number>(records[0]!.length).fill(2), records));

  it('has both expectations as they are by hand', () => {
    // In each half of the kept variable the other one is 0, 1, 1 in the table, and 0, 0, 1 in the dataset.
    const halves = (values: number[]) => rowsOf([0, 1].flatMap((kept) => values.map((value) => [kept, value])));
    const found = propensityUtility(halves([0, 1, 1]), halves([0, 0, 1]), 'main', [1]);
    expect(found).toMatchObject({ coefficients: 3, formulaCoefficients: 1 });
    // Two thirds of the zeros are the dataset's, and a third of the ones.
    expect(found.score!.pmse).toBeCloseTo(1 / 36, 12);
    // One coefficient by (1/2)^2 (1/2) / 12.
    expect(found.score!.expectedFormula).toBeCloseTo(1 / 96, 12);
    expect(found.score!.ratioFormula).toBeCloseTo(8 / 3, 9);
    expect(found.score!.standardizedFormula).toBeCloseTo(5 / 3 / Math.SQRT2, 9);
    // Two rows differ, by 1; about the means of the halves the twelve have a sum of squares of 3: (2 / 3) / (8 12).
    expect(found.score!.expected).toBeCloseTo(1 / 144, 12);
    expect(found.score!.ratio).toBeCloseTo(4, 9);
    expect(found.score!.standardized).toBeCloseTo(3 / Math.SQRT2, 9);
  });

  it('counts for the formula what kept variables do not have by themselves', () => {
    const table = drawn(7, 200);
    const rows = rowsOfRecords(table);
    // Of 1 + 1 + 2 + 3 main effects the last variable has 3, and of 2 + 3 + 6 products 3 + 6. One of the kept variables'
    // products depends on the others: nobody has the second category of the first and the first of the second.
    expect(propensityUtility(rows, rows, 'main', [2])).toMatchObject({ coefficients: 7, formulaCoefficients: 3 });
    expect(propensityUtility(rows, rows, 'pairs', [2])).toMatchObject({ coefficients: 17, formulaCoefficients: 12 });
    // All of them synthesized, it is the formula by which the ratio goes.
    const { score } = propensityUtility(rows, rowsOfRecords(drawn(8, 200)), 'pairs', ALL);
    const { expected, ratio, standardized } = score!;
    expect(score).toMatchObject({ expectedFormula: expected, ratioFormula: ratio, standardizedFormula: standardized });
  });

  /**
   * Ratios of datasets whose last variable is drawn from its true distribution given two kept ones, of 25 records a cell: the
   * table has exactly these shares, or is drawn as well.
   */
  const ratios = (terms: 'main' | 'pairs', shares: readonly number[], tableDrawn = false) => {
    const cells = shares.flatMap((share, cell) => Array.from({ length: 25 }, (_, i) => ({ cell, share, one: i < share * 25 })));
    const record = (cell: number, one: boolean) => [cell % 2, cell >> 1, one ? 1 : 0];
    const found = Array.from({ length: 400 }, (_, l) => {
      const random = new RandomStream(l, `test/kept/${terms}`);
      const draw = () => rowsOf(cells.map(({ cell, share }) => record(cell, random.uniform() < share)));
      const table = tableDrawn ? draw() : rowsOf(cells.map(({ cell, one }) => record(cell, one)));
      return propensityUtility(table, draw(), terms, [2]).score!;
    });
    const withError = (values: number[]) => ({ mean: mean(values), se: deviation(values) / 20 });
    return { rows: withError(found.map(({ ratio }) => ratio!)), formula: withError(found.map(({ ratioFormula }) => ratioFormula!)) };
  };
  const expectMean = ({ mean: found, se }: { mean: number; se: number }, truth: number) =>
    expect(Math.abs(found - truth)).toBeLessThan(4 * se + 0.02 * truth);

  it('expects by both what a correct synthesis comes to, where the terms hold how kept variables determine the other', () => {
    const { rows, formula } = ratios('main', [0.2, 0.4, 0.6, 0.8]);
    expectMean(rows, 1);
    expectMean(formula, 1);
  });

  it('expects from pairs of rows what it comes to, and by formula more, where they determine it more closely than that', () => {
    // A variance of .16 within cells, and of .25 about what main effects say.
    const { rows, formula } = ratios('main', [0.2, 0.8, 0.8, 0.2]);
    expectMean(rows, 1);
    expectMean(formula, 0.64);
    // With the product of both kept variables, terms say all.
    const withProducts = ratios('pairs', [0.2, 0.8, 0.8, 0.2]);
    expectMean(withProducts.rows, 1);
    expectMean(withProducts.formula, 1);
  });

  it('finds twice what both expect where the synthesizer knows the truth and the table is a sample as well', () => {
    const { rows, formula } = ratios('main', [0.2, 0.4, 0.6, 0.8], true);
    expectMean(rows, 2);
    expectMean(formula, 2);
  });
});

describe('treePropensity()', () => {
  const stacked = stackTables(drawn(5, 300), drawn(6, 200));

  it('has one leaf, and tells nothing, of a table and its copy', () => {
    const table = drawn(5, 300);
    expect(treePropensity(stackTables(table, table)).pmse).toBeLessThan(1e-12);
  });

  it('tells records apart that a value tells apart', () => {
    const rows = (value: number) =>
      tableOf(
        [2, 2],
        Array.from({ length: 40 }, (_, i) => [value, i % 2]),
      );
    expect(treePropensity(stackTables(rows(0), rows(1)))).toEqual({ pmse: 0.25, leaves: 2 });
  });

  it('permutes labels, and swaps those of the two rows of a record', () => {
    const random = new RandomStream(1, 'test/labels');
    const labels = permutedLabels(stacked.first, stacked.table.records - stacked.first, random);
    expect(labels.reduce((sum, label) => sum + label, 0)).toBe(200);
    expect(labels.subarray(0, 300).includes(1)).toBe(true);
    const pairs = stackTables(drawn(5, 300), drawn(6, 300));
    const swapped = swappedLabels(300, 300, random);
    for (let i = 0; i < 300; i++) expect(swapped[i]! + swapped[300 + i]!).toBe(1);
    expect(treePropensity(pairs, swapped).pmse).toBeGreaterThan(0);
  });
});
