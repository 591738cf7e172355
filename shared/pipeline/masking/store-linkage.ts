import { encodeJson } from '../../artifacts/stored-json.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { LinkageResult } from '../../contracts/results/linkage.ts';
import { renderLinkage } from '../../report/render-linkage.ts';
import type { LinkedRelease } from '../../risk/linkage/link-release.ts';
import type { Store } from '../../storage/store.ts';
import { writeLinkage } from '../tables/linkage-table.ts';

/** Stores links and figures: tables, page, and last the document, which says that everything is there. */
export async function storeLinkage(
  store: Store,
  { links, thresholds }: LinkedRelease,
  own: Int32Array,
  result: LinkageResult,
): Promise<void> {
  const { linkage, linkageReport } = runKeys(result.runId).confidential;
  await writeLinkage(store, result.runId, { links, own }, thresholds);
  await store.put(linkageReport, new TextEncoder().encode(await renderLinkage(result)));
  await store.put(linkage, encodeJson(result));
}
