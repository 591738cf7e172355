import { encodeJson } from '../../artifacts/stored-json.ts';
import { listed, writeTable } from '../../artifacts/write-table.ts';
import type { ResultTable } from '../../contracts/column.ts';
import { type FigureRow, figureColumns } from '../../contracts/figure-row.ts';
import { runKeys } from '../../contracts/keys.ts';
import { VERSION } from '../../contracts/version.ts';
import { renderUtility } from '../../report/render-utility.ts';
import type { Store } from '../../storage/store.ts';
import type { MeasuredUtility } from '../../utility/measure-utility.ts';
import { utilityRows } from '../../utility/utility-rows.ts';

/** `utility.csv`. */
export const UTILITY: ResultTable<FigureRow> = {
  file: 'utility',
  row: 'a figure',
  columns: figureColumns(
    '`table`, `propensity`, `regression`, `prediction`, `patterns` or `association`.',
    'What it is of: variables of a table, a kind of score, a formula with its coefficient.',
  ),
};

/** Stores `utility.csv` and `.parquet`: one row a figure. */
export async function writeUtilityTable(store: Store, runId: string, measured: MeasuredUtility): Promise<void> {
  await writeTable(store, runId, UTILITY, listed([...utilityRows(measured)]));
}

/** Stands in keys for the id of a run: what `utility` stores is of none. */
export const UTILITY_ID = 'utility';

/** Stores what `utility` found: every figure as a table, the document, and its page. */
export async function storeUtility(store: Store, measured: MeasuredUtility): Promise<void> {
  const { confidential } = runKeys(UTILITY_ID);
  const page = await renderUtility(measured.summary, { version: VERSION });
  await writeUtilityTable(store, UTILITY_ID, measured);
  await store.put(confidential.utility, encodeJson(measured.summary));
  await store.put(confidential.utilityReport, new TextEncoder().encode(page));
}
