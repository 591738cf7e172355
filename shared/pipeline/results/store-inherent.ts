import { encodeJson } from '../../artifacts/stored-json.ts';
import { writeColumns } from '../../artifacts/write-columns.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { Inherent, InherentRow } from '../../contracts/results/inherent.ts';
import { renderInherent } from '../../report/render-inherent.ts';
import type { Store } from '../../storage/store.ts';
import { inherentColumns } from '../tables/inherent-table.ts';

/** Stores the bounds: their table, their page, and last their document, which says that everything is there. */
export async function storeInherent(
  store: Store,
  found: Inherent,
  rows: readonly InherentRow[],
): Promise<void> {
  const { inherent, inherentCsv, inherentParquet, inherentReport } = runKeys(found.runId).confidential;
  await writeColumns(store, inherentCsv, inherentParquet, rows.length, (from, to) =>
    inherentColumns(rows.slice(from, to)),
  );
  await store.put(inherentReport, new TextEncoder().encode(await renderInherent(found, rows)));
  await store.put(inherent, encodeJson(found));
}
