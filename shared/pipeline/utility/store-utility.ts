import { encodeJson } from '../../artifacts/stored-json.ts';
import { runKeys } from '../../contracts/keys.ts';
import { VERSION } from '../../contracts/version.ts';
import { renderUtility } from '../../report/render-utility.ts';
import type { Store } from '../../storage/store.ts';
import type { MeasuredUtility } from '../../utility/measure-utility.ts';
import { writeUtilityTable } from '../tables/utility-table.ts';

/** Stands in keys for the id of a run: what `utility` stores is of none. */
export const UTILITY = 'utility';

/** Stores what `utility` found: every figure as a table, the document, and its page. */
export async function storeUtility(store: Store, measured: MeasuredUtility): Promise<void> {
  const { confidential } = runKeys(UTILITY);
  const page = await renderUtility(measured.summary, { version: VERSION });
  await writeUtilityTable(store, UTILITY, measured);
  await store.put(confidential.utility, encodeJson(measured.summary));
  await store.put(confidential.utilityReport, new TextEncoder().encode(page));
}
