import { readRunModel } from '../artifacts/run-context.ts';
import { readRecordTable } from '../artifacts/stored-columns.ts';
import { readCheckedJson } from '../artifacts/stored-json.ts';
import { runKeys } from '../contracts/keys.ts';
import { planSchema } from '../contracts/run/plan.ts';
import type { Scenario } from '../contracts/run/scenarios.ts';
import { tableSchema } from '../contracts/schema.ts';
import type { PlannedRun } from '../pipeline/plan/planned-run.ts';
import { hasCombinations } from '../pipeline/rounds/chains-needed.ts';
import type { Store } from '../storage/store.ts';
import type { Combinations } from '../table/combinations.ts';
import type { Support } from '../table/support/support.ts';

/** A run as far as its estimate needs it, before it is stored or after. */
export type EstimatedRun = Omit<
  PlannedRun,
  'releaseKey' | 'support' | 'prior' | 'known' | 'datasets' | 'replicates'
> & {
  readonly support: { readonly support: Support } | null;
};

/** A run whose model has chains, as far as its estimate needs it. */
export type EstimatedChains = EstimatedRun & { readonly combinations: Combinations };

/** The same with the one of its scenarios of which something is measured. */
export type EstimatedScenario = EstimatedChains & { readonly scenario: Scenario };

/** Reads a stored run; of its input, which has been read, nothing more will be. */
export async function readEstimatedRun(store: Store, runId: string): Promise<EstimatedRun> {
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
