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

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const deviation = (values: readonly number[]) =>
  Math.sqrt(values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / (values.length - 1));

describe('propensityUtility()', () => {
  it.each(['main', 'pairs'] as const)('is 0 for a copy of the table (%s)', (terms) => {
    const rows = countedRows(drawn(1, 300));
    const { score } = propensityUtility(rows, rows, terms, 'full');
    expect(score!.pmse).toBeLessThan(1e-15);
    expect(score!.ratio).toBeLessThan(1e-9);
  });

  it('is the same of records one by one and of combinations', () => {
    const [table, dataset] = [drawn(1, 300), drawn(2, 200)];
    const one = propensityUtility(rowsOfRecords(table), rowsOfRecords(dataset), 'pairs', 'full');
    const other = propensityUtility(countedRows(table), countedRows(dataset), 'pairs', 'full');
    expect(one.coefficients).toBe(other.coefficients);
    expect(one.score!.pmse).toBeCloseTo(other.score!.pmse, 12);
  });

  it('sees by pairs, and not by main effects, that two variables have come apart', () => {
    const together = drawn(3, 600);
    const [first, second, third] = together.columns as { type: 'categorical'; codes: Uint16Array }[];
    const codes = second!.codes.map((_, i) => second!.codes[(i + 7) % 600]!);
    const apart: Table = { ...together, columns: [first!, { type: 'categorical', codes }, third!] };
    const score = (terms: 'main' | 'pairs') => propensityUtility(countedRows(together), countedRows(apart), terms, 'full').score!;
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
    const { score } = propensityUtility(rows(1), rows(2), 'main', 'full');
    expect(score!.pmse).toBeCloseTo(0.25, 6);
  });

  it('leaves out a dataset of too many coefficients, with the reason', () => {
    const rows = countedRows(
      tableOf(
        [1300, 2],
        Array.from({ length: 40 }, (_, i) => [i, i % 2]),
      ),
    );
    const found = propensityUtility(rows, rows, 'main', 'full');
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
      return propensityUtility(table, countedRows(tableOf([2, 3, 4], rows)), 'main', 'full').score!;
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
      return propensityUtility(pick(true), pick(false), 'main', 'partial').score!;
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
    const labels = permutedLabels(stacked, random);
    expect(labels.reduce((sum, label) => sum + label, 0)).toBe(200);
    expect(labels.subarray(0, 300).includes(1)).toBe(true);
    const pairs = stackTables(drawn(5, 300), drawn(6, 300));
    const swapped = swappedLabels(pairs, random);
    for (let i = 0; i < 300; i++) expect(swapped[i]! + swapped[300 + i]!).toBe(1);
    expect(treePropensity(pairs, swapped).pmse).toBeGreaterThan(0);
  });
});
