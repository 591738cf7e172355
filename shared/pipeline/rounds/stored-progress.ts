import { encodeJson, readCheckedJson, readJson } from '../../artifacts/stored-json.ts';
import { type Progress, progressSchema } from '../../contracts/cloud/workflow.ts';
import { runKeys } from '../../contracts/keys.ts';
import { planSchema } from '../../contracts/run/plan.ts';
import type { Store } from '../../storage/store.ts';
import { chainsNeeded } from './chains-needed.ts';
import { lesserChains } from './lesser-chains.ts';
import { readRoundChains } from './stored-judgement.ts';

/** Notes how many base and paired chains of a round have left their draws, whole. */
export async function noteProgress(store: Store, { runId, round }: { readonly runId: string; readonly round: number }): Promise<void> {
  const keys = runKeys(runId);
  const plan = await readCheckedJson(store, keys.plan, planSchema);
  const numbers = await readRoundChains(store, plan, round);
  const { base, pairs, sides } = chainsNeeded(plan, numbers);
  const draws = (await store.list(keys.allDraws)).filter((key) => /\/draws\/(base|stacked|alone|weak)\/.+\.npz$/.test(key));
  const total = base + pairs * sides.length + lesserChains(plan, numbers);
  const progress: Progress = { round, chains: { done: Math.min(total, draws.length), total } };
  await store.put(keys.tasks.progress, encodeJson(progress));
}

/** How far the chains of a run were when it was last noted: when it was planned, phase by phase, and each minute. */
export function readProgress(store: Store, runId: string): Promise<Progress> {
  return readJson(store, runKeys(runId).tasks.progress, progressSchema);
}
