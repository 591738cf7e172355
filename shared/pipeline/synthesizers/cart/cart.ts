import { storeRecordDataset } from '../../../artifacts/stored-dataset.ts';
import { readStreams } from '../../../artifacts/stored-keys.ts';
import { readRecordTable } from '../../../artifacts/stored-table.ts';
import { readTree, writeTree } from '../../../artifacts/stored-tree.ts';
import type { Config } from '../../../contracts/config/config.ts';
import { InvalidConfigError, UnsupportedOptionError } from '../../../contracts/errors.ts';
import { DECLARE_CANDIDATES, PROPER_TREES, withoutCandidates } from '../../../contracts/models/cart.ts';
import { settingsOf } from '../../../contracts/models/models.ts';
import type { DatasetSource, Plan, Task } from '../../../contracts/run/plan.ts';
import type { TableSchema } from '../../../contracts/schema.ts';
import { cartSettings, createCartModel, growSynthesisTree, synthesizeByCart } from '../../../model/cart/synthesis.ts';
import type { CartTree } from '../../../model/cart/tree.ts';
import type { Store } from '../../../storage/store.ts';
import { recordBytes } from '../../../table/record-bytes.ts';
import type { Column } from '../../../table/table.ts';
import { numbered } from '../../rounds/chains-needed.ts';
import { type RunSizes, recordTextBytes, type TaskBytes } from '../run-sizes.ts';
import type { Synthesizer } from '../synthesizer.ts';
import { estimateTrees } from './estimate-trees.ts';
import { refuteTrees } from './refute-trees.ts';

/** Grows the tree of one synthesized variable and stores it. Trees are grown on the table alone, in any order. */
async function growTree(store: Store, plan: Plan, { runId, place }: Extract<Task, { step: 'grow' }>, onUnit: () => void): Promise<void> {
  const table = await readRecordTable(store, plan);
  const tree = growSynthesisTree(table, cartSettings(plan.config, table.schema), place - 1);
  await writeTree(store, runId, place, tree);
  onUnit();
}

/**
 * Drops the records of a run's table down its trees, for one dataset, and stores what they were given there. Where the
 * synthesis is proper, the dataset has trees of its own, which are not kept.
 */
async function dropDataset(
  store: Store,
  plan: Plan,
  { runId, dataset }: Extract<Task, { step: 'drop' }>,
  onUnit: () => void,
): Promise<void> {
  const table = await readRecordTable(store, plan);
  const settings = cartSettings(plan.config, table.schema);
  const random = (await readStreams(store, plan)).openReleased(`dataset/${dataset}`);
  let columns: Column[];
  // Bootstrap samples are part of what is released, and come from its stream.
  if (settings.proper) columns = synthesizeByCart(table, settings, random);
  else {
    const trees: CartTree[] = [];
    for (const place of settings.synthesized.keys()) trees.push(await readTree(store, runId, place + 1));
    columns = createCartModel(table, settings, trees).synthesize(random);
  }
  const { records } = table;
  const source: DatasetSource = { origin: 'synthesized', records, chain: null, draw: null, iteration: null };
  const rows = new Map(settings.synthesized.map((variable, j) => [variable, columns[j]!]));
  await storeRecordDataset(store, plan, table, { dataset, rows, source });
  onUnit();
}

const DOUBLE = Float64Array.BYTES_PER_ELEMENT;

/** Places of records, which orders and groups of them hold. */
const PLACE = 4;

/** What growing a tree takes, and drawing a dataset, which is written as text twice over for a moment. */
export function treeBytes({ plan, schema }: RunSizes): TaskBytes {
  const { records } = plan.table;
  const { synthesized } = cartSettings(plan.config, schema);
  const continuous = schema.variables.filter(({ type }) => type === 'continuous').length;
  const table = records * recordBytes(schema);
  // Orders of the records by each continuous predictor, and by the response as it is sorted; sides; donors.
  const growing = records * ((4 + continuous) * PLACE + 2 * DOUBLE);
  const dropping = records * (2 * PLACE + 1);
  const dataset = records * (recordBytes(schema) + 2 * recordTextBytes(schema));
  return {
    fit: table + growing,
    synthesize: table + records * recordBytes(schema, synthesized) + dropping + dataset,
    augment: 0,
    held: 0,
    stored: 0,
  };
}

/**
 * Refuses attribute risk that is asked for and cannot be measured.
 *
 * @throws InvalidConfigError `continuous-without-candidates`
 * @throws UnsupportedOptionError `proper-trees`
 */
function refuseCandidates(config: Config, schema: TableSchema): void {
  const asked =
    Object.values(config.variables).some(({ candidates }) => candidates !== undefined) ||
    config.attributeRisk.scenarios.some(({ candidates }) => candidates !== 'one-change');
  if (!asked) return;
  if (settingsOf(config.model, 'cart').proper) throw new UnsupportedOptionError('proper-trees', PROPER_TREES);
  const missing = withoutCandidates(config, schema);
  if (missing.length > 0) {
    throw new InvalidConfigError(
      'continuous-without-candidates',
      `Attribute risk is asked for, and ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} continuous and synthesized without candidates. ${DECLARE_CANDIDATES}`,
    );
  }
}

/** Sequential classification and regression trees (Hornby & Hu 2021, section 3): one tree a synthesized variable. */
export const cart: Synthesizer = {
  chains: null,
  refusePurpose(purpose) {
    if (purpose !== 'calibrate') return;
    throw new UnsupportedOptionError(
      'no-attribute-risk',
      'The attribute risk of trees is exact: it claims what it achieves, and there is nothing to calibrate. Evaluate the table.',
    );
  },
  refuseTable: (config, { schema }) => refuseCandidates(config, schema),
  refuteDatasets: refuteTrees,
  tasks({ runId, config, datasets, table }) {
    if (datasets.origin !== 'synthesized') return { fit: [], synthesize: [], augment: [] };
    // Proper synthesis grows trees of their own for each dataset.
    const { proper } = settingsOf(config.model, 'cart');
    const { synthesized } = config.synthesis;
    const trees = synthesized === 'all' ? table.variables : synthesized.length;
    return {
      fit: numbered(proper ? 0 : trees).map((place) => ({ step: 'grow', runId, place })),
      synthesize: numbered(datasets.count).map((dataset) => ({ step: 'drop', runId, dataset })),
      augment: [],
    };
  },
  steps: { grow: { run: growTree, units: () => 1 }, drop: { run: dropDataset, units: () => 1 } },
  bytes: treeBytes,
  estimate: estimateTrees,
  describe: () => ({ classes: null, classesReason: 'they have leaves, and neither classes nor chains' }),
};
