import { runKeys } from '../contracts/keys.ts';
import { type ChainDraws, decodeChainDraws, encodeChainDraws } from '../model/chains/chain-draws.ts';
import type { Store } from '../storage/store.ts';

/** True when a chain's draws are there. */
export async function hasDraws(store: Store, runId: string, chain: string): Promise<boolean> {
  return (await store.head(runKeys(runId).draws(chain))) !== null;
}

/** Stores a chain's draws. A file that is there already stays: a repeated step would write the same bytes. */
export async function writeDraws(
  store: Store,
  runId: string,
  chain: string,
  draws: ChainDraws,
): Promise<void> {
  await store.put(runKeys(runId).draws(chain), encodeChainDraws(draws), { ifAbsent: true });
}

/** Reads a chain's draws. Throws ArtifactError when they are not there, or are no draws. */
export async function readDraws(store: Store, runId: string, chain: string): Promise<ChainDraws> {
  const key = runKeys(runId).draws(chain);
  return decodeChainDraws(await store.get(key), key);
}
