import { runKeys } from '../contracts/keys.ts';
import { type Plan, planSchema } from '../contracts/plan.ts';
import { createDpmpm, type Dpmpm } from '../model/dpmpm.ts';
import type { Store } from '../storage/store.ts';
import type { Combinations } from '../table/combinations.ts';
import { dpmpmSettings } from './chain-model.ts';
import { readJson } from './stored-json.ts';
import { readStoredTable, type StoredTable } from './stored-table.ts';
import { synthesizedVariables } from './synthesized-variables.ts';

/** What every step of a run starts from. */
export interface RunContext {
  readonly plan: Plan;
  readonly table: StoredTable;
  /** Variables that are synthesized from each record's own class, the others being kept; null where none is kept. */
  readonly synthesized: readonly number[] | null;
  /**
   * The run's model bound to a set of records.
   *
   * @param variableOfColumn the variable of each column of the combinations; a column a variable if not said otherwise
   */
  bind(combinations: Combinations, variableOfColumn?: readonly number[]): Dpmpm;
}

/** Reads the plan and the table of a run. */
export async function readRunContext(store: Store, runId: string): Promise<RunContext> {
  const plan = await readJson(store, runKeys(runId).plan, planSchema);
  const table = await readStoredTable(store, runId);
  const model = dpmpmSettings(plan.config);
  const { synthesized } = plan.config.synthesis;
  return {
    plan,
    table,
    synthesized: synthesized === 'all' ? null : synthesizedVariables(synthesized, table.schema),
    bind: (combinations, variableOfColumn) => createDpmpm(combinations, table.sizes, model, variableOfColumn),
  };
}
