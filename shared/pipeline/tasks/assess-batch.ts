import { contextOfScenario, readRunContext } from '../../artifacts/run-context.ts';
import { hasPart } from '../../artifacts/stored-part.ts';
import { NumericalError } from '../../contracts/errors.ts';
import type { Task } from '../../contracts/run/plan.ts';
import type { Store } from '../../storage/store.ts';
import { methodOf } from '../methods/methods.ts';
import { storeRiskPart } from '../methods/risk-part.ts';
import { readRoundChains } from '../rounds/stored-judgement.ts';

/**
 * Attribute risk of one batch of rows, which are combinations, or records of partially synthetic data, by the method of its
 * scenario; stores its part. A part that is there already is left alone.
 *
 * @param onUnit called after each unit of work (`taskUnits`)
 * @throws NumericalError naming the batch when an estimate is not a number
 */
export async function assessBatch(
  store: Store,
  { runId, round, batch }: Extract<Task, { step: 'assess' }>,
  onUnit: () => void,
): Promise<void> {
  if (await hasPart(store, { runId, round, batch })) return;
  const whole = await readRunContext(store, runId);
  const { plan } = whole;
  const { scenario, from, to } = plan.batches[batch - 1]!;
  const context = contextOfScenario(whole, scenario);
  const chains = await readRoundChains(store, plan, round);
  try {
    const method = methodOf(plan.config, context.scenario);
    const part = await method.assess(store, context, { from, to, chains }, onUnit);
    await storeRiskPart(store, { runId, round, batch }, part);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new NumericalError('assessment-failed', `Batch ${batch} (from row ${from + 1}): ${error.message}.`);
  }
}
