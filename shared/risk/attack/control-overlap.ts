import { distinctRows } from '../../table/distinct-rows.ts';
import type { Column, Table } from '../../table/table.ts';

/** Share of a control's records that may be the table's: less hardly changes what it is compared for. */
const TOLERATED_SHARE = 0.05;

/** Standard errors by which records that are found in the table must exceed what chance gives. */
const STANDARD_ERRORS = 5;

/** One table under the other. */
function stack(table: Table, other: Table): Table {
  const columns = table.columns.map((column, v): Column => {
    const below = other.columns[v]!;
    if (column.type === 'continuous' && below.type === 'continuous') {
      return { type: 'continuous', values: Float64Array.from([...column.values, ...below.values]) };
    }
    if (column.type === 'continuous' || below.type === 'continuous')
      throw new RangeError('different variables');
    return { type: 'categorical', codes: Uint16Array.from([...column.codes, ...below.codes]) };
  });
  return { schema: table.schema, records: table.records + other.records, columns };
}

/**
 * Whether a control holds so many of the table's own records that comparing with it says nothing: it is the same file, or more
 * of its records are found in the table than can be by chance. What chance gives is Good and Turing's (1953): a record that
 * is not of the table equals one of it with about the share of the table's records that are not alone in their
 * combination. Overlap is seen where it is above 5 % of the control, by more than five standard errors.
 */
export function overlapsTable(table: Table, control: Table): boolean {
  const { rowOfRecord } = distinctRows(stack(table, control));
  const rows = rowOfRecord.reduce((most, row) => Math.max(most, row + 1), 0);
  const [own, others] = [new Uint32Array(rows), new Uint32Array(rows)];
  for (const [record, row] of rowOfRecord.entries()) (record < table.records ? own : others)[row]!++;
  if (own.every((count, row) => count === others[row])) return true;

  let [uniques, found] = [0, 0];
  for (let row = 0; row < rows; row++) {
    if (own[row] === 1) uniques++;
    if (own[row]! > 0) found += others[row]!;
  }
  // One success and one failure are added, so that no share is taken for certain.
  const expected = (table.records - uniques + 1) / (table.records + 2);
  const { records } = control;
  const variance = expected * (1 - expected) * (records + (records * records) / table.records);
  const excess = found - records * expected;
  return (
    excess > STANDARD_ERRORS * Math.sqrt(variance) && excess > TOLERATED_SHARE * records * (1 - expected)
  );
}
