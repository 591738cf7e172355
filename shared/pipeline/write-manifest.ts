import { runKeys } from '../contracts/keys.ts';
import type { Plan } from '../contracts/plan.ts';
import type { Manifest } from '../contracts/results.ts';
import { sha256 } from '../contracts/sha256.ts';
import type { Store } from '../storage/store.ts';
import { encodeJson } from './stored-json.ts';

/** Writes `manifest.json`: the sha-256 of every artifact but the run's own state, which tells of time and place. */
export async function writeManifest(store: Store, plan: Plan): Promise<void> {
  const keys = runKeys(plan.runId);
  const manifest: Manifest = {
    version: plan.version,
    runId: plan.runId,
    seed: plan.config.seed,
    artifacts: {},
  };
  for (const key of await store.list(keys.root)) {
    if (key === keys.run || key === keys.manifest) continue;
    const bytes = await store.get(key);
    manifest.artifacts[key.slice(keys.root.length)] = { sha256: await sha256(bytes), bytes: bytes.length };
  }
  await store.put(keys.manifest, encodeJson(manifest));
}
