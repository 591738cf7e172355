import { contextOfScenario, readRunContext } from '../../artifacts/run-context.ts';
import { listed, tableCsv } from '../../artifacts/write-table.ts';
import { ArtifactError, InvalidConfigError, NumericalError, UnsupportedOptionError } from '../../contracts/errors.ts';
import { runKeys } from '../../contracts/keys.ts';
import { CANDIDATES } from '../../contracts/results/tables/attribute-risk-table.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { scenarioNumber } from '../../contracts/run/scenarios.ts';
import { TIES } from '../../numeric/ties.ts';
import { createEvaluator } from '../../risk/attribute/evaluator.ts';
import { posterior } from '../../risk/attribute/posterior.ts';
import { candidateChanges } from '../../risk/intruder/candidate-space.ts';
import type { Store } from '../../storage/store.ts';
import { categoryText } from '../../table/category-text.ts';
import { readRiskRows } from '../assess/risk-rows.ts';
import { methodOf } from '../methods/methods.ts';
import { currentRound, readRoundChains } from '../rounds/stored-round.ts';

/** The last round of a run whose batches have all been assessed. */
async function assessedRound(store: Store, plan: Plan): Promise<number> {
  const current = await currentRound(store, plan);
  const round = (await store.head(runKeys(plan.runId).round(current))) === null ? current - 1 : current;
  if (round > 0) return round;
  throw new ArtifactError('not-assessed', `The run ${plan.runId} has not assessed its combinations yet.`);
}

/** Candidates from the likeliest to the least likely, the lower number first of those that are equal, with their ranks. */
function rankedCandidates(estimates: Float64Array): { candidate: number; rank: number }[] {
  const order = [...estimates.keys()].sort((a, b) => estimates[b]! - estimates[a]! || a - b);
  const at = (place: number) => estimates[order[place]!]!;
  // Those that tie with a place are the ones around it, from the first that is not above it.
  let [from, to] = [0, 0];
  return order.map((candidate, place) => {
    while (at(from) - at(place) > TIES.rounding) from++;
    while (to < order.length && at(to) - at(place) >= -TIES.rounding) to++;
    return { candidate, rank: (from + 1 + to) / 2 };
  });
}

/** Which row's candidates are asked for. */
interface CandidateTableRequest {
  readonly runId: string;
  /** From 1. */
  readonly combination: number;
  /** Name of the scenario; the first if left out. */
  readonly scenario?: string | undefined;
}

/**
 * Every candidate of one combination (from 1) of an assessed run, or of one record where datasets are partially synthetic, from the
 * likeliest to the least likely: its rank, its probability and its values, as CSV. The truth has the rank and the probability that
 * `attribute-risk.csv` gives it. It needs the draws of the run's chains, which an agency's bucket keeps for a while only.
 *
 * @throws InvalidConfigError for a combination or a scenario that the run does not have
 * @throws UnsupportedOptionError when all cells are candidates
 * @throws ArtifactError when the run has not been assessed, or its draws are gone
 * @throws NumericalError when the estimate is not a number
 */
export async function candidateTable(store: Store, { runId, combination, scenario }: CandidateTableRequest): Promise<Uint8Array> {
  const whole = await readRunContext(store, runId);
  const context = contextOfScenario(whole, scenarioNumber(whole.plan, scenario));
  const { plan, streams, table, numbers, space, synthesized } = context;
  const { batches } = context.scenario;
  const { slope } = plan.config.attributeRisk;
  const assessed = numbers ? whole.table.combinations.count : batches.at(-1)!.to;
  const row = numbers ? numbers.indexOf(combination - 1) : combination - 1;
  if (combination <= assessed && row < 0) {
    throw new InvalidConfigError(
      'known-combination',
      `The intruder of that scenario has all records of combination ${combination}, so that nothing of it is left to guess.`,
    );
  }
  if (combination > assessed) {
    throw new InvalidConfigError(
      'no-such-combination',
      `The run ${runId} has the ${synthesized === null ? 'combinations' : 'records'} 1 to ${assessed}; there is no ${combination}.`,
    );
  }
  const { terms: termsOf } = methodOf(plan.config, context.scenario);
  if (typeof termsOf !== 'function') throw new UnsupportedOptionError(termsOf.code, termsOf.message);
  const chains = await readRoundChains(store, plan, await assessedRound(store, plan));
  const scored = await readRiskRows(store, context, { from: row, to: row + 1 });
  const { codes, considered, priors } = scored;
  const { terms } = await termsOf(store, context, chains, scored);
  const estimates = estimate(() => {
    const evaluate = createEvaluator({ terms, streams, candidates: space.perCombination, slope, considered, priors });
    const { estimates: likelihoods, logPrior } = evaluate(0);
    return likelihoods.map((value, x) => value + (logPrior?.[x] ?? 0));
  });
  const probabilities = posterior(estimates, 0, estimates.length);
  const names = table.schema.variables.map(({ name }) => name);
  const rows = rankedCandidates(estimates).map(({ candidate, rank }) => {
    const values = Uint16Array.from(codes);
    const number = considered?.[0]?.[candidate] ?? candidate;
    for (const { variable, code } of candidateChanges(space, codes, number)) values[variable] = code;
    return {
      rank,
      names,
      probability: probabilities[candidate]!,
      isTruth: candidate === 0,
      values: Array.from(values, (code, k) => categoryText(table.schema, k, code)),
    };
  });
  return tableCsv(CANDIDATES, listed(rows));
}

function estimate(evaluate: () => Float64Array): Float64Array {
  try {
    return evaluate();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new NumericalError('assessment-failed', 'The combination has no finite estimate.');
  }
}
