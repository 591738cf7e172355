import type { Store } from '../../shared/storage/store.ts';
import { hashesBelow } from '../pipeline/small-run.ts';

/** What runs in other batches have alike: all that people read, and what its rounds came to. */
const RESULTS = ['release/', 'confidential/', 'diagnostics/', 'rounds/'];

/** The plan and the digests of all artifacts tell how rows are cut into batches. */
const OF_BATCHES = /^confidential\/(plan|manifest)\.json$/;

/** SHA-256 of what a run leaves that its batches do not change, by path. */
export async function resultHashes(store: Store, run: { runId: string }): Promise<Record<string, string>> {
  const hashes = await hashesBelow(store, run, ...RESULTS);
  return Object.fromEntries(Object.entries(hashes).filter(([path]) => !OF_BATCHES.test(path)));
}
