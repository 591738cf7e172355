import { storePartialDataset } from '../../../artifacts/stored-dataset.ts';
import { readStreams } from '../../../artifacts/stored-keys.ts';
import { readRecordTable } from '../../../artifacts/stored-table.ts';
import { hasTree, readTree, writeTree } from '../../../artifacts/stored-tree.ts';
import { runKeys } from '../../../contracts/keys.ts';
import type { DatasetSource, Plan, Task } from '../../../contracts/run/plan.ts';
import { cartSettings } from '../../../model/cart/cart-settings.ts';
import { createCartModel, growSynthesisTree, synthesizeByCart } from '../../../model/cart/synthesis.ts';
import type { CartTree } from '../../../model/cart/tree.ts';
import type { Store } from '../../../storage/store.ts';
import type { Column } from '../../../table/table.ts';

/** Grows the tree of one synthesized variable and stores it. Trees are grown on the table alone, in any order. */
export async function growTree(
  store: Store,
  plan: Plan,
  { runId, place }: Extract<Task, { step: 'grow' }>,
  onUnit: () => void,
): Promise<void> {
  if (await hasTree(store, runId, place)) return;
  const table = await readRecordTable(store, plan);
  const tree = growSynthesisTree(table, cartSettings(plan.config, table.schema), place - 1);
  await writeTree(store, runId, place, tree);
  onUnit();
}

/**
 * Drops the records of a run's table down its trees, for one dataset, and stores what they were given there. Where the
 * synthesis is proper, the dataset has trees of its own, which are not kept.
 */
export async function dropDataset(
  store: Store,
  plan: Plan,
  { runId, dataset }: Extract<Task, { step: 'drop' }>,
  onUnit: () => void,
): Promise<void> {
  if ((await store.head(runKeys(runId).dataset(dataset).source)) !== null) return;
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
  await storePartialDataset(store, plan, table, { dataset, rows, source });
  onUnit();
}
