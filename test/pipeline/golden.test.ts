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
  version: '0.7.0',
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
    full: '528b0ba52e0ece63e085d866a2799606827d72ccdcfda9f7e482f67a7cae45c0',
    partial: '4f3c3bf19f56a864c481b95766d167d43c68753251c5f1876dd70a2e3d5a9b06',
    'dp-areal': '7798bc9e03c3d33ae13b8044e7b78e6e8a74b4c4cd8406c33cce3295647dcc32',
    trees: 'f800e59a5a48dfcd980c0d024233399356301db3054d21e6bd47d850cfea3eb3',
    'trees of categories': '8b614b02d68dc79a28910ffd2c538b452e3750d966936bd101666c782df7ea80',
    'trees of bands': 'a8de24cd5425de8c64e0f12a75dbb7d0de5bdec9cf3d290b468fc72e4b198ec5',
    'trees of smoothed bands': '87ffed85708c8ca498ffb563985564d3d86904f43b73d2ba799f497c7d8258c6',
    'trees on bootstrap samples': '1d402bebb1da98fcc440e03bb5d3fafafdedf631759818f1c173fb8d17883b34',
    counts: '2412331a8d8317f6c71f80da2623d704890df4da6586161bdf35aed81159f010',
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
