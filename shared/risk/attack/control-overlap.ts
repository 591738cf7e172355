import { distinctRows } from '../../table/distinct-rows.ts';
import type { Table } from '../../table/table.ts';
import { isSameTable, sharedRows } from '../copies/count-copies.ts';

/** Share of a control's records that may be the table's: less hardly changes what it is compared for. */
const TOLERATED_SHARE = 0.05;

/** Standard errors by which records that are found in the table must exceed what chance gives. */
const STANDARD_ERRORS = 5;

/**
 * Whether a control holds so many of the table's own records that comparing with it says nothing: it is the same file, or
 * more than 5 % of it are found in the table beyond chance, by more than five standard errors. By chance (Good and Turing
 * 1953) a record equals one of the table with about the share of the table's records that are not alone in their
 * combination.
 */
export function overlapsTable(table: Table, control: Table): boolean {
  const { rows: tableRows } = distinctRows(table);
  const [shared] = sharedRows(tableRows, [distinctRows(control).rows]);
  if (isSameTable(tableRows, shared!)) return true;

  const uniques = tableRows.counts.filter((count) => count === 1).length;
  const sharedRecords = shared!.counts.reduce((sum, count) => sum + count, 0);
  // One success and one failure are added, so that no share is taken for certain.
  const expected = (table.records - uniques + 1) / (table.records + 2);
  const { records } = control;
  const variance = expected * (1 - expected) * (records + (records * records) / table.records);
  const excess = sharedRecords - records * expected;
  return excess > STANDARD_ERRORS * Math.sqrt(variance) && excess > TOLERATED_SHARE * records * (1 - expected);
}
