import { writeColumns } from '../../artifacts/write-columns.ts';
import { runKeys } from '../../contracts/keys.ts';
import { UTILITY_COLUMNS, type UtilityRow } from '../../contracts/results/utility.ts';
import type { Store } from '../../storage/store.ts';
import type { ParquetColumn } from '../../table/files/write-parquet.ts';
import type { MeasuredUtility } from '../../utility/measure-utility.ts';
import { utilityRows } from '../../utility/utility-rows.ts';

/** Stores `utility.csv` and `.parquet`: one row a figure. */
export async function writeUtilityTable(
  store: Store,
  runId: string,
  measured: MeasuredUtility,
): Promise<void> {
  const rows = [...utilityRows(measured)];
  const { utilityCsv, utilityParquet } = runKeys(runId).confidential;
  await writeColumns(store, utilityCsv, utilityParquet, rows.length, (from, to) =>
    Object.entries(UTILITY_COLUMNS).map(
      ([name, type]) =>
        ({
          name,
          type,
          values: rows.slice(from, to).map((row) => row[name as keyof UtilityRow]),
        }) as ParquetColumn,
    ),
  );
}
