import { readRecordTable } from '../../../artifacts/stored-columns.ts';
import { hasTree, writeTree } from '../../../artifacts/stored-tree.ts';
import type { Plan, Task } from '../../../contracts/run/plan.ts';
import { cartSettings } from '../../../model/cart/cart-settings.ts';
import { growSynthesisTree } from '../../../model/cart/synthesis.ts';
import type { Store } from '../../../storage/store.ts';

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
