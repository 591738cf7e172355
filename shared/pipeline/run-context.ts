import { runKeys } from '../contracts/keys.ts';
import { type Plan, planSchema } from '../contracts/plan.ts';
import type { Store } from '../storage/store.ts';
import { type ChainModel, chainModel } from './chain-model.ts';
import { readJson } from './stored-json.ts';
import { readStoredTable, type StoredTable } from './stored-table.ts';

/** What every step of a run whose model has chains starts from. */
export interface RunContext extends ChainModel {
  readonly plan: Plan;
  readonly table: StoredTable;
}

/** Reads the plan and the table of a run. */
export async function readRunContext(store: Store, runId: string): Promise<RunContext> {
  const plan = await readJson(store, runKeys(runId).plan, planSchema);
  const table = await readStoredTable(store, runId);
  return { plan, table, ...chainModel(plan.config, table.schema) };
}
