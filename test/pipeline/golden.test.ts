import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { VERSION } from '../../shared/contracts/version.ts';
import { TEST_KEYS } from '../test-keys.ts';
import {
  COUNT_SETTINGS,
  mixedTable,
  runInMemory,
  SMALL_SETTINGS,
  smallTable,
  TREE_SETTINGS,
} from './small-run.ts';

const partial = { ...SMALL_SETTINGS, synthesis: { datasets: 2, synthesized: ['education'] } };
const RUNS: Record<string, { settings: object; table: Uint8Array }> = {
  full: { settings: SMALL_SETTINGS, table: smallTable() },
  partial: { settings: partial, table: smallTable() },
  'dp-areal': { settings: { ...partial, model: { name: 'dp-areal', clusters: 6 } }, table: smallTable() },
  trees: { settings: TREE_SETTINGS, table: mixedTable() },
  counts: { settings: COUNT_SETTINGS, table: smallTable() },
};

/** What the released files and the risk tables of these runs hash to, under keys that are written down. */
const GOLDEN = {
  version: '0.3.0',
  results: {
    full: '98fe2ebd74eba43a6a78a8c658739f07446931c8a963360a78a615f36d075105',
    partial: 'b3a75d8fd64157f8f29c8432eda3c3029bbd1682ea87730504bb3173472ed8f0',
    'dp-areal': '8c341e072c5a4a67bc5199527332f476d7a9da8def0d3cd82fb5848f8217e2ee',
    trees: '606d2e7d415150a5f927c583ad7c734537a84030e07a94aba54e0d42c35dcb20',
    counts: '0b892ddf8a6074c59f704c39a6eebb9fc69e0c1a86e325e296d286bf7bf4d895',
  },
};

/** One digest of everything that a version must give again for the same input, seed and key. */
async function digestOf({ settings, table }: (typeof RUNS)[string]): Promise<string> {
  const request = { ...TEST_KEYS, purpose: 'evaluate' as const, config: configSchema.parse(settings), table };
  const { store, keys } = await runInMemory(request);
  const hash = createHash('sha256');
  for (const key of await store.list(keys.root)) {
    const path = key.slice(keys.root.length);
    if (!/^release\/|^confidential\/.*\.(csv|parquet)$/.test(path)) continue;
    hash.update(`${path}\n`).update(await store.get(key));
  }
  return hash.digest('hex');
}

it('gives the results of its version: where they differ, the version has to change with them', async () => {
  const results: Record<string, string> = {};
  for (const [name, run] of Object.entries(RUNS)) results[name] = await digestOf(run);
  expect({ version: VERSION, results }).toEqual(GOLDEN);
});
