import { runKeys } from '../contracts/keys.ts';
import {
  type ChainDraws,
  chainFiles,
  decodeChainDraws,
  encodeChainDraws,
  MANIFEST,
} from '../draws/chain-draws.ts';
import type { Store } from '../storage/store.ts';

/** True when a chain's draws are there, whole: their manifest is written last. */
export async function hasDraws(store: Store, runId: string, chain: string): Promise<boolean> {
  return (await store.head(runKeys(runId).draws(chain) + MANIFEST)) !== null;
}

/** Stores a chain's draws. Files that are there already stay: a repeated step would write the same bytes. */
export async function writeDraws(
  store: Store,
  runId: string,
  chain: string,
  draws: ChainDraws,
): Promise<void> {
  for (const [file, bytes] of encodeChainDraws(draws)) {
    await store.put(runKeys(runId).draws(chain) + file, bytes, { ifAbsent: true });
  }
}

/** Reads a chain's draws. Throws ArtifactError when they are not whole. */
export async function readDraws(store: Store, runId: string, chain: string): Promise<ChainDraws> {
  const folder = runKeys(runId).draws(chain);
  const manifest = await store.get(folder + MANIFEST);
  const files = new Map([[MANIFEST, manifest]]);
  for (const file of chainFiles(manifest)) {
    if (file !== MANIFEST) files.set(file, await store.get(folder + file));
  }
  return decodeChainDraws(files);
}
