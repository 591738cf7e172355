import type { Plan } from '../../contracts/run/plan.ts';
import type { RoundChains } from '../../contracts/run/round.ts';
import type { Store } from '../../storage/store.ts';
import { firstRound, type PhaseTasks } from '../rounds/chains-needed.ts';
import { roundTasks } from '../synthesizers/round-tasks.ts';
import { judgeRound } from './judge-round.ts';

/**
 * The rounds of a run, each with its tasks by phase, until its precision is what was asked for. Whoever goes on to the next
 * has carried these out: they judge whether there is one.
 */
export async function* runRounds(store: Store, plan: Plan): AsyncGenerator<{ readonly round: RoundChains; readonly tasks: PhaseTasks }> {
  let before: RoundChains | undefined;
  for (let round: RoundChains | null = firstRound(plan); round !== null; round = await judgeRound(store, plan, before)) {
    yield { round, tasks: roundTasks(plan, round, before) };
    before = round;
  }
}

/** Tasks of a round, in the first with that which measures utility: it takes a thread for as long as many batches. */
export function withUtility({ config, purpose, runId }: Plan, tasks: PhaseTasks, round: number): PhaseTasks {
  const isBeside = round === 1 && tasks.assess.length > 0 && config.utility !== 'off' && purpose !== 'calibrate';
  return isBeside ? { ...tasks, assess: [{ step: 'measure', runId }, ...tasks.assess] } : tasks;
}
