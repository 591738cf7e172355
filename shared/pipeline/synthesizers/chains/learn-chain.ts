import { readDataset } from '../../../artifacts/stored-dataset.ts';
import { hasDraws, writeDraws } from '../../../artifacts/stored-draws.ts';
import { knowledgeName } from '../../../contracts/config/knowledge.ts';
import type { Task } from '../../../contracts/run/plan.ts';
import { sampleChain } from '../../../model/chains/sample-chain.ts';
import type { Store } from '../../../storage/store.ts';
import { someCombinations } from '../../../table/combinations.ts';
import { stackCombinations } from '../../../table/distinct-rows.ts';
import { lesserChain } from '../../rounds/lesser-chains.ts';
import { type ChainRun, openChainRun } from './chain-run.ts';

/**
 * Runs one chain of an intruder who does not have all records but one: fresh, on the records that he has, and a dataset
 * below them unless the task says 0. Its draws are stored under the name that {@link lesserChain} gives it.
 */
export async function learnChain(
  store: Store,
  run: ChainRun,
  { runId, scenario, dataset, chain }: Extract<Task, { step: 'learn' }>,
  onIteration: () => void,
): Promise<void> {
  const { knows } = run.plan.config.attributeRisk.scenarios[scenario - 1]!;
  if (knows === undefined) throw new RangeError(`scenario ${scenario} is of an intruder with all records but one`);
  const name = lesserChain(knows, dataset, chain);
  if (await hasDraws(store, runId, name)) return;
  const { plan, streams, table, known, bind } = await openChainRun(store, run);
  const own = someCombinations(table.combinations, known.get(knowledgeName(knows))!);
  const records = dataset === 0 ? own : stackCombinations(own, (await readDataset(store, runId, dataset)).combinations);
  const model = bind(records);
  const random = streams.open(`chain/${name}`);
  const schedule = { ...plan.config.mcmc, keepLatent: false };
  const { draws } = sampleChain(model, model.init(random), random, schedule, { name, onIteration });
  await writeDraws(store, runId, name, draws);
}
