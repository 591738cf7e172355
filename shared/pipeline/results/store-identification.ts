import { encodeJson } from '../../artifacts/stored-json.ts';
import { runKeys } from '../../contracts/keys.ts';
import { VERSION } from '../../contracts/version.ts';
import { renderIdentification } from '../../report/render-identification.ts';
import type { IdentificationRisk } from '../../risk/identification/identification-risk.ts';
import type { Store } from '../../storage/store.ts';
import { writeIdentificationRisk } from '../tables/identification-table.ts';

/** Stands in keys for the id of a run: what `identify` stores is of none. */
export const IDENTIFY = 'identify';

/**
 * Stores what `identify` found: the table of all matches, the figures of every scenario, and their page.
 *
 * @param records of the confidential table
 */
export async function storeIdentification(store: Store, risks: readonly IdentificationRisk[], records: number): Promise<void> {
  const { confidential } = runKeys(IDENTIFY);
  const summaries = risks.map(({ summary }) => summary);
  const page = await renderIdentification(summaries, { version: VERSION });
  await writeIdentificationRisk(store, IDENTIFY, risks, records);
  await store.put(confidential.identification, encodeJson(summaries));
  await store.put(confidential.identificationReport, new TextEncoder().encode(page));
}
