import { readRunModel } from '../artifacts/run-context.ts';
import { readRecordTable } from '../artifacts/stored-columns.ts';
import { readCheckedJson } from '../artifacts/stored-json.ts';
import { runKeys } from '../contracts/keys.ts';
import { planSchema } from '../contracts/run/plan.ts';
import { tableSchema } from '../contracts/schema.ts';
import { hasCombinations } from '../pipeline/rounds/chains-needed.ts';
import type { MeasuredRun } from '../pipeline/synthesizers/run-sizes.ts';
import type { Store } from '../storage/store.ts';

/** Reads a stored run; of its input, which has been read, nothing more will be. */
export async function readEstimatedRun(store: Store, runId: string): Promise<MeasuredRun> {
  const keys = runKeys(runId);
  const plan = await readCheckedJson(store, keys.plan, planSchema);
  const schema = await readCheckedJson(store, keys.table.schema, tableSchema);
  const partial = plan.config.synthesis.synthesized !== 'all';
  const records = partial ? await readRecordTable(store, plan) : null;
  const run = { plan, schema, records, inputBytes: 0 };
  if (!hasCombinations(plan.config)) return { ...run, combinations: null, support: null };
  const { support, table } = await readRunModel(store, runId);
  return { ...run, combinations: table.combinations, support: support ? { support } : null };
}
