import { readRunContext } from '../../../artifacts/run-context.ts';
import { storeFullDataset } from '../../../artifacts/store-full-dataset.ts';
import { runKeys } from '../../../contracts/keys.ts';
import type { DatasetSource, Plan, Task } from '../../../contracts/run/plan.ts';
import { drawRecords } from '../../../model/conjugate/draw-records.ts';
import { plannedCount } from '../../../model/conjugate/planned-count.ts';
import type { Store } from '../../../storage/store.ts';

/** Draws one dataset from the smoothed counts of a run's table, and stores it. One that is there is left alone. */
export async function drawDataset(
  store: Store,
  plan: Plan,
  { runId, dataset }: Extract<Task, { step: 'draw' }>,
  onUnit: () => void,
): Promise<void> {
  if ((await store.head(runKeys(runId).dataset(dataset).source)) !== null) return;
  const { table, streams } = await readRunContext(store, plan);
  const { records } = plan.table;
  const random = streams.openReleased(`dataset/${dataset}`);
  const rows = drawRecords(table.combinations, table.sizes, plannedCount(plan), records, random);
  const source: DatasetSource = { origin: 'synthesized', records, chain: null, draw: null, iteration: null };
  await storeFullDataset(store, plan, table.schema, { dataset, rows, source });
  onUnit();
}
