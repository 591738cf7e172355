import { encodeJson } from '../../artifacts/stored-json.ts';
import { listed, writeTable } from '../../artifacts/write-table.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { BoundsRow, FoundBounds } from '../../contracts/results/bounds.ts';
import { renderBounds } from '../../report/render-bounds.ts';
import type { Store } from '../../storage/store.ts';
import { INHERENT } from '../tables/bounds-table.ts';

/** Stores the bounds: their table, their page, and last their document, which says that everything is there. */
export async function storeBounds(store: Store, found: FoundBounds, rows: readonly BoundsRow[]): Promise<void> {
  const { inherent, inherentReport } = runKeys(found.runId).confidential;
  await writeTable(store, found.runId, INHERENT, listed(rows));
  await store.put(inherentReport, new TextEncoder().encode(await renderBounds(found, rows)));
  await store.put(inherent, encodeJson(found));
}
