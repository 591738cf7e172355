import { readCheckedJson } from '../../artifacts/stored-json.ts';
import { runKeys } from '../../contracts/keys.ts';
import { planSchema } from '../../contracts/run/plan.ts';
import type { Store } from '../../storage/store.ts';
import { aggregateRun } from '../results/aggregate-run.ts';
import { judgeRound } from '../rounds/judge-round.ts';
import { readRoundChains } from '../rounds/stored-judgement.ts';
import type { RoundReference } from '../rounds/stored-round.ts';
import { storeAssessTasks } from '../tasks/stored-tasks.ts';

/**
 * Judges a round whose batches are assessed. Either another follows, whose tasks are stored, or the run's results are
 * put together.
 *
 * @returns the number of the round that follows, or null
 */
export async function closeRound(store: Store, { runId, round }: RoundReference): Promise<number | null> {
  const plan = await readCheckedJson(store, runKeys(runId).plan, planSchema);
  const next = await judgeRound(store, plan, await readRoundChains(store, plan, round));
  if (next === null) await aggregateRun(store, { runId });
  else await storeAssessTasks(store, { runId, round: next.round });
  return next?.round ?? null;
}
