import { expect, it } from 'vitest';
import { readJson } from '../../../shared/artifacts/stored-json.ts';
import { manifestSchema } from '../../../shared/contracts/run/run-state.ts';
import { sha256 } from '../../../shared/contracts/sha256.ts';
import { writeManifest } from '../../../shared/pipeline/life/write-manifest.ts';
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
