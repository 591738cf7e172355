import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { VERSION } from '../../shared/contracts/version.ts';
import { TEST_KEYS } from '../test-keys.ts';
import {
  CATEGORY_TREE_SETTINGS,
  COUNT_SETTINGS,
  mixedTable,
  runInMemory,
  SMALL_SETTINGS,
  smallTable,
  TREE_SETTINGS,
} from './small-run.ts';

const partial = { ...SMALL_SETTINGS, synthesis: { datasets: 2, synthesized: ['education'] } };
const bands = {
  ...TREE_SETTINGS.variables,
  income: { type: 'continuous', candidates: { bands: [0, 1, 15000, 30000] } },
};
const ofIncome = { ...TREE_SETTINGS, variables: bands, synthesis: { datasets: 2, synthesized: ['income'] } };
const RUNS: Record<string, { settings: object; table: Uint8Array }> = {
  full: { settings: SMALL_SETTINGS, table: smallTable() },
  partial: { settings: partial, table: smallTable() },
  'dp-areal': { settings: { ...partial, model: { name: 'dp-areal', clusters: 6 } }, table: smallTable() },
  trees: { settings: TREE_SETTINGS, table: mixedTable() },
  'trees of categories': { settings: CATEGORY_TREE_SETTINGS, table: mixedTable() },
  'trees of bands': { settings: ofIncome, table: mixedTable() },
  'trees of smoothed bands': {
    settings: { ...ofIncome, model: { name: 'cart', smoothing: true } },
    table: mixedTable(),
  },
  'trees on bootstrap samples': {
    settings: { ...TREE_SETTINGS, model: { name: 'cart', proper: true } },
    table: mixedTable(),
  },
  counts: { settings: COUNT_SETTINGS, table: smallTable() },
};

/** Utility is measured of what is released, and changes nothing of it: its tables have a digest of their own. */
const isUtility = (path: string) => path.startsWith('confidential/utility.');

/** What the released files and the risk tables of these runs hash to, under keys that are written down. */
const GOLDEN = {
  version: '0.8.0',
  results: {
    full: '6fd734128fbc0dd8a0c4b3abf0414252d679adf3d96b3be6b1398f5668ccdaaa',
    partial: '2f5b6adf92191124c29bbbcf6636e63883864b4371323f86e6020b1b7227bee4',
    'dp-areal': '124b594b0872e2324105a92b47d2dfd861c8ea91fe8c24fb8ec171caae938fb5',
    trees: '606d2e7d415150a5f927c583ad7c734537a84030e07a94aba54e0d42c35dcb20',
    'trees of categories': '9b100fd78d4fab3ce71c9b24a22c8e8ccd58a33fc835a9e77920af2b04333593',
    'trees of bands': '52255cf316535687c5800433febee6e277b3c072e0fc626614db46a797f4363b',
    'trees of smoothed bands': '6fff11f64e4583aefd954c9743be0928b0cef24562f0bb5c44f00c23c6c664ab',
    'trees on bootstrap samples': '0bddb3b95be6656f7ffc7d6787266b1318a0e5408ed78cd8c47753940d7e7f09',
    counts: 'e8139b6bd069e957ee3d0a4a5ad61040e783edc1390d15e312165fb198ff170c',
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
