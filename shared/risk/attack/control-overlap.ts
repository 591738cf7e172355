import { distinctRows } from '../../table/distinct-rows.ts';
import type { Table } from '../../table/table.ts';
import { isSameTable, sharedRows } from '../copies/count-copies.ts';

/** Share of a control's records that may be the table's: less hardly changes what it is compared for. */
const TOLERATED_SHARE = 0.05;

/** Standard errors by which records that are found in the table must exceed what chance gives. */
const STANDARD_ERRORS = 5;

/**
 * Whether a control holds so many of the table's own records that comparing with it says nothing: it is the same file, or more
 * of its records are found in the table than can be by chance. What chance gives is Good and Turing's (1953): a record that
 * is not of the table equals one of it with about the share of the table's records that are not alone in their
 * combination. Overlap is seen where it is above 5 % of the control, by more than five standard errors.
 */
export function overlapsTable(table: Table, control: Table): boolean {
  const { rows: own } = distinctRows(table);
  const [shared] = sharedRows(own, [distinctRows(control).rows]);
  if (isSameTable(own, shared!)) return true;

  const uniques = own.counts.filter((count) => count === 1).length;
  const found = shared!.counts.reduce((sum, count) => sum + count, 0);
  // One success and one failure are added, so that no share is taken for certain.
  const expected = (table.records - uniques + 1) / (table.records + 2);
  const { records } = control;
  const variance = expected * (1 - expected) * (records + (records * records) / table.records);
  const excess = found - records * expected;
  return excess > STANDARD_ERRORS * Math.sqrt(variance) && excess > TOLERATED_SHARE * records * (1 - expected);
}
