import type { Plan } from '../contracts/run/plan.ts';
import type { Store } from '../storage/store.ts';
import type { Table } from '../table/table.ts';
import { readPartialDataset, readRecordTable } from './stored-columns.ts';

/** A table and its partially synthetic datasets, all in the order of the records. */
export interface PartialRelease {
  readonly table: Table;
  readonly datasets: readonly Table[];
}

/** Reads a run's table and all its datasets where variables are kept; null where none is. */
export async function readPartialRelease(store: Store, plan: Plan): Promise<PartialRelease | null> {
  if (plan.config.synthesis.synthesized === 'all') return null;
  const table = await readRecordTable(store, plan);
  const datasets: Table[] = [];
  for (let l = 1; l <= plan.datasets.count; l++) datasets.push(await readPartialDataset(store, plan, l, table));
  return { table, datasets };
}
