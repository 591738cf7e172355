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
  version: '0.29.0',
  results: {
    full: '3a849109a2f3848229cbd3c155c997235be86fa9fb6bafcdcd52871736dba1bc',
    partial: '9c37013c33fac9554261e8f4d5a748fb6cb4374e63df105c35f42fc3a1cbfdcb',
    'dp-areal': 'df483b6fcc4e0d2875ef22ce5588ec5075b76cf6ddab965f03b8f2d11df0c22e',
    trees: '66f2810b4bf5a9eecafcfa6329d928dbab40016bc92d7093637a1212783f69f2',
    'trees of categories': 'dda217c063cf87d2d52d893841d272becbc1f3815239e05bce89ecaf3d9d7652',
    'trees of bands': '0e17da73aea51e6a30c339692282f42b2f8b663795e750dddecb6aca756e0f38',
    'trees of smoothed bands': '1d5f55bfd5be3c56d599a8acfac6b51a92be81c60cf2ed9d5e0aa186428f5d39',
    'trees on bootstrap samples': '60a4bcc22e301eab41d8c7fa77497955312cbc5bf5f009b614eda3deffea201a',
    counts: 'e43f2c4eb987d80ef614bd7a98dd24f376e57c42aa046ba6fed720a290e2c28c',
    mixed: 'fb6f0201e11aa5cd8e7f31fb12dc200a11f2931ebf3908fb32fd78357ceedf50',
    'mixed, partial': '0b37cd07b63ba75adeaf4aa9984e5e650ceacc816bace62562dc933a255dd13b',
  },
  utility: {
    full: 'e4ecf90858189a3bacfa91efdd0728b4638e46f4b84df2da80a52bc1757a90e2',
    partial: '91013e340a27b5d72cf48e5af5284da9b5fedbb0a164a5cd92bc246956b187fe',
    'dp-areal': '707292f394591ce3ccf99fc0e5606aa6b431347032fe0b0328fa4a1ebc4c790f',
    trees: '9e169a1cefc53ada48d243ef727a7cd00a68aeef23a133c826f97cb6f2f6846b',
    'trees of categories': '4ecee8152e30169438854f45e72ac7c2eec2a773658c2bfceee7ff8924e9c0cc',
    'trees of bands': 'f6304fa8973582feab0fb66487a1503a520437884115ad22f8df885d116fbaeb',
    'trees of smoothed bands': '3c643e84c8e81d75e66e8b5dc0f6c3194bb7149ab3c1fe7629e84e40efcf4b8c',
    'trees on bootstrap samples': '0d71fe82b6051d4e6c7a429924ff36ff25122f6155746713fe526debd903b905',
    counts: 'a3910fc7653ec363d05e97bbbdf06fdae8639c9b32e5b5c0cddab2be013c2167',
    mixed: '6190db46c7f9fde8f09895fccba47db1352cbad64c8a8c085512672786820cde',
    'mixed, partial': 'cbb73135ae6de9448d33446b9bd6f4404916d9ac91d1e2ed4a6a1c0904ea0c47',
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
