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
    full: '5ce1bdcafdeff6379f6b096bea6466b892f1ed6511f6410c53a5b0df747f9515',
    partial: 'ddf13e6bc95deb0e0af3590fca571b9703eacfb85e05a65cec2d4ffbc559ed81',
    'dp-areal': 'cfcc936f3ef63af98f6f014d99bc9bc656acd481bac13808e73e0ee3575bc03e',
    trees: '22b6c7a5202ea8d5ee5ca81b2ae1c941798db36229db995e397b8c1328e23e06',
    'trees of categories': '94b18427c6d386a461c7e138e36db7e7e11be03920a5f8920811108fda2a7b8b',
    'trees of bands': '3f6aa7cdf41e9659763c109364f54864506883dc222005cc9456ebe971d377b9',
    'trees of smoothed bands': 'b21979faf10ebd69438fc6c8deb324084a3696976d1499b80900443da48f246f',
    'trees on bootstrap samples': '13ef9e5e3b9adbc21d81cbaa13f25279a988d72a85b7889926eff3227b5506e7',
    counts: '437a4bb12fb04437bdbb8f7428c614bebe7249563051481a9d3936666d959394',
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
