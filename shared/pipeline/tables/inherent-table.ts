import { INHERENT_COLUMNS, type InherentRow } from '../../contracts/results/inherent.ts';
import type { ParquetColumn } from '../../table/files/write-parquet.ts';

/** The columns of `inherent.csv` and `.parquet`, named and ordered by the contract. */
export function inherentColumns(rows: readonly InherentRow[]): ParquetColumn[] {
  return (Object.keys(INHERENT_COLUMNS) as (keyof InherentRow)[]).map(
    (name) => ({ name, type: INHERENT_COLUMNS[name], values: rows.map((row) => row[name]) }) as ParquetColumn,
  );
}
