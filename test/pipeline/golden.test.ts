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
  version: '0.12.0',
  results: {
    full: '5b1a13aa9439a4b392d3b60a204676bcb91d9f57dba67fe4290196b5e9107b57',
    partial: '554c567bb6e5b7c24d2b230514191eb8850385ca41895cfb37676590a1716b45',
    'dp-areal': 'cffb3b9ea39e011aa85f8c323209b092d7f4f98ce53354ee2c7da2abb7556de9',
    trees: '22b6c7a5202ea8d5ee5ca81b2ae1c941798db36229db995e397b8c1328e23e06',
    'trees of categories': '21f9ab836ef8362da62bbb6c7e268f055f77572d48f58c2651f036e01a71b413',
    'trees of bands': 'cbc51eb11d454a8d7f9e5ceb933a54b161d07a07c5175ea3d6fdec7f7e82e6c9',
    'trees of smoothed bands': '8ec04ced676d5f41a9b067e37d6ed54289cb77dd2cce66c6c93b8ef6ee32f7a7',
    'trees on bootstrap samples': '13ef9e5e3b9adbc21d81cbaa13f25279a988d72a85b7889926eff3227b5506e7',
    counts: '15b602b1368844902c2ceda10031f564784cbecbe01ee632d9818daf9245eca8',
    mixed: 'e74036a6b42595f589f9a503c724911290b40ab094fc1f882e371479c3ed60f1',
    'mixed, partial': '739f36cbc8fe8794e0e23c74cf749c6561e674340b9f978b2e390c391f777153',
  },
  utility: {
    full: '5b3bbe97a1127f7c83d312c24b3e188086cb88dad0bf7d81b4c326976d7fdc0b',
    partial: 'e857b7615d8044ad5d796cda1dba65083fa4e869b27349aaf452bb25b042381b',
    'dp-areal': 'd704e156d187f90e50287a3387be2623fbe8befa517eb1c7a6afc2041db4a5db',
    trees: '6792495bd015dd9176337ea42a6f51e5ce3de05b0ef2c52e9d235ed8a28979fe',
    'trees of categories': 'd30ffca9b716ea8b24650b15008c88e171be3a8b06afe9dbf5d227f5ab9fcb99',
    'trees of bands': '1b7ba3b05e55f61a5f2fa43330bdf73f24011f0f8ab9ee5abb50708c94fdc57f',
    'trees of smoothed bands': '2c2c01d638288f98423b57e57b7237be9e40d89a56117d0e0673cadb932b41ac',
    'trees on bootstrap samples': '9dfa41a90b874e071e8434fa6f84c52f6f80a91457c55dbd9eda3cff71d18484',
    counts: '9af16d892c586fbf706e0b043e794b9ad7e317bd9e30e061a65cfab9d799ae0e',
    mixed: '254ce36039a583f628336fe65bfa00c464342891f84725d19ee9d2d4ccece7e4',
    'mixed, partial': '3fe484ebc6877ee11726d238281bcceec03dafbd6f33d84d187a6218f658f9fd',
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
