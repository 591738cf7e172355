import { chainsNeeded } from '../pipeline/rounds/chains-needed.ts';
import { seededStreams } from '../random/streams.ts';
import { BASE_CHAINS } from '../risk/attribute/chain-evaluations.ts';
import { createEvaluator } from '../risk/attribute/evaluator.ts';
import type { ExpectationTerm } from '../risk/attribute/expectation.ts';
import type { CandidateSpace } from '../risk/intruder/candidate-space.ts';
import { rowValueSets } from '../risk/intruder/value-sets.ts';
import type { EstimatedScenario } from './estimated-run.ts';

/** Means of so many chains that say nothing: what they are makes no difference to the time. */
const chainMeans = (chains: number, candidates: number) =>
  Array.from({ length: chains }, () => new Float64Array(candidates).fill(1));

/** Terms with the chains that the first round gives those of a scenario. */
function timedTerms({ plan, scenario }: EstimatedScenario, candidates: number): ExpectationTerm[] {
  const { mcmc } = plan.config;
  const isLesser = scenario.knows !== undefined;
  const sides = isLesser ? (['stacked'] as const) : chainsNeeded(plan).sides;
  const term = (name: string, coefficient: number, chains: number, dataset?: number): ExpectationTerm => ({
    chains: name,
    coefficient,
    dataset,
    means: chainMeans(chains, candidates),
    draws: chains,
    pool: 'arithmetic',
  });
  const paired = sides.flatMap((side) =>
    Array.from({ length: plan.datasets.count }, (_, l) =>
      term(`${side}/${l}`, side === 'stacked' ? 1 : -1, mcmc.pairedChains, l + 1),
    ),
  );
  return [...paired, term(BASE_CHAINS, isLesser ? -1 : 0, mcmc.chains)];
}

/**
 * Seconds that it takes to evaluate the candidates of one combination, as they are scored, and all resamples of their chains,
 * under a scenario.
 */
export function evaluationSeconds(
  planned: EstimatedScenario,
  space: CandidateSpace,
  secondsPerCall: (call: () => void) => number,
): number {
  const { codes, variables } = planned.combinations;
  const sets = rowValueSets(space, codes.subarray(0, variables));
  const terms = timedTerms(planned, space.perCombination);
  const evaluate = createEvaluator({
    terms,
    streams: seededStreams(1),
    candidates: space.perCombination,
    slope: 1,
    sets,
  });
  return secondsPerCall(() => evaluate(0));
}
