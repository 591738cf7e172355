import type { CopiesSummary } from '../../contracts/results/copies.ts';
import { distinctRows } from '../../table/distinct-rows.ts';
import type { Table } from '../../table/table.ts';
import { countCopies } from './count-copies.ts';

/** Exact copies of records in datasets that are measured without a model. */
export interface TableCopies {
  readonly copies: CopiesSummary;
  /** Rows of the table that one record alone has. */
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
