import { seededStreams } from '../../../random/streams.ts';
import { createEvaluator } from '../../../risk/attribute/evaluator.ts';
import type { ExpectationTerm } from '../../../risk/attribute/expectation.ts';
import type { CandidateSpace } from '../../../risk/intruder/candidate-space.ts';
import { rowValueSets } from '../../../risk/intruder/value-sets.ts';
import type { MeasuredScenario } from '../run-sizes.ts';
import { timedTerms } from './timed-terms.ts';

/**
 * Seconds that it takes to evaluate the candidates of one combination, as they are scored, and all resamples of their chains,
 * under a scenario.
 */
export function evaluationSeconds(planned: MeasuredScenario, space: CandidateSpace, secondsPerCall: (call: () => void) => number): number {
  const { codes, variables } = planned.combinations;
  const sets = rowValueSets(space, codes.subarray(0, variables));
  // What means say makes no difference to the time.
  const means = new Float64Array(space.perCombination).fill(1);
  const terms = timedTerms(planned).map(
    ({ coefficient, pool, chains }): ExpectationTerm => ({
      coefficient,
      pool,
      chains: chains.name,
      dataset: chains.dataset,
      means: new Array<Float64Array>(chains.chains).fill(means),
      draws: chains.chains * chains.drawsPerChain,
    }),
  );
  const evaluate = createEvaluator({ terms, streams: seededStreams(1), candidates: space.perCombination, slope: 1, sets });
  return secondsPerCall(() => evaluate(0));
}
