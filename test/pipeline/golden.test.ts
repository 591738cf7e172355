import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { configSchema } from '../../shared/contracts/config.ts';
import { VERSION } from '../../shared/contracts/version.ts';
import { mixedTable, runInMemory, SMALL_SETTINGS, smallTable, TREE_SETTINGS } from './small-run.ts';
import { TEST_KEYS } from './test-keys.ts';

const partial = { ...SMALL_SETTINGS, synthesis: { datasets: 2, synthesized: ['education'] } };
const RUNS: Record<string, { settings: object; table: Uint8Array }> = {
  full: { settings: SMALL_SETTINGS, table: smallTable() },
  partial: { settings: partial, table: smallTable() },
  'dp-areal': { settings: { ...partial, model: { name: 'dp-areal', clusters: 6 } }, table: smallTable() },
  trees: { settings: TREE_SETTINGS, table: mixedTable() },
};

/** What the released files and the risk tables of these runs hash to, under keys that are written down. */
const GOLDEN = {
  version: '0.2.0',
  results: {
    full: '302b5941258596784d9dab4c526f2c20c44079a0e81499e86264e1458af1c515',
    partial: '2681046c4f0eac7c896812338bd0f02f833d541cb3adf358d0651db77d62d7cf',
    'dp-areal': 'c29fa8abf47c4bb1eb4b4bc5b139eda8459e57c38271fb5fcf4cf20e82c91701',
    trees: '606d2e7d415150a5f927c583ad7c734537a84030e07a94aba54e0d42c35dcb20',
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
