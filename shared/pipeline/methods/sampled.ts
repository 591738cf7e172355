import type { OfScenario, RunContext, ScenarioModel } from '../../artifacts/run-context.ts';
import { readDatasetSums } from '../../artifacts/stored-part.ts';
import { membershipReason } from '../../contracts/config/config.ts';
import { openKnowledge } from '../../contracts/config/knowledge.ts';
import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { Scenario } from '../../contracts/run/scenarios.ts';
import type { OnUnits } from '../../contracts/stepwise.ts';
import { type AttributeRiskRequest, attributeRisk } from '../../risk/attribute/attribute-risk.ts';
import { summarizeAttributeRisk } from '../../risk/attribute/attribute-summary.ts';
import { keptEvaluations } from '../../risk/attribute/kept-evaluations.ts';
import { releaseErrors } from '../../risk/attribute/release-figures.ts';
import { separateDatasets, separateFigures } from '../../risk/attribute/separate-datasets.ts';
import { ranksCandidates } from '../../risk/intruder/candidate-space.ts';
import { membershipPart, setMembership } from '../../risk/membership/membership-figures.ts';
import type { OtherPeople } from '../../risk/membership/other-people.ts';
import type { Store } from '../../storage/store.ts';
import { estimatorTerms } from '../assess/estimator-terms.ts';
import { readOthers } from '../assess/other-people.ts';
import { type RiskRows, readRiskRows } from '../assess/risk-rows.ts';
import type { ChainNumbers } from '../rounds/chain-growth.ts';
import { chainsNeeded, lesserChains } from '../rounds/chains-needed.ts';
import { chainWork, evaluationWork } from './batch-work.ts';
import { listedBytes, ofListed, riskRequest, rowsWithin, withControl } from './listed-batches.ts';
import type { BatchBytes, RiskMethod, RiskPart } from './risk-method.ts';
import { statedSimulation } from './stated-figures.ts';
import { statedMembership } from './stated-membership.ts';

/** Why nothing is known of half the length of a run's paired chains. */
const pairedReason = (plan: Plan) =>
  chainsNeeded(plan).pairs === 0 ? 'the estimator has no paired chains' : 'a paired chain of one draw has no half';

/** What is said of an intruder who does not have all records but one. */
async function statedSeparately(
  store: Store,
  { plan, scenario, space, records }: ScenarioModel,
  round: number,
): Promise<Partial<AttributeRiskSummary>> {
  const { datasets, largest, product } = separateFigures(await readDatasetSums(store, scenario, round), records);
  return {
    knows: openKnowledge(scenario.knows!),
    // Of numbers alone no candidate is ranked.
    ...(ranksCandidates(space) ? { separately: [...datasets], largestOfDatasets: largest, productOfDatasets: product } : {}),
    together: plan.datasets.count === 1 ? 'one dataset: exact' : 'mean of log-likelihoods over datasets: an approximation',
  };
}

/** Numbers of a person who is not in the table: means and halves of all chains, and evaluations. */
export function personNumbers(plan: Plan): number {
  const { base, pairs, sides } = chainsNeeded(plan);
  return 2 * (base + pairs * sides.length) + keptEvaluations(plan.datasets.count);
}

/** What rows take with the people of a control that fall to each, of whom products of classes are found. */
const sampledBytes = (plan: Plan, scenario: Scenario): BatchBytes =>
  withControl(plan, listedBytes(plan, scenario), personNumbers(plan) + 2 * plan.classes);

/**
 * Finds the risk of rows from what chains say of them, and how probably each is in the table where that is asked for.
 *
 * @param readPeople who is not in the table
 * @param ofCandidates what of the request is not as for candidates that are all ranked
 */
export async function assessRows(
  store: Store,
  context: RunContext & OfScenario,
  { rows, readPeople, ofCandidates = {} }: AssessedRows,
  numbers: ChainNumbers,
  onUnits: OnUnits,
): Promise<RiskPart> {
  const asksMembership = membershipReason(context.plan.config) === null;
  const scorers = asksMembership ? { ...rows.scorers, others: await readPeople() } : rows.scorers;
  const { plan, scenario } = context;
  const [ofChain, ofRow] = [chainWork(plan, scenario, rows.counts.length), evaluationWork(scenario, chainsScored(plan, scenario, numbers))];
  const found = await estimatorTerms(store, context, numbers, scorers, () => onUnits(ofChain));
  const request = { ...riskRequest(context, rows, found), ...ofCandidates, onRow: () => onUnits(ofRow) };
  const risk = attributeRisk(request);
  const membership = found.membership && membershipPart(found.membership, context.streams);
  if (membership) setMembership(risk, membership);
  return { risk, ...(membership ? { membership } : {}), ...(context.scenario.knows ? { datasetSums: separateDatasets(request) } : {}) };
}

interface AssessedRows {
  readonly rows: RiskRows;
  readonly readPeople: () => Promise<OtherPeople>;
  readonly ofCandidates?: Partial<Pick<AttributeRiskRequest, 'candidates' | 'ranked'>>;
}

/** Chains of a run that are scored for a batch. */
function chainsScored(plan: Plan, { knows }: Scenario, numbers: ChainNumbers): number {
  const { base, pairs, sides } = chainsNeeded(plan, numbers);
  return knows ? lesserChains(plan, numbers, [knows]) : base + pairs * sides.length;
}

/** Candidates that are listed one by one, scored under every draw of the chains. */
export const sampled: RiskMethod = {
  ...ofListed,
  membershipReason,
  batchBytes: (plan, _, scenario) => sampledBytes(plan, scenario),
  batchRows: (plan, _, scenario, wanted) => rowsWithin(sampledBytes(plan, scenario), wanted),
  units(plan, scenario, numbers, rows) {
    const chains = chainsScored(plan, scenario, numbers);
    return chains * chainWork(plan, scenario, rows) + rows * evaluationWork(scenario, chains);
  },
  async assess(store, context, range, onUnits) {
    const rows = await readRiskRows(store, context, range);
    return assessRows(store, context, { rows, readPeople: () => readOthers(store, context, range) }, range.chains, onUnits);
  },
  terms: (store, context, numbers, { scorers }) => estimatorTerms(store, context, numbers, scorers, () => undefined),
  async summarize(store, context, rows) {
    const file = summarizeAttributeRisk(rows.risk, rows.counts, rows.candidates);
    return {
      file,
      release: await releaseErrors(rows.risk.without(), rows.counts),
      ...(await statedSimulation(context, file, rows, ofListed.halves, pairedReason(context.plan))),
      membership: await statedMembership(sampled, store, context, rows),
      ...(context.scenario.knows ? { after: await statedSeparately(store, context, rows.round) } : {}),
    };
  },
};
