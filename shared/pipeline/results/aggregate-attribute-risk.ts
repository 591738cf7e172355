import { contextOfScenario, readRunModel, type ScenarioModel } from '../../artifacts/run-context.ts';
import { readCellParts } from '../../artifacts/stored-cell-part.ts';
import { encodeCheckedJson } from '../../artifacts/stored-json.ts';
import { readDatasetSums, readFigures, readRisk } from '../../artifacts/stored-part.ts';
import { readSearch } from '../../artifacts/stored-search.ts';
import { rowsOf, writeTable } from '../../artifacts/write-table.ts';
import {
  candidatesInConfig,
  lesserKnowledge,
  priorName,
  scoresCells,
} from '../../contracts/config/config.ts';
import { knowledgeInWords, openKnowledge } from '../../contracts/config/knowledge.ts';
import { runKeys } from '../../contracts/keys.ts';
import { epsilonOf } from '../../contracts/models/models.ts';
import { ATTRIBUTE_RISK, type RiskRows } from '../../contracts/results/attribute-risk-table.ts';
import type { ChainDiagnostics } from '../../contracts/results/chain-diagnostics.ts';
import {
  type AttributeRiskSummary,
  FEWEST_EFFECTIVE_DRAWS,
  GOOD_REPRODUCIBILITY,
} from '../../contracts/results/summary.ts';
import { VARIABLE_RISK, type ValueRows } from '../../contracts/results/variable-risk-table.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { Judgement } from '../../contracts/run/round.ts';
import type { Warning } from '../../contracts/run/warning.ts';
import { type RegionRule, regionRules } from '../../contracts/settings/acceptance-region.ts';
import { claimDiffers } from '../../contracts/settings/trusted-figures.ts';
import { formatEstimate, formatPercent, formatSupported } from '../../report/words/format-number.ts';
import { ESTIMATOR_MEANING } from '../../risk/attribute/attribute-estimators.ts';
import type { AttributeRisk } from '../../risk/attribute/attribute-risk.ts';
import {
  halvesStandFor,
  summarizeAttributeRisk,
  weightedMedian,
  weightedQuantile,
} from '../../risk/attribute/attribute-summary.ts';
import { judgeRegion } from '../../risk/attribute/broken-weights.ts';
import { separateFigures } from '../../risk/attribute/separate-datasets.ts';
import { askedMarginals } from '../../risk/cells/asked-marginals.ts';
import type { SearchedRows } from '../../risk/cells/searched-rows.ts';
import { shapeThreshold } from '../../risk/scoring/weight-tails.ts';
import type { Store } from '../../storage/store.ts';
import type { ChainNumbers } from '../rounds/chain-growth.ts';
import { mostChains } from '../rounds/chain-limit.ts';
import { chainsNeeded, hasChains } from '../rounds/chains-needed.ts';
import { readJudgements } from '../rounds/stored-judgement.ts';
import { synthesizerOf } from '../synthesizers/synthesizers.ts';
import { attributeRiskRows, candidateNumbers } from '../tables/attribute-risk-table.ts';
import { GUESSES, guessRows, MARGINALS, marginalRows } from '../tables/cell-tables.ts';
import { SEARCH } from '../tables/search-table.ts';
import { diagnoseChains } from './diagnose-chains.ts';
import { readBesideRows, treeFigures } from './tree-figures.ts';
import { rowCounts, summarizeVariables, type VariableFigures } from './variable-figures.ts';

/** Attribute risk of a run, and what it rests on. */
export interface AttributeRiskResults {
  readonly risks: readonly AttributeRiskSummary[];
  /** Null where there are no chains. */
  readonly diagnostics: ChainDiagnostics | null;
  readonly rounds: readonly Judgement[];
  readonly warnings: readonly Warning[];
}

/** Puts the parts of a run's attribute risk together: its tables, its figures and the diagnostics of its chains. */
export async function aggregateAttributeRisk(store: Store, runId: string): Promise<AttributeRiskResults> {
  const keys = runKeys(runId);
  const whole = await readRunModel(store, runId);
  const { plan } = whole;
  const rounds = await readJudgements(store, runId);
  const { chains, pairedChains, round } = rounds.at(-1)!;
  const { chains: model } = synthesizerOf(plan.config);
  const threshold = shapeThreshold(model ? fewestDraws(plan, { chains, pairedChains }) : Infinity);
  const diagnostics = model && (await diagnoseChains(store, plan, model, chains));
  if (diagnostics) await store.put(keys.chains, encodeCheckedJson(diagnostics));
  const risks: AttributeRiskSummary[] = [];
  const tables: RiskRows[] = [];
  const values: ValueRows[] = [];
  const region = regionRules(plan.config);
  for (const s of plan.config.attributeRisk.scenarios.keys()) {
    const context = contextOfScenario(whole, s + 1);
    const beside = await readBesideRows(store, context, round);
    const found = await summarizeVariables(store, context, round, beside);
    const risk = await readRisk(store, context.scenario, round);
    const searched = await readSearch(store, context.scenario, round);
    if (found.table) values.push(found.table);
    risks.push({
      ...summarize(risk, context, threshold, searched, region),
      ...found.figures,
      ...(beside ? treeFigures(context, risk, beside, found.figures) : {}),
      ...(await lesserFigures(store, context, round)),
    });
    tables.push(
      await attributeRiskRows(store, context, await readFigures(store, context.scenario, round), threshold, {
        searched,
        beside,
      }),
    );
    if (searched) {
      const rows = rowsOf(plan.table.combinations, searched);
      await writeTable(store, runId, SEARCH, rows);
    }
    if (scoresCells(context.scenario.candidates)) {
      await writeCellTables(store, context, round);
    }
  }
  const parts = tables.map((rows) => rowsOf(rows.rows, rows));
  await writeTable(store, runId, ATTRIBUTE_RISK, ...parts);
  if (values.length > 0) {
    const ofValues = values.map((rows) => rowsOf(rows.rows, rows));
    await writeTable(store, runId, VARIABLE_RISK, ...ofValues);
  }
  const ofRisks = [
    ...(risks.length > 1 ? ofScenarios(risks) : risks.flatMap(riskWarnings)),
    ...targetWarnings(plan, rounds),
  ];
  return {
    risks,
    diagnostics,
    rounds,
    warnings: [...notableOfChains(diagnostics?.warnings ?? [], ofRisks), ...ofRisks],
  };
}

/** What says that chains do not agree on the risk itself. */
const UNREPRODUCED = ['low-reproducibility', 'reproducibility-not-reached'];

/**
 * Warnings of chains that matter for a figure of the run. Chains of these models nearly always differ, each in a mode of
 * its own, which the estimator allows for: that is left to the diagnostics unless the risks are not reproduced either.
 */
function notableOfChains(ofChains: readonly Warning[], ofRisks: readonly Warning[]): Warning[] {
  const matters = ofRisks.some(({ code }) => UNREPRODUCED.includes(code));
  return ofChains.filter(({ code }) => code !== 'chains-differ' || matters);
}

/** Warnings that say which scenarios they are of: what holds of several is said once. */
function ofScenarios(risks: readonly AttributeRiskSummary[]): Warning[] {
  const all = risks.flatMap((risk) =>
    riskWarnings(risk).map((warning) => ({ ...warning, scenario: `"${risk.scenario}"` })),
  );
  const first = all.filter(({ message }, at) => all.findIndex((other) => other.message === message) === at);
  return first.map(({ code, message }) => {
    const names = all.filter((other) => other.message === message).map(({ scenario }) => scenario);
    return {
      code,
      message: `${names.length > 1 ? 'Scenarios' : 'Scenario'} ${names.join(', ')}: ${message}`,
    };
  });
}

/** Draws of the smallest expectation of a run, all its chains together. */
function fewestDraws(plan: Plan, numbers: ChainNumbers): number {
  const { draws, pairedDraws } = plan.config.mcmc;
  const sets = [numbers.chains * draws];
  if (chainsNeeded(plan, numbers).pairs > 0) sets.push(numbers.pairedChains * pairedDraws);
  if (lesserKnowledge(plan.config).length > 0) sets.push(numbers.pairedChains * draws);
  return Math.min(...sets);
}

/** What is said beside the rest of an intruder who does not have all records but one. */
async function lesserFigures(
  store: Store,
  { scenario, records }: ScenarioModel,
  round: number,
): Promise<Partial<AttributeRiskSummary>> {
  const { knows } = scenario;
  if (knows === undefined) return {};
  const { datasets, largest, product } = separateFigures(
    await readDatasetSums(store, scenario, round),
    records,
  );
  return {
    meaning: `what an intruder who has ${knowledgeInWords(knows)} learns about one that he does not have from the released datasets, by the same model`,
    knows: openKnowledge(knows),
    separately: [...datasets],
    largestOfDatasets: largest,
    productOfDatasets: product,
    together:
      datasets.length === 1
        ? 'one dataset: exact'
        : 'mean of log-likelihoods over datasets: an approximation',
  };
}

function summarize(
  risk: AttributeRisk,
  context: ScenarioModel,
  paretoKThreshold: number,
  searched: SearchedRows | null,
  region: readonly RegionRule[],
): Omit<AttributeRiskSummary, keyof VariableFigures> {
  const { plan, scenario: own, records, synthesized } = context;
  const settings = plan.config.attributeRisk;
  const { name } = own;
  const rules = region.filter(({ scenario }) => scenario === null || scenario === name);
  const candidates = candidatesInConfig(own.candidates);
  const numbers = candidateNumbers(context, searched);
  const { reproducibility, ...figures } = summarizeAttributeRisk(
    [risk],
    rowCounts(context),
    numbers ?? own.candidatesPerCombination,
    paretoKThreshold,
    halvesStandFor(own.candidates),
  );
  return {
    scenario: name,
    estimator: settings.estimator,
    meaning: ESTIMATOR_MEANING[settings.estimator],
    candidates,
    candidatesPerCombinationMax: numbers
      ? numbers.reduce((a, b) => Math.max(a, b))
      : own.candidatesPerCombination,
    prior: priorName(own.prior),
    slope: settings.slope,
    records,
    reproducibility,
    ...(reproducibility === null
      ? {
          reproducibilityReason: `the probability of the truth does not vary over ${synthesized ? 'records' : 'combinations'}`,
        }
      : {}),
    ...(figures.halfLength === null ? { halfLengthReason: halfLengthReason(context) } : {}),
    ...(figures.paretoKMax === null
      ? { paretoKReason: 'the draws are too few for a tail, or their weights do not vary' }
      : {}),
    paretoKThreshold,
    ...figures,
    ...(figures.privacyLossMax === null ? { privacyLossReason: 'cells are not listed one by one' } : {}),
    acceptanceRegion:
      rules.length === 0
        ? null
        : judgeRegion(rules, risk.bayesFactor, risk.bayesFactorSe, rowCounts(context)),
    ...(searched ? { search: summarizeSearch(searched, rowCounts(context)) } : {}),
    rankHistogram: [...figures.rankHistogram],
    ...exactFigures(risk, context),
  };
}

/** What is said otherwise where the risk is exact: no errors, and the privacy loss beside the epsilon that bounds it. */
function exactFigures(risk: AttributeRisk, { plan, table }: ScenarioModel): Partial<AttributeRiskSummary> {
  const epsilon = epsilonOf(plan.config.model);
  if (epsilon === null) return {};
  return {
    truthRankedFirstShareSe: 0,
    probabilityMeanSe: 0,
    informationBitsMeanSe: 0,
    effectiveDrawsMin: null,
    effectiveDrawsReason: 'the risk is exact: nothing is simulated',
    paretoKReason: 'the risk is exact: nothing is simulated',
    epsilon,
    privacyLossMedian: weightedMedian(risk.privacyLoss, table.combinations.counts),
    privacyLoss99: weightedQuantile(risk.privacyLoss, table.combinations.counts, 0.99),
    privacyLossMax: risk.privacyLoss.reduce((most, loss) => Math.max(most, loss), 0),
    ...{ privacyLossMedianSe: 0, privacyLoss99Se: 0, privacyLossMaxSe: 0 },
  };
}

/** What a search has found, over records. */
function summarizeSearch(
  { cellsFound, truthFound, missed, missedSe }: SearchedRows,
  counts: Uint32Array,
): NonNullable<AttributeRiskSummary['search']> {
  const records = counts.reduce((sum, count) => sum + count, 0);
  const mean = (figure: Float64Array) =>
    counts.reduce((sum, count, row) => sum + count * figure[row]!, 0) / records;
  return {
    cellsFound: cellsFound[0]!,
    truthFoundShare: mean(truthFound),
    missedMassMean: mean(missed),
    // All combinations share the visits: their errors do not cancel.
    missedMassMeanSe: mean(missedSe),
    missedMassMax: missed.reduce((a, b) => Math.max(a, b)),
  };
}

/** Why nothing is known of half the length of a run's paired chains. */
function halfLengthReason({ plan, scenario }: ScenarioModel): string {
  if (!hasChains(plan.config)) return 'the risk is exact: there are no chains';
  if (scoresCells(scenario.candidates)) return 'cells are scored once, not by halves of chains';
  return chainsNeeded(plan).pairs === 0
    ? 'the estimator has no paired chains'
    : 'a paired chain of one draw has no half';
}

/** What whole-table candidates give beside the risk table. */
async function writeCellTables(
  store: Store,
  { plan, scenario, table }: ScenarioModel,
  round: number,
): Promise<void> {
  const { guesses, marginals } = await readCellParts(store, scenario, round);
  const names = table.schema.variables.map(({ name }) => name);
  const asked = askedMarginals(plan.config.attributeRisk.marginals, names, table.sizes);
  await writeTable(store, plan.runId, GUESSES, guessRows(guesses, table));
  const rows = marginalRows(marginals, table, asked);
  await writeTable(store, plan.runId, MARGINALS, rows);
}

/** A change by half the length of paired chains that is pointed out, in errors of simulation. */
const NOTABLE_CHANGE = 3;

/** A share of the posterior that a search misses, which is pointed out. */
const MUCH_MISSED = 0.1;

/** What evaluations are to agree on, in words. */
const FIGURES = { rank: 'ranks', probability: 'probabilities' } as const;

const chainsInWords = ({ chains, pairedChains }: ChainNumbers) =>
  `${chains} base chains and ${pairedChains} paired chains of each dataset`;

/** Says that the reproducibility that was asked for was not reached. */
function targetWarnings(plan: Plan, rounds: readonly Judgement[]): Warning[] {
  const last = rounds.at(-1)!;
  if (last.outcome !== 'max-chains') return [];
  const next = last.next!;
  const wanted = next.chains + (chainsNeeded(plan).pairs > 0 ? plan.datasets.count * next.pairedChains : 0);
  return [
    {
      code: 'reproducibility-not-reached',
      message: `The ${FIGURES[last.of]} of two evaluations were to correlate by ${last.target}; ${chainsInWords(last)} reach ${last.reproducibility!.toFixed(3)}, and no more than ${mostChains(plan)} base chains and pairs of chains are allowed. ${chainsInWords(next)} are expected to reach ${next.reproducibility.toFixed(3)}, for ${Math.round(100 * next.work)} % more work (mcmc.maxChains: ${wanted}, --max-chains ${wanted}).`,
    },
  ];
}

function riskWarnings(risk: AttributeRiskSummary): Warning[] {
  const warnings: Warning[] = [];
  if (risk.estimator === 'importance' && risk.effectiveDrawsMin! < FEWEST_EFFECTIVE_DRAWS) {
    warnings.push({
      code: 'few-effective-draws',
      message: `The published importance estimator has only ${risk.effectiveDrawsMin!.toFixed(2)} effective draws: it shows what single draws say, not what the release tells, and another seed would give other ranks. Use the estimator \`augmented\`.`,
    });
  }
  const { rankReproducibility, reproducibility } = risk;
  const low = [
    ...(reproducibility !== null && reproducibility < GOOD_REPRODUCIBILITY
      ? [`${reproducibility.toFixed(2)} in the probability of the truth`]
      : []),
    ...(rankReproducibility !== null && rankReproducibility < GOOD_REPRODUCIBILITY
      ? [`${rankReproducibility.toFixed(2)} in its rank`]
      : []),
  ];
  if (low.length > 0) {
    warnings.push({
      code: 'low-reproducibility',
      message: `Two evaluations of this release would correlate by only ${low.join(' and ')}. Ask for more (mcmc.reproducibility, --reproducibility): chains are then added where the error is.`,
    });
  }
  const {
    gainBitsMean: gained,
    gainBitsMeanSe,
    gainBitsClaimed,
    gainBitsExcess: excess,
    gainBitsExcessSe: se,
  } = risk;
  if (claimDiffers(risk)) {
    const claimed = formatSupported(gainBitsClaimed!, gainBitsMeanSe);
    warnings.push({
      code: 'claim-differs',
      message: `About the true values of the observed records, the release reveals ${formatEstimate(gained!, gainBitsMeanSe!)} bits a record where the estimate claims ${claimed}: they differ by ${formatEstimate(Math.abs(excess!), se!)}. The estimate ${excess! > 0 ? 'overstates what the release reveals' : 'understates what the release reveals: risks may be larger than stated'}.`,
    });
  }
  if (risk.bandedVariables !== undefined) {
    warnings.push({
      code: 'true-value-tried',
      message: `Of ${risk.bandedVariables.join(', ')} bands are guessed at, and a record's own band is tried by its true value, any other by one value that stands for it. That is an intruder who checks a value that he suspects: for one who knows bands alone the risk is too large as it is given (docs/explanation/trees.md, continuous variables).`,
    });
  }
  const { halfLength } = risk;
  if (halfLength !== null && (halfLength.changeInErrors ?? 0) > NOTABLE_CHANGE) {
    const half = formatSupported(halfLength.informationBitsMean, risk.informationBitsMeanSe);
    warnings.push({
      code: 'length-matters',
      message: `Paired chains of half the length would find ${half} bits a record instead of ${formatEstimate(risk.informationBitsMean, risk.informationBitsMeanSe)}, more than simulation explains: ${risk.knows === undefined ? 'they leave the modes that they start in' : 'they have not forgotten their start'}. The difference is in the errors. Another length (mcmc.pairedThin, --paired-thin) tells how far it goes.`,
    });
  }
  if (risk.heavyTailShare > 0) {
    warnings.push({
      code: 'heavy-tails',
      message: `For ${formatPercent(risk.heavyTailShare)} of the records the draws' weights have a tail too heavy for their mean (Pareto k above ${risk.paretoKThreshold.toFixed(2)}): their risk may be further off than its standard error says. They are marked in the column heavy_tail. More chains help (mcmc.reproducibility, --reproducibility).`,
    });
  }
  if (risk.search !== undefined && risk.search.missedMassMean > MUCH_MISSED) {
    warnings.push({
      code: 'search-incomplete',
      message: `The search found cells that hold ${formatPercent(1 - risk.search.missedMassMean)} of the posterior, in the mean over records: probabilities are relative to what was found, and ranks are lower bounds. A longer search (attributeRisk.candidates, --candidates search=) finds more.`,
    });
  }
  if (risk.slope !== 1) {
    warnings.push({
      code: 'slope-applied',
      message: `The likelihood was raised to the power ${risk.slope}, as the config asks (attributeRisk.slope).`,
    });
  }
  return warnings;
}
