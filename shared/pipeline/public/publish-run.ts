import { encodeJson, readJson } from '../../artifacts/stored-json.ts';
import { runKeys } from '../../contracts/keys.ts';
import { publicSummarySchema } from '../../contracts/release/public-summary.ts';
import { summarySchema } from '../../contracts/results/summary.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { KeyedStreams } from '../../random/streams.ts';
import { renderPublic } from '../../report/public/render-public.ts';
import type { Store } from '../../storage/store.ts';
import { publishSummary } from './publish-summary.ts';

/**
 * Writes what of an assessed run anybody may know, as JSON and as a page, beside its confidential results: a person
 * takes them from there. Another call writes the same bytes.
 *
 * @param releaseKey of the run: its noise is drawn from streams that nobody else can open
 */
export async function publishRun(store: Store, { runId, config }: Plan, releaseKey: Uint8Array): Promise<void> {
  const { confidential } = runKeys(runId);
  const summary = await readJson(store, confidential.summary, summarySchema);
  const streams = new KeyedStreams(releaseKey, config.seed);
  const published = publicSummarySchema.parse(publishSummary(summary, (name) => streams.openReleased(name)));
  await store.put(confidential.publicSummary, encodeJson(published));
  await store.put(confidential.publicPage, new TextEncoder().encode(await renderPublic(published)));
}
