import { encodeJson } from '../../artifacts/stored-json.ts';
import { writeColumns } from '../../artifacts/write-columns.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { BoundsRow, FoundBounds } from '../../contracts/results/bounds.ts';
import { renderBounds } from '../../report/render-bounds.ts';
import type { Store } from '../../storage/store.ts';
import { boundsColumns } from '../tables/bounds-table.ts';

/** Stores the bounds: their table, their page, and last their document, which says that everything is there. */
export async function storeBounds(
  store: Store,
  found: FoundBounds,
  rows: readonly BoundsRow[],
): Promise<void> {
  const { inherent, inherentCsv, inherentParquet, inherentReport } = runKeys(found.runId).confidential;
  await writeColumns(store, inherentCsv, inherentParquet, rows.length, (from, to) =>
    boundsColumns(rows.slice(from, to)),
  );
  await store.put(inherentReport, new TextEncoder().encode(await renderBounds(found, rows)));
  await store.put(inherent, encodeJson(found));
}
