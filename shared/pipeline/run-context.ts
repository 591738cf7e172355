import { runKeys } from '../contracts/keys.ts';
import { type Plan, planSchema } from '../contracts/plan.ts';
import { decodeNpy } from '../draws/npy.ts';
import type { Store } from '../storage/store.ts';
import { type Support, supportOf } from '../table/support.ts';
import { type ChainModel, chainModel } from './chain-model.ts';
import { readJson } from './stored-json.ts';
import { readStoredTable, type StoredTable } from './stored-table.ts';

/** What every step of a run whose model has chains starts from. */
export interface RunContext extends ChainModel {
  readonly plan: Plan;
  readonly table: StoredTable;
  /** The possible cells, where the run has structural zeros. */
  readonly support?: Support;
}

/** Reads the plan and the table of a run. */
export async function readRunContext(store: Store, runId: string): Promise<RunContext> {
  const plan = await readJson(store, runKeys(runId).plan, planSchema);
  const table = await readStoredTable(store, runId);
  const support = await readSupport(store, plan, table);
  return {
    plan,
    table,
    ...(support ? { support } : {}),
    ...chainModel(plan.config, table.schema, support),
  };
}

/** The possible cells of a run, from the structural zeros that it has stored; undefined where it has none. */
async function readSupport(
  store: Store,
  { runId, config }: Plan,
  { sizes }: StoredTable,
): Promise<Support | undefined> {
  if (config.synthesis.structuralZeros === undefined) return undefined;
  const key = runKeys(runId).table.structuralZeros;
  const { data, shape } = decodeNpy(await store.get(key), key);
  return supportOf({ rules: shape[0]!, codes: data as Uint16Array }, sizes);
}
