import type { CopiesSummary } from '../../contracts/results/copies.ts';
import type { Combinations } from '../../table/combinations.ts';
import type { Expected, ExpectedUniques } from './expected-uniques.ts';
import { isSameTable, type SharedRows, sharedRows } from './shared-rows.ts';

/**
 * Exact copies of the rows of a table in datasets.
 *
 * @param datasets with the codes of the table
 * @param expected how many unique combinations a model expects in them, or why that is not known
 */
export function countCopies(table: Combinations, datasets: readonly Combinations[], expected: ExpectedUniques | string): CopiesSummary {
  const shared = sharedRows(table, datasets);
  const isKnown = typeof expected !== 'string';
  const uniquesIn = (some: readonly SharedRows[]) =>
    table.counts.reduce((sum, count, c) => sum + Number(count === 1 && some.some(({ counts }) => counts[c]! > 0)), 0);
  const each = shared.map((own, l) => ({
    rows: own.counts.reduce((sum, count) => sum + count, 0),
    identical: isSameTable(table, own),
    uniques: uniquesIn([own]),
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
