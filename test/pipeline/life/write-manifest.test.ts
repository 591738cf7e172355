import { expect, it } from 'vitest';
import { encodeCheckedJson, readJson } from '../../../shared/artifacts/stored-json.ts';
import { runKeys } from '../../../shared/contracts/keys.ts';
import { manifestSchema } from '../../../shared/contracts/run/run-state.ts';
import { sha256 } from '../../../shared/contracts/sha256.ts';
import { writeManifest } from '../../../shared/pipeline/life/write-manifest.ts';
import { MemoryStore } from '../../../shared/storage/memory-store.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { runInMemory, smallConfig, smallTable } from '../small-run.ts';

it('finds the digest of a table that is larger than a piece without reading it whole', async () => {
  const { store, plan, keys } = await runInMemory({ ...TEST_KEYS, purpose: 'synthesize', config: smallConfig(), table: smallTable() });
  const large = Uint8Array.from({ length: 70_000_000 }, (_, i) => i % 251);
  const path = 'confidential/variable-risk.csv';
  await store.put(keys.root + path, large);
  let most = 0;
  const { get } = store;
  store.get = async (key, range) => {
    const bytes = await get.call(store, key, range);
    most = Math.max(most, bytes.length);
    return bytes;
  };
  await writeManifest(store, plan);
  store.get = get;
  const { artifacts } = await readJson(store, keys.confidential.manifest, manifestSchema);
  expect(artifacts[path]).toEqual({ sha256: await sha256(large), bytes: large.length });
  expect(most).toBeLessThan(large.length);
});

it('tells what share of the bytes is read, and asks for no sizes where nobody listens', async () => {
  const { store, plan } = await runInMemory({
    ...TEST_KEYS,
    purpose: 'evaluate',
    config: smallConfig(),
    table: smallTable(),
    batchSize: 20,
  });
  const { head } = store;
  let heads = 0;
  store.head = (key) => {
    heads++;
    return head.call(store, key);
  };
  await writeManifest(store, plan);
  const unheard = heads;
  const shares: number[] = [];
  await writeManifest(store, plan, { onShare: (share) => shares.push(share) });
  expect(heads - unheard).toBeGreaterThan(unheard);
  const { artifacts } = await readJson(store, runKeys(plan.runId).confidential.manifest, manifestSchema);
  const entries = Object.entries(artifacts);
  expect(shares).toHaveLength(entries.length);
  expect(shares.at(-1)).toBe(1);
  const bytesOf = (some: typeof entries) => some.reduce((sum, [, { bytes }]) => sum + bytes, 0);
  const parts = entries.filter(([path]) => path.startsWith('parts/'));
  expect(shares[parts.length - 1]).toBe(bytesOf(parts) / bytesOf(entries));
});

it('reads files of parts side by side where they are small, and few at once where batches are large', async () => {
  const config = smallConfig();
  const { store, plan, keys } = await runInMemory({ ...TEST_KEYS, purpose: 'evaluate', config, table: smallTable(), batchSize: 20 });
  const { get } = store;
  const underWay = new Set<string>();
  let most = 0;
  store.get = async (key, range) => {
    if (!key.startsWith(keys.parts)) return get.call(store, key, range);
    underWay.add(key);
    most = Math.max(most, underWay.size);
    await new Promise(setImmediate);
    underWay.delete(key);
    return get.call(store, key, range);
  };
  await writeManifest(store, plan);
  expect(most).toBeGreaterThan(8);
  const manifest = await store.get(keys.confidential.manifest);
  await store.put(keys.plan, encodeCheckedJson({ ...plan, batches: [{ ...plan.batches[0]!, to: 50_000 }] }));
  most = 0;
  await writeManifest(store, plan);
  expect(most).toBe(2);
  const { artifacts } = await readJson(store, keys.confidential.manifest, manifestSchema);
  expect(Object.keys(artifacts)).toEqual(Object.keys(JSON.parse(new TextDecoder().decode(manifest)).artifacts));
});

it('is not written of a run that has lost a dataset to release', async () => {
  const request = { ...TEST_KEYS, purpose: 'synthesize' as const, config: smallConfig(), table: smallTable() };
  const { store, plan, keys } = await runInMemory(request);
  const others = new MemoryStore();
  for (const key of await store.list('')) if (key !== keys.release.dataset(1)) await others.put(key, await store.get(key));
  await expect(writeManifest(others, plan)).rejects.toMatchObject({
    code: 'artifact-not-found',
    message: expect.stringContaining(keys.release.dataset(1)),
  });
});
