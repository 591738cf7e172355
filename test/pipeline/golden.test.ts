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
  version: '0.10.0',
  results: {
    full: 'f272b3e8f2d522b61ceb81ddf47cd03a63b3fe9caa3cb5c8c942f1cfe0cb1d6f',
    partial: '48e6a5c7692380a435f37eefe898cef324720b68c944101bf4b0166c5bee266a',
    'dp-areal': 'e034a3f9c8a5299e4b40f68f80707bb51d94f33bf1766ebc87124faec4e7d5f9',
    trees: '22b6c7a5202ea8d5ee5ca81b2ae1c941798db36229db995e397b8c1328e23e06',
    'trees of categories': 'a259425ee6ae138b0a4194994bb16cedcc88f5aa5c34817f241f43d9c0b15442',
    'trees of bands': '0bc636d31269247d50c11e6e4944a828e05b8a76084b03920954617160cace40',
    'trees of smoothed bands': 'bc57ede14af1a5afa06d6aa6594393942226b76158f0d8f3bd2b2625a12f6c3b',
    'trees on bootstrap samples': '13ef9e5e3b9adbc21d81cbaa13f25279a988d72a85b7889926eff3227b5506e7',
    counts: 'f4236717ec7dbeca517f529c7f9272bb5b8e7fc5d3401dda81d8535061b7dea6',
  },
  utility: {
    full: '20ea15165f351948f81065a7653de8404aa8e65d5d889ddfe25120af824e0124',
    partial: '00b99e3bcd28d295c7631832efb9000e94435c674cff9fc328ef4a7fe6378416',
    'dp-areal': 'e6419acc1b04e636cb172788c15383060088b2ac4053b7ad8a04a3342e858034',
    trees: '37903024c5d522aabd19ba0e8652fe52233a92889fe0d55dc0c270e29bbbaad5',
    'trees of categories': 'd6452f8d76279aa245cac6ebff9bdc33cf23104199c0da18a6f3b7046a9b279e',
    'trees of bands': 'd567eb0b34c7011a2207dee9ed39e33c25d7558cf487a9e1c6175a76a000fea5',
    'trees of smoothed bands': 'e02c88796a67c904a07b4b4c4b0bc83be30161b8aa315c0e56d364ed324a4408',
    'trees on bootstrap samples': '086ef2c434ce6269572fcd2305fd1fd40c98c03699085a36d0901daf73f7a004',
    counts: 'e30ffd4528652db2b73cd1e2bdffb4879b72a2dc6de20ea06daaf3916aecd086',
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
