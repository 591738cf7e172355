import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { VERSION } from '../../shared/contracts/version.ts';
import { TEST_KEYS } from '../test-keys.ts';
import {
  CATEGORY_TREE_SETTINGS,
  COUNT_SETTINGS,
  MIXED_SETTINGS,
  mixedTable,
  runInMemory,
  SMALL_SETTINGS,
  smallTable,
  TREE_SETTINGS,
} from './small-run.ts';

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
  mixed: { settings: MIXED_SETTINGS, table: mixedTable() },
  'mixed, partial': {
    settings: { ...MIXED_SETTINGS, synthesis: { datasets: 2, synthesized: ['employment', 'income'] } },
    table: mixedTable(),
  },
};

/** Utility is measured of what is released, and changes nothing of it: its tables have a digest of their own. */
const isUtility = (path: string) => path.startsWith('confidential/utility.');

/** What the released files and the risk tables of these runs hash to, under keys that are written down. */
const GOLDEN = {
  version: '0.26.0',
  results: {
    full: 'f964a8c67a23db44915918da61f1a51dad5ac236ed61038690e3d80fddf3ee72',
    partial: '24194e339c5ca6029398a02dabbd267f03ab4c655a8b8fe75730178573195db9',
    'dp-areal': 'efec7ec2ccf06b24fb26bded1fd3b93601bb4d3037ff436ab0834534942f2223',
    trees: '22b6c7a5202ea8d5ee5ca81b2ae1c941798db36229db995e397b8c1328e23e06',
    'trees of categories': '36d7184ef09b3888779701378272d2ffc48d7841c568d6eaa1a84158d0654e3e',
    'trees of bands': 'a26b841c103ea29ed258e77f9f3b18ea00bc0b009f9cfe34c25d59523a8a8e1c',
    'trees of smoothed bands': '0a9aff519931cf69a4b941028da0a5d13771f0c33b1b570644c8621f8e7703c3',
    'trees on bootstrap samples': '13ef9e5e3b9adbc21d81cbaa13f25279a988d72a85b7889926eff3227b5506e7',
    counts: 'd156f1c88eeabf7563b68fcfb93447d55b846974952343f0cfc45580ad9af5f6',
    mixed: 'aae7eb85d48d8df386493dfe6ca75fa7e4700b83e7c1210016c57b0747b69e47',
    'mixed, partial': '91468478419ce8233658e561fac70714d5b5488ec87f5c2adc3896b9ef00fe6b',
  },
  utility: {
    full: '721bcc11465c3d3c9d2319862eb66dd7f09ca30318d5a4c38b846d8ae052eb41',
    partial: 'bea5eb358b60262a8cbae505b8d6b2efbbbdf8442cb7bfc89e6cde3fac829b1a',
    'dp-areal': 'c99a0ae787b45ade05b9ce65d515cfc16a584e82369e0befaa223ab51d766cef',
    trees: '794808259cccd21dad5b4002a196d586173c38163f26a16c83b2402a86e869a7',
    'trees of categories': 'd5c13778773f0b9ad1a775ec0e05aa772614a4bd2d9cf893ed4e631f994318d1',
    'trees of bands': '8401ae24d35c6b9ccc1dc0222ce6b349ec42c4a684f74c0979c4833a19f5fd99',
    'trees of smoothed bands': '5fc0b5e03091a36f366cfe7092e1629bcd25ff926c334dfc818204aa423cd9d4',
    'trees on bootstrap samples': '16a2ddef838688fd6e75f24adb40a77e731f608028def486553fafea00dadf75',
    counts: '693edb8fdbed9d2323ebcad57240e9779defbd37ffe93297879d37b94745d77f',
    mixed: '33a25602457e16e1842da837c091b2e4680026c0dc8e925391f99269d3015224',
    'mixed, partial': 'b562322de4584c64a25ead3c8526f75601d55688fd375f755b824d5f5812555e',
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
