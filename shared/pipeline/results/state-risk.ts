import type { ScenarioModel } from '../../artifacts/run-context.ts';
import { candidatesInConfig, priorName } from '../../contracts/config/config.ts';
import { knowledgeInWords, openKnowledge } from '../../contracts/config/knowledge.ts';
import { withErrors } from '../../contracts/figure-errors.ts';
import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import { type RegionRule, regionRules } from '../../contracts/settings/acceptance-region.ts';
import { studentHalfWidth } from '../../numeric/student-t.ts';
import { ESTIMATOR_MEANING } from '../../risk/attribute/attribute-estimators.ts';
import type { SimulatedFigures } from '../../risk/attribute/attribute-summary.ts';
import { judgeRegion } from '../../risk/attribute/broken-weights.ts';
import { joinErrors } from '../../risk/attribute/release-error.ts';
import type { ReleaseErrors } from '../../risk/attribute/release-figures.ts';
import type { separateFigures } from '../../risk/attribute/separate-datasets.ts';
import type { ExactFigures } from '../../risk/exact/exact-figures.ts';
import type { MethodRisk } from '../methods/method-risk.ts';
import type { SummarizedRows } from '../methods/risk-method.ts';
import type { TreeFigures } from '../methods/tree-figures.ts';
import { chainsNeeded } from '../rounds/chains-needed.ts';
import { SINGLE_DATASET, type VariableFigures } from './variable-figures.ts';

/** Reasons that a method has where something is null. */
type MethodReasons = `${'reproducibility' | 'halfLength' | 'paretoK'}Reason`;

/** Fields of a method (errors are of simulation), and what it alone states, before the figures of values in the file or after them. */
interface StatedMethod {
  readonly own: Omit<SimulatedFigures, 'effectiveDrawsMin'> & Pick<AttributeRiskSummary, 'effectiveDrawsMin' | MethodReasons>;
  /** Why a privacy loss is null. */
  readonly reason?: Pick<AttributeRiskSummary, 'privacyLossReason'>;
  readonly before?: Partial<AttributeRiskSummary>;
  readonly after?: Partial<AttributeRiskSummary>;
}

/** Attribute risk of a scenario as `summary.json` states it, field by field in its order. */
export function stateRisk(context: ScenarioModel, found: MethodRisk, values: VariableFigures, rows: SummarizedRows): AttributeRiskSummary {
  const { scenario, records, plan } = context;
  const { slope, estimator } = plan.config.attributeRisk;
  const { candidates, paretoKThreshold } = rows;
  const { file, release } = found;
  const datasets = releasesKnown(release) ? plan.datasets.count : 0;
  const stated = <Name extends keyof ReleaseErrors, Value extends number | null>(name: Name, value: Value) => {
    const simulationSe = own[`${name}Se`];
    const releaseSe = simulationSe === null ? null : release[name];
    return withErrors(name, value, simulationSe === null ? { se: null, simulationSe, releaseSe } : joinErrors(simulationSe, releaseSe));
  };
  const { own, reason, before, after } = statedByMethod(context, found);
  return {
    scenario: scenario.name,
    estimator,
    meaning: meaningOf(context),
    candidates: candidatesInConfig(scenario.candidates),
    candidatesPerCombinationMax: typeof candidates === 'number' ? candidates : candidates.reduce((a, b) => Math.max(a, b)),
    prior: priorName(scenario.prior),
    slope,
    records,
    reproducibility: own.reproducibility,
    reproducibilityReason: own.reproducibilityReason,
    halfLengthReason: own.halfLengthReason,
    paretoKReason: own.paretoKReason,
    paretoKThreshold,
    truthRankedFirst: file.truthRankedFirst,
    ...stated('truthRankedFirstShare', file.truthRankedFirstShare),
    randomGuessingShare: file.randomGuessingShare,
    priorProbabilityMean: file.priorProbabilityMean,
    priorFirstShare: file.priorFirstShare,
    truthRankMedian: file.truthRankMedian,
    ...stated('probabilityMean', file.probabilityMean),
    probabilityMax: file.probabilityMax,
    ...stated('informationBitsMean', file.informationBitsMean),
    informationBitsMax: file.informationBitsMax,
    ...stated('privacyLossMedian', own.privacyLossMedian),
    ...stated('privacyLoss99', own.privacyLoss99),
    ...stated('privacyLossMax', own.privacyLossMax),
    releaseQuantile: datasets === 0 ? null : studentHalfWidth(datasets - 1),
    ...(datasets === 0 ? { releaseSeReason: plan.datasets.count === 1 ? SINGLE_DATASET : CELLS_TOGETHER } : {}),
    rankReproducibility: own.rankReproducibility,
    halfLength: own.halfLength,
    effectiveDrawsMin: own.effectiveDrawsMin,
    paretoKMax: own.paretoKMax,
    heavyTailShare: own.heavyTailShare,
    distinguishableShare: file.distinguishableShare,
    rankHistogram: [...file.rankHistogram],
    rankHistogramWidth: file.rankHistogramWidth,
    ...reason,
    acceptanceRegion: regionOf(regionRules(plan.config), scenario.name, rows),
    ...before,
    ...values,
    variables: found.by === 'grown' ? withProven(values.variables, found.trees) : values.variables,
    ...after,
  };
}

const releasesKnown = (release: ReleaseErrors) => release.probabilityMean !== null;

const CELLS_TOGETHER = 'cells are scored for all datasets at once, so that nothing tells how releases differ';

/** What the estimator measures, in words. */
const meaningOf = ({ plan, scenario: { knows } }: ScenarioModel) =>
  knows === undefined
    ? ESTIMATOR_MEANING[plan.config.attributeRisk.estimator]
    : `what an intruder who has ${knowledgeInWords(knows)} learns about one that he does not have from the released datasets, by the same model`;

function regionOf(region: readonly RegionRule[], name: string, { risk, counts }: SummarizedRows): AttributeRiskSummary['acceptanceRegion'] {
  const rules = region.filter(({ scenario }) => scenario === null || scenario === name);
  return rules.length === 0 ? null : judgeRegion(rules, risk.bayesFactor, risk.bayesFactorSe, counts);
}

/** What is stated of a risk as its method has it. */
function statedByMethod(context: ScenarioModel, found: MethodRisk): StatedMethod {
  switch (found.by) {
    case 'sampled':
      return {
        own: statedSimulation(context, found.simulation, pairedReason(context)),
        reason: unlisted(found.simulation),
        ...(found.separate ? { after: statedSeparately(context, found.separate) } : {}),
      };
    case 'cells':
      return {
        own: statedSimulation(context, found.simulation, 'cells are scored once, not by halves of chains'),
        reason: unlisted(found.simulation),
      };
    case 'counted': {
      const effectiveDrawsReason = 'the risk is exact: nothing is simulated';
      return { own: statedExact(context, found.exact, effectiveDrawsReason), before: { effectiveDrawsReason, epsilon: found.epsilon } };
    }
    case 'grown': {
      const effectiveDrawsReason = 'the risk is exact: it has no Monte Carlo error';
      return {
        own: statedExact(context, found.exact, effectiveDrawsReason),
        after: { effectiveDrawsReason, ...unbounded(found.exact), ...statedTrees(found.trees) },
      };
    }
  }
}

const unvaried = ({ synthesized }: ScenarioModel) =>
  `the probability of the truth does not vary over ${synthesized ? 'records' : 'combinations'}`;

/** @param halfLengthReason where nothing is known of half the length of paired chains */
function statedSimulation(context: ScenarioModel, figures: SimulatedFigures, halfLengthReason: string): StatedMethod['own'] {
  return {
    ...figures,
    ...(figures.reproducibility === null ? { reproducibilityReason: unvaried(context) } : {}),
    ...(figures.halfLength === null ? { halfLengthReason } : {}),
    ...(figures.paretoKMax === null ? { paretoKReason: 'the draws are too few for a tail, or their weights do not vary' } : {}),
  };
}

/** @param paretoKReason for which nothing is said of draws */
function statedExact(context: ScenarioModel, exact: ExactFigures, paretoKReason: string): StatedMethod['own'] {
  // Where it has no bound it is no number.
  const loss = (value: number) => (value === Infinity ? null : value);
  const error = (value: number) => (value === Infinity ? null : 0);
  return {
    ...{ truthRankedFirstShareSe: 0, probabilityMeanSe: 0, informationBitsMeanSe: 0 },
    privacyLossMedian: loss(exact.privacyLossMedian),
    privacyLossMedianSe: error(exact.privacyLossMedian),
    privacyLoss99: loss(exact.privacyLoss99),
    privacyLoss99Se: error(exact.privacyLoss99),
    privacyLossMax: loss(exact.privacyLossMax),
    privacyLossMaxSe: error(exact.privacyLossMax),
    // Another evaluation finds the same.
    reproducibility: exact.probabilityVaries ? 1 : null,
    ...(exact.probabilityVaries ? {} : { reproducibilityReason: unvaried(context) }),
    rankReproducibility: exact.rankVaries ? 1 : null,
    ...{ halfLength: null, halfLengthReason: 'the risk is exact: there are no chains' },
    ...{ effectiveDrawsMin: null, paretoKMax: null, paretoKReason, heavyTailShare: 0 },
  };
}

const unlisted = ({ privacyLossMax }: SimulatedFigures) =>
  privacyLossMax === null ? { privacyLossReason: 'cells are not listed one by one' } : {};

const unbounded = ({ privacyLossMax }: ExactFigures) =>
  privacyLossMax === Infinity ? { privacyLossReason: 'some candidates could not have led to the release, so that it has no bound' } : {};

/** Why nothing is known of half the length of a run's paired chains. */
const pairedReason = ({ plan }: ScenarioModel) =>
  chainsNeeded(plan).pairs === 0 ? 'the estimator has no paired chains' : 'a paired chain of one draw has no half';

/** What is said of an intruder who does not have all records but one. */
function statedSeparately(
  { scenario }: ScenarioModel,
  { datasets, largest, product }: ReturnType<typeof separateFigures>,
): Partial<AttributeRiskSummary> {
  return {
    knows: openKnowledge(scenario.knows!),
    separately: [...datasets],
    largestOfDatasets: largest,
    productOfDatasets: product,
    together: datasets.length === 1 ? 'one dataset: exact' : 'mean of log-likelihoods over datasets: an approximation',
  };
}

/** Figures of single variables, with the share of records of which the release proves the value. */
const withProven = (variables: VariableFigures['variables'], { provenShares }: TreeFigures) =>
  variables.map((own) => ({ ...own, provenShare: provenShares.get(own.variable)! }));

const statedTrees = ({ provenRecords, provenShare, bandedVariables, fixedStructure }: TreeFigures) => ({
  provenRecords,
  provenShare,
  ...(bandedVariables.length > 0 ? { bandedVariables: [...bandedVariables] } : {}),
  ...(fixedStructure ? { fixedStructure } : {}),
});
