import { encodeCheckedNpy } from '../../arrays/checked-npy.ts';
import { contextOfScenario, readRunContext } from '../../artifacts/run-context.ts';
import { NumericalError } from '../../contracts/errors.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { Task } from '../../contracts/run/plan.ts';
import { evaluateTerms } from '../../risk/attribute/expectation.ts';
import type { Store } from '../../storage/store.ts';
import { estimatorTerms } from './estimator-terms.ts';
import { targetScorers } from './target-scorers.ts';

/**
 * Log-likelihoods of the candidates of one batch of a replicate's targets, by the run's estimator and raised to its
 * slope, each up to a constant. Stored as targets x candidates; a batch that is there already is left alone.
 *
 * @param onChain called after each chain is scored
 * @throws NumericalError naming the target when an estimate is not a number
 */
export async function scoreTargets(store: Store, { runId, batch }: Extract<Task, { step: 'score' }>, onChain: () => void): Promise<void> {
  const key = runKeys(runId).scores(batch);
  if ((await store.head(key)) !== null) return;
  // A calibration is of one scenario.
  const context = contextOfScenario(await readRunContext(store, runId), 1);
  const { plan, streams, space } = context;
  const { attributeRisk: settings } = plan.config;
  const { from, to } = plan.batches[batch - 1]!;
  const candidates = space.perCombination;
  const scorers = await targetScorers(store, context, { from, to });
  const { terms } = await estimatorTerms(store, context, plan.config.mcmc, scorers, onChain);
  const evaluate = evaluateTerms(terms, streams, candidates, 1);
  const scores = new Float64Array(scorers.length);
  for (let t = 0; t < to - from; t++) {
    const values = evaluate(t).map((value) => value * settings.slope);
    if (!values.every((value) => Math.abs(value) < Infinity)) {
      throw new NumericalError('assessment-failed', `Target ${from + t + 1} has no finite estimate.`);
    }
    scores.set(values, t * candidates);
  }
  await store.put(key, encodeCheckedNpy(scores, [to - from, candidates]), { ifAbsent: true });
}
