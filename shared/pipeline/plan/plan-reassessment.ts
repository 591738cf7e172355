import { readRunModel } from '../../artifacts/run-context.ts';
import { encodeJson } from '../../artifacts/stored-json.ts';
import { keyCheck } from '../../artifacts/stored-keys.ts';
import { readRecordTable } from '../../artifacts/stored-table.ts';
import { type Config, integratesPhi, lesserKnowledge, withControl, withPriorFiles } from '../../contracts/config/config.ts';
import { InvalidConfigError, RunConflictError, UnsupportedOptionError } from '../../contracts/errors.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { keyedRunId } from '../../contracts/run/run-id.ts';
import { openScenarios, type Scenario } from '../../contracts/run/scenarios.ts';
import { VERSION } from '../../contracts/version.ts';
import { candidateSpace } from '../../risk/intruder/candidate-space.ts';
import { askedOfRecords } from '../../risk/mixed/record-candidates.ts';
import type { Store } from '../../storage/store.ts';
import { hasAttributeRisk, hasChains } from '../rounds/chains-needed.ts';
import { readJudgements } from '../rounds/stored-round.ts';
import { planScenarios } from './plan-batches.ts';
import { planPriors, refuseUnscored } from './planned-files.ts';
import type { PlannedRun, RunRequest } from './planned-run.ts';
import { today } from './today.ts';

/** A finished run that is looked at anew, and its store. */
export interface ReassessedRun {
  readonly plan: Plan;
  readonly store: Store;
}

/**
 * The plan of a run that is another's but for its scenarios: the same table, datasets and chains, those of its last round, which {@link
 * copyEarlier} puts beside the new plan. Nothing is drawn at random that the other run has not drawn. Scenarios that the other run has
 * assessed keep their batches, unless a size of batches is asked for.
 *
 * @throws InvalidConfigError `other-estimator`, and for unknown variables
 * @throws UnsupportedOptionError `no-allocations` where the chains do not hold what the candidates need, and `lesser-knowledge`
 */
export async function planReassessment(
  { plan: earlier, store }: ReassessedRun,
  config: Config,
  request: Pick<RunRequest, 'placeKey' | 'releaseKey' | 'priorFiles' | 'batchSize' | 'memory'>,
): Promise<PlannedRun> {
  refuseUnassessedRun(earlier);
  refuseOtherChains(earlier, config);
  refuseUnscored(earlier.purpose, config);
  const model = await readRunModel(store, earlier.runId);
  const { table } = model;
  const last = (await readJudgements(store, earlier.runId)).at(-1)!;
  const mcmc = { ...earlier.config.mcmc, chains: last.chains, pairedChains: last.pairedChains, reproducibility: 'off' as const };
  const prior = await planPriors(config, request.priorFiles, table.schema, table.combinations);
  const { attributeRisk, acceptance } = config;
  // The control is among what is copied.
  const named = withControl({ ...earlier.config, attributeRisk, acceptance, mcmc }, earlier.config.attributeRisk.control);
  const digests = prior.map(({ sha256 }) => sha256);
  const anew = digests.length === 0 ? named : withPriorFiles(named, digests);
  const names = table.schema.variables.map(({ name }) => name);
  const { densities } = model;
  const spaces = config.attributeRisk.scenarios.map(({ candidates }) =>
    densities ? askedOfRecords(anew, densities.view.schema, candidates).listed : candidateSpace(candidates, names, table.sizes),
  );
  const scenarioCandidates = spaces.map(({ perCombination }) => perCombination);
  const identity = { version: VERSION, reassessed: earlier.runId, config: anew };
  const runId = await keyedRunId(request.placeKey, encodeJson(identity));
  const releaseKey = await request.releaseKey(runId);
  const plan: Plan = {
    ...earlier,
    keyCheck: await keyCheck(releaseKey),
    runId,
    startedOn: today(),
    config: anew,
    candidatesPerCombination: Math.max(...scenarioCandidates),
    scenarioCandidates,
    batches: [],
  };
  const run = {
    releaseKey,
    // What is guessed at among listed values is a part of records that have numbers.
    schema: (densities?.records ?? table).schema,
    combinations: table.combinations,
    records: model.synthesized === null ? null : await readRecordTable(store, earlier),
    support: null,
    prior,
    control: null,
    known: new Map(),
    inputBytes: 0,
    datasets: [],
    replicates: [],
  };
  const rows = run.records ? plan.table.records : plan.table.combinations;
  const rowsOf = scenarioCandidates.map(() => rows);
  const cut = (scenario: Scenario) => (request.batchSize === undefined ? sameScenario(earlier, plan, scenario)?.batches : undefined);
  return { ...run, plan: { ...plan, batches: planScenarios({ ...run, plan }, rowsOf, request, cut) } };
}

/** The scenario of an earlier run whose rows have the figures of one of its reassessment, where there is one. */
function sameScenario(earlier: Plan, plan: Plan, scenario: Scenario): Scenario | undefined {
  // Names and rules are looked at when figures are put together.
  const asked = ({ config }: Plan, { candidates, prior, knows, phi }: Scenario) => {
    const { scenarios: _, acceptanceRegion: __, ...risk } = config.attributeRisk;
    return JSON.stringify([candidates, prior, knows, phi, risk]);
  };
  return openScenarios(earlier).find((other) => asked(earlier, other) === asked(plan, scenario));
}

/**
 * Refuses a run that a reassessment has nothing to begin with, whatever its scenarios: ask before they are settled.
 *
 * @throws InvalidConfigError `nothing-to-reassess`
 * @throws RunConflictError `other-version`
 */
export function refuseUnassessedRun(plan: Plan): void {
  const { purpose } = plan;
  if ((purpose !== 'evaluate' && purpose !== 'assess') || !hasAttributeRisk(plan)) {
    throw new InvalidConfigError('nothing-to-reassess', 'That run assessed no attribute risk of a release.');
  }
  if (!hasChains(plan.config)) {
    throw new InvalidConfigError(
      'nothing-to-reassess',
      `That run has the model ${plan.config.model.name}, whose risk is exact and needs no chains: evaluate the table again, which takes no longer.`,
    );
  }
  if (plan.version !== VERSION) {
    throw new RunConflictError(
      'other-version',
      `Version ${plan.version} carried that run out, and this is ${VERSION}: evaluate the table again.`,
    );
  }
}

function refuseOtherChains({ config: ofRun }: Plan, config: Config): void {
  if (config.attributeRisk.estimator !== ofRun.attributeRisk.estimator) {
    throw new InvalidConfigError(
      'other-estimator',
      `That run has the chains of the estimator ${ofRun.attributeRisk.estimator}, and no others: leave attributeRisk.estimator out.`,
    );
  }
  if (lesserKnowledge(config).length > 0) {
    throw new UnsupportedOptionError(
      'lesser-knowledge',
      'An intruder who does not have all records but one (knows) needs chains of their own: evaluate the table again.',
    );
  }
  if (integratesPhi(config) && !integratesPhi(ofRun)) {
    throw new UnsupportedOptionError(
      'no-allocations',
      'The chains of that run kept no allocations, so that phi cannot be integrated out: ask for attributeRisk.phi drawn, or leave it out.',
    );
  }
}

/** What of a run a reassessment takes as it is, and what it takes unless it is found anew. */
const [TAKEN, FOUND] = [['table/', 'draws/', 'synthesis/', 'release/'], ['confidential/utility-measured.json']] as const;

/**
 * Copies what a reassessment takes from the run that it is of: its table, chains, datasets and release. What is there already stays.
 *
 * @param isNew takes its utility too, and the figures of batches that are the same: of a run that goes on these were removed because
 * their bytes had changed, and are found anew
 */
export async function copyEarlier({ plan: earlier, store }: ReassessedRun, to: Store, plan: Plan, isNew = true): Promise<void> {
  const [ofEarlier, ofRun] = [runKeys(earlier.runId), runKeys(plan.runId)];
  const copy = async (from: string, key: string) => void (await to.put(key, await store.get(from), { ifAbsent: true }));
  for (const taken of [...TAKEN, ...(isNew ? FOUND : [])]) {
    for (const key of await store.list(ofEarlier.root + taken)) {
      // Priors are of the scenarios that there were.
      if (!key.startsWith(`${ofEarlier.root}table/prior/`)) await copy(key, ofRun.root + key.slice(ofEarlier.root.length));
    }
  }
  if (!isNew) return;
  const last = (await readJudgements(store, earlier.runId)).length;
  const stored = new Set(await store.list(ofEarlier.parts));
  for (const scenario of openScenarios(plan)) {
    for (const { batch, from, to: end } of scenario.batches) {
      const same = sameScenario(earlier, plan, scenario)?.batches.find((other) => other.from === from && other.to === end);
      if (same === undefined) continue;
      const [before, own] = [ofEarlier.part(last, same.batch), ofRun.part(1, batch)];
      // The last of them says that the batch is whole.
      for (const name of Object.keys(own) as (keyof typeof own)[]) if (stored.has(before[name])) await copy(before[name], own[name]);
    }
  }
}
