import type { Store } from '../../shared/storage/store.ts';
import { hashesBelow } from '../pipeline/small-run.ts';

/** What runs in other batches have alike: all that people read, and what its rounds came to. */
const RESULTS = ['release/', 'confidential/', 'diagnostics/', 'rounds/'];

/** SHA-256 of what a run leaves that its batches do not change, by path. */
export function resultHashes(store: Store, run: { runId: string }): Promise<Record<string, string>> {
  return hashesBelow(store, run, ...RESULTS);
}
