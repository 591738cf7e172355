import { type RunContext, type RunModel, readRunContext, readRunModel } from '../../../artifacts/run-context.ts';
import type { Plan } from '../../../contracts/run/plan.ts';
import type { Store } from '../../../storage/store.ts';
import { type ChainModel, type Chains, chainModel } from '../chain-model.ts';

/** A run by a model with chains. */
export interface ChainRun {
  readonly plan: Plan;
  readonly chains: Chains;
}

/** Reads what every chain of a run starts from, with its model to be bound to records. */
export async function openChainRun(store: Store, { plan, chains }: ChainRun): Promise<RunContext & ChainModel> {
  return withModel(await readRunContext(store, plan), chains);
}

/** The same without random streams. */
export async function openChainModel(store: Store, { plan, chains }: ChainRun): Promise<RunModel & ChainModel> {
  return withModel(await readRunModel(store, plan), chains);
}

const withModel = <Model extends RunModel>(run: Model, chains: Chains): Model & ChainModel => ({
  ...run,
  ...chainModel(chains, run.plan.config, run.table.schema, run.support),
});
