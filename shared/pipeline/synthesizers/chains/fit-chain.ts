import { hasDraws, writeDraws } from '../../../artifacts/stored-draws.ts';
import { earlySchedule, integratesPhi, keepsLatent } from '../../../contracts/config/config.ts';
import type { Task } from '../../../contracts/run/plan.ts';
import { sampleChain } from '../../../model/chains/sample-chain.ts';
import type { Store } from '../../../storage/store.ts';
import { type ChainRun, openChainRun } from './chain-run.ts';

/**
 * Runs one base chain, fresh on the table, and stores its draws under `base/<chain>`, those from half its burn-in under
 * `early/<chain>`.
 */
export async function fitChain(
  store: Store,
  run: ChainRun,
  { runId, chain }: Extract<Task, { step: 'fit' }>,
  onIteration: () => void,
): Promise<void> {
  const name = `base/${chain}`;
  if (await hasDraws(store, runId, name)) return;
  const { plan, streams, table, bind } = await openChainRun(store, run);
  const model = bind(table.combinations);
  const random = streams.open(`chain/${name}`);
  const keepAllocation = integratesPhi(plan.config) ? table.combinations.count : 0;
  const { mcmc } = plan.config;
  const early = earlySchedule(mcmc);
  let state = model.init(random);
  if (early) {
    const { draws, last } = sampleChain(model, state, random, { ...early, keepLatent: false, keepAllocation }, { name, onIteration });
    await writeDraws(store, runId, `early/${chain}`, draws);
    state = last;
  }
  const burnIn = mcmc.burnIn - (early ? Math.floor(mcmc.burnIn / 2) : 0);
  const schedule = { ...mcmc, burnIn, keepLatent: keepsLatent(plan.config), keepAllocation };
  const { draws } = sampleChain(model, state, random, schedule, { name, onIteration });
  await writeDraws(store, runId, name, draws);
}
