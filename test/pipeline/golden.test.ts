import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { VERSION } from '../../shared/contracts/version.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { CATEGORY_TREE_SETTINGS, COUNT_SETTINGS, mixedTable, runInMemory, SMALL_SETTINGS, smallTable, TREE_SETTINGS } from './small-run.ts';

const partial = { ...SMALL_SETTINGS, synthesis: { datasets: 2, synthesized: ['education'] } };
const bands = { ...TREE_SETTINGS.variables, income: { type: 'continuous', candidates: { bands: [0, 1, 15000, 30000] } } };
const ofIncome = { ...TREE_SETTINGS, variables: bands, synthesis: { datasets: 2, synthesized: ['income'] } };
const RUNS: Record<string, { settings: object; table: Uint8Array }> = {
  full: { settings: SMALL_SETTINGS, table: smallTable() },
  partial: { settings: partial, table: smallTable() },
  'dp-areal': { settings: { ...partial, model: { name: 'dp-areal', clusters: 6 } }, table: smallTable() },
  trees: { settings: TREE_SETTINGS, table: mixedTable() },
  'trees of categories': { settings: CATEGORY_TREE_SETTINGS, table: mixedTable() },
  'trees of bands': { settings: ofIncome, table: mixedTable() },
  'trees of smoothed bands': { settings: { ...ofIncome, model: { name: 'cart', smoothing: true } }, table: mixedTable() },
  'trees on bootstrap samples': { settings: { ...TREE_SETTINGS, model: { name: 'cart', proper: true } }, table: mixedTable() },
  counts: { settings: COUNT_SETTINGS, table: smallTable() },
};

/** Utility is measured of what is released, and changes nothing of it: its tables have a digest of their own. */
const isUtility = (path: string) => path.startsWith('confidential/utility.');

/** What the released files and the risk tables of these runs hash to, under keys that are written down. */
const GOLDEN = {
  version: '0.9.0',
  results: {
    full: '34ef1c94b25498d0f76345e80b5dbce84f4159bbfd251658f5c49bdbf7d2dc15',
    partial: '9420a169d74d6c116dc2fc249859e7f4b0edf1a8a00ec1555e9949ff051ea6a8',
    'dp-areal': 'e0003952882c6f074320607df30266e8be5f2ce5606d880f7fc27cda0b2a98a9',
    trees: '22b6c7a5202ea8d5ee5ca81b2ae1c941798db36229db995e397b8c1328e23e06',
    'trees of categories': 'a259425ee6ae138b0a4194994bb16cedcc88f5aa5c34817f241f43d9c0b15442',
    'trees of bands': '0bc636d31269247d50c11e6e4944a828e05b8a76084b03920954617160cace40',
    'trees of smoothed bands': 'bc57ede14af1a5afa06d6aa6594393942226b76158f0d8f3bd2b2625a12f6c3b',
    'trees on bootstrap samples': '13ef9e5e3b9adbc21d81cbaa13f25279a988d72a85b7889926eff3227b5506e7',
    counts: '6e7f7796ff4ac486ce46c1603d9d0fe1b702d7cd48ce1f2ccc509914b44eda6f',
  },
  utility: {
    full: '3df751894a833573cc9bdb62b344e817348c215756e6801577b361811c9a177f',
    partial: '85250713ece214c45dc6e49d79bc1bbd8ce20b455e7cd31aa91321a4367d8c8a',
    'dp-areal': '894979d9b69107cf9b7e5ca66f4d9f903c7fba39f9e0c979385d742563e5343e',
    trees: '135a20e6cdf6e41deaf4aea1057eaa05f4f26cc69a0e7c494b6c34a81839cad8',
    'trees of categories': 'af9d2cc52f373efa47b70268b4e4a61c331aafe1e5406236ce22b0d98cc07e87',
    'trees of bands': '4e7ae5855064dd51cb5519033e742546ad90cb458f164f3266984a8e8f2fd863',
    'trees of smoothed bands': 'af74f99159e9ee7a4c9334e2887341b73e27c22e290349d25ef76b7eb86c049a',
    'trees on bootstrap samples': 'fe9f1a8c641304a5a53c4347c686a3567a1f982043b1f25c0af73066783102b9',
    counts: '55070b166c591b8036906edeaf802e9a89ed3e70612f2017886bf4e1e38922ca',
  },
};

/** One digest of everything that a version must give again for the same input, seed and key, and one of utility. */
async function digestsOf({ settings, table }: (typeof RUNS)[string]): Promise<[string, string]> {
  const request = { ...TEST_KEYS, purpose: 'evaluate' as const, config: configSchema.parse(settings), table };
  const { store, keys } = await runInMemory(request);
  const hash = createHash('sha256');
  const ofUtility = createHash('sha256');
  for (const key of await store.list(keys.root)) {
    const path = key.slice(keys.root.length);
    if (!/^release\/|^confidential\/.*\.(csv|parquet)$/.test(path)) continue;
    (isUtility(path) ? ofUtility : hash).update(`${path}\n`).update(await store.get(key));
  }
  return [hash.digest('hex'), ofUtility.digest('hex')];
}

it('gives the results of its version: where they differ, the version has to change with them', async () => {
  const results: Record<string, string> = {};
  const utility: Record<string, string> = {};
  for (const [name, run] of Object.entries(RUNS)) [results[name], utility[name]] = await digestsOf(run);
  expect({ version: VERSION, results, utility }).toEqual(GOLDEN);
});
