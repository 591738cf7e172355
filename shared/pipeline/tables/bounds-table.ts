import { type BoundsRow, INHERENT_COLUMNS } from '../../contracts/results/bounds.ts';
import type { ParquetColumn } from '../../table/files/write-parquet.ts';

/** The columns of `inherent.csv` and `.parquet`, named and ordered by the contract. */
export function boundsColumns(rows: readonly BoundsRow[]): ParquetColumn[] {
  return (Object.keys(INHERENT_COLUMNS) as (keyof BoundsRow)[]).map(
    (name) => ({ name, type: INHERENT_COLUMNS[name], values: rows.map((row) => row[name]) }) as ParquetColumn,
  );
}
