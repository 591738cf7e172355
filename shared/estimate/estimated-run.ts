import { runKeys } from '../contracts/keys.ts';
import { planSchema } from '../contracts/plan.ts';
import { tableSchema } from '../contracts/schema.ts';
import { hasChains } from '../pipeline/chains-needed.ts';
import type { PlannedRun } from '../pipeline/plan-run.ts';
import { readRunModel } from '../pipeline/run-context.ts';
import { readRecordTable } from '../pipeline/stored-columns.ts';
import { readJson } from '../pipeline/stored-json.ts';
import type { Store } from '../storage/store.ts';
import type { Combinations } from '../table/combinations.ts';
import type { Support } from '../table/support.ts';

/** A run as far as its estimate needs it, before it is stored or after. */
export type EstimatedRun = Omit<PlannedRun, 'releaseKey' | 'support' | 'datasets' | 'replicates'> & {
  readonly support: { readonly support: Support } | null;
};

/** A run whose model has chains, as far as its estimate needs it. */
export type EstimatedChains = EstimatedRun & { readonly combinations: Combinations };

/** Reads a stored run; of its input, which has been read, nothing more will be. */
export async function readEstimatedRun(store: Store, runId: string): Promise<EstimatedRun> {
  const keys = runKeys(runId);
  const plan = await readJson(store, keys.plan, planSchema);
  const schema = await readJson(store, keys.table.schema, tableSchema);
  const partial = plan.config.synthesis.synthesized !== 'all';
  const records = partial ? await readRecordTable(store, runId) : null;
  const run = { plan, schema, records, inputBytes: 0 };
  if (!hasChains(plan.config)) return { ...run, combinations: null, support: null };
  const { support, table } = await readRunModel(store, runId);
  return { ...run, combinations: table.combinations, support: support ? { support } : null };
}
