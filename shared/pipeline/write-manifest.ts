import { runKeys } from '../contracts/keys.ts';
import { planSchema } from '../contracts/plan.ts';
import type { Manifest } from '../contracts/results.ts';
import { sha256 } from '../contracts/sha256.ts';
import { readAhead } from '../storage/read-ahead.ts';
import type { Store } from '../storage/store.ts';
import { encodeJson, readJson } from './stored-json.ts';

/**
 * Writes `manifest.json`: the sha-256 of every artifact but those that tell of time and place: the run's state,
 * what serves its workflow, and candidate tables of single combinations, which depend on what a person asked for.
 */
export async function writeManifest(store: Store, { runId }: { runId: string }): Promise<void> {
  const keys = runKeys(runId);
  const plan = await readJson(store, keys.plan, planSchema);
  const manifest: Manifest = {
    version: plan.version,
    runId,
    seed: plan.config.seed,
    artifacts: {},
  };
  const left = [keys.run, keys.manifest, keys.lock, keys.tasks.root, keys.confidential.records];
  const artifacts = (await store.list(keys.root)).filter(
    (key) => !left.some((prefix) => key.startsWith(prefix)),
  );
  const entries = readAhead(artifacts, async (key) => {
    const bytes = await store.get(key);
    return { path: key.slice(keys.root.length), sha256: await sha256(bytes), bytes: bytes.length };
  });
  for await (const { path, ...entry } of entries) manifest.artifacts[path] = entry;
  await store.put(keys.manifest, encodeJson(manifest));
}
