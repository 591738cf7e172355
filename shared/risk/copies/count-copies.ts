import type { CopiesSummary } from '../../contracts/results/copies.ts';
import { CombinationIndex } from '../../table/combination-index.ts';
import type { Combinations } from '../../table/combinations.ts';
import { distinctRows } from '../../table/distinct-rows.ts';
import type { Table } from '../../table/table.ts';
import type { Expected, ExpectedUniques } from './expected-uniques.ts';

interface SharedRows {
  readonly records: number;
  /** Rows of the dataset that are equal to each combination of the table. */
  readonly counts: Uint32Array;
}

/**
 * How many rows of each dataset are equal to each combination of a table, in time proportional to the combinations of
 * both.
 *
 * @throws RangeError for a dataset of another number of variables
 */
export function sharedRows({ variables, codes, count }: Combinations, datasets: readonly Combinations[]): SharedRows[] {
  const index = new CombinationIndex(variables);
  for (let combination = 0; combination < count; combination++) index.add(codes, combination * variables, 1);
  return datasets.map((dataset) => {
    if (dataset.variables !== variables) {
      throw new RangeError(`expected rows of ${variables} variables, found ${dataset.variables}`);
    }
    const counts = new Uint32Array(count);
    let records = 0;
    for (let row = 0; row < dataset.count; row++) {
      const combination = index.find(dataset.codes, row * variables);
      if (combination !== -1) counts[combination]! += dataset.counts[row]!;
      records += dataset.counts[row]!;
    }
    return { records, counts };
  });
}

/** Whether a dataset holds the rows of the table and no others, each as often, in whatever order. */
export function isSameTable(table: Combinations, { records, counts }: SharedRows): boolean {
  const tableRecords = table.counts.reduce((sum, count) => sum + count, 0);
  return records === tableRecords && counts.every((count, combination) => count === table.counts[combination]);
}

/**
 * Exact copies of the rows of a table in datasets with its codes.
 *
 * @param expected how many unique combinations a model expects in them, or why that is not known
 */
export function countCopies(table: Combinations, datasets: readonly Combinations[], expected: ExpectedUniques | string): CopiesSummary {
  const shared = sharedRows(table, datasets);
  const isKnown = typeof expected !== 'string';
  const uniquesIn = (some: readonly SharedRows[]) =>
    table.counts.reduce((sum, count, c) => sum + Number(count === 1 && some.some(({ counts }) => counts[c]! > 0)), 0);
  const each = shared.map((copied, l) => ({
    rows: copied.counts.reduce((sum, count) => sum + count, 0),
    identical: isSameTable(table, copied),
    uniques: uniquesIn([copied]),
    ...inNumbers(isKnown ? expected.datasets[l]! : null),
  }));
  return {
    released: shared.reduce((sum, { records }) => sum + records, 0),
    rows: each.reduce((sum, { rows }) => sum + rows, 0),
    uniques: uniquesIn(shared),
    ...inNumbers(isKnown ? expected.any : null),
    occurrences: each.reduce((sum, { uniques }) => sum + uniques, 0),
    occurrencesExpected: isKnown ? expected.sum.mean : null,
    occurrencesExpectedSe: isKnown ? Math.sqrt(expected.sum.variance) : null,
    ...(isKnown ? {} : { uniquesExpectedReason: expected }),
    identicalDatasets: each.filter(({ identical }) => identical).length,
    datasets: each,
  };
}

const inNumbers = (expected: Expected | null) => ({
  uniquesExpected: expected?.mean ?? null,
  uniquesExpectedSe: expected ? Math.sqrt(expected.variance) : null,
});

/** Exact copies of records in datasets that are measured without a model. */
export interface TableCopies {
  readonly copies: CopiesSummary;
  readonly sampleUniques: number;
}

/** Exact copies of the rows of a table, of any variables, in datasets of its schema. */
export function copiesOfTables(table: Table, datasets: readonly Table[]): TableCopies {
  const { rows, counts } = distinctRows(table);
  const given = datasets.map((dataset) => distinctRows(dataset).rows);
  return {
    copies: countCopies(rows, given, 'no model was fitted to the table'),
    sampleUniques: counts.filter((count) => count === 1).length,
  };
}
