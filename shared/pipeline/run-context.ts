import { runKeys } from '../contracts/keys.ts';
import { type Plan, planSchema } from '../contracts/plan.ts';
import { createDpmpm, type Dpmpm } from '../model/dpmpm.ts';
import type { Store } from '../storage/store.ts';
import type { Combinations } from '../table/combinations.ts';
import { requireWired } from './refuse-unwired.ts';
import { readJson } from './stored-json.ts';
import { readStoredTable, type StoredTable } from './stored-table.ts';

/** What every step of a run starts from. */
export interface RunContext {
  readonly plan: Plan;
  readonly table: StoredTable;
  /** The run's model bound to a set of records. */
  bind(combinations: Combinations): Dpmpm;
}

/** Reads the plan and the table of a run. */
export async function readRunContext(store: Store, runId: string): Promise<RunContext> {
  const plan = await readJson(store, runKeys(runId).plan, planSchema);
  const table = await readStoredTable(store, runId);
  const model = requireWired(plan.config);
  return {
    plan,
    table,
    bind: (combinations) => createDpmpm(combinations, table.sizes, model),
  };
}
