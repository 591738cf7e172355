import type { RunModel } from '../../artifacts/run-context.ts';
import { readDataset } from '../../artifacts/stored-dataset.ts';
import { plannedCount, plannedEpsilon } from '../../model/conjugate/planned-count.ts';
import { type CountedRelease, countRelease } from '../../risk/exact/counted-release.ts';
import type { Store } from '../../storage/store.ts';
import type { Combinations } from '../../table/combinations.ts';
import { numbered } from './run-terms.ts';

/**
 * Reads what the table and the datasets of a run by a model of counts come to, cell by cell.
 *
 * @throws RangeError for another model
 */
export async function readCountedRelease(store: Store, { plan, table }: RunModel): Promise<CountedRelease> {
  const datasets: Combinations[] = [];
  for (const l of numbered(plan.datasets.count)) {
    datasets.push((await readDataset(store, plan.runId, l)).combinations);
  }
  return countRelease(table.combinations, datasets, {
    sizes: table.sizes,
    alpha: plannedCount(plan),
    epsilon: plannedEpsilon(plan.config),
  });
}
