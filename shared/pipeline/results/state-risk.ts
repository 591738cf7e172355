import type { ScenarioModel } from '../../artifacts/run-context.ts';
import { candidatesInConfig, hasReconstruction, priorName } from '../../contracts/config/config.ts';
import { knowledgeInWords } from '../../contracts/config/knowledge.ts';
import { withErrorNames, withErrors } from '../../contracts/figure-errors.ts';
import { RANKED_FIGURES } from '../../contracts/results/ranked-figures.ts';
import type { ReconstructionSummary } from '../../contracts/results/reconstruction/reconstruction.ts';
import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import { type RegionRule, rulesOfScenario } from '../../contracts/settings/acceptance-region.ts';
import { studentHalfWidth } from '../../numeric/student-t.ts';
import { ESTIMATOR_MEANING } from '../../risk/attribute/attribute-estimators.ts';
import { judgeRegion } from '../../risk/attribute/broken-weights.ts';
import { joinErrors } from '../../risk/attribute/release-error.ts';
import type { ReleaseErrors } from '../../risk/attribute/release-figures.ts';
import { ranksCandidates } from '../../risk/intruder/candidate-space.ts';
import type { StatedRisk, SummarizedRows } from '../methods/risk-method.ts';
import { SINGLE_DATASET, type VariableFigures } from './variable-figures.ts';

/** Fields that every method has, in the order in which `summary.json` has them: those of the file stand beside their errors. */
const EVERYWHERE = [
  'scenario',
  'estimator',
  'meaning',
  'candidates',
  'candidatesPerCombinationMax',
  'prior',
  'slope',
  'records',
  'reproducibility',
  'reproducibilityReason',
  'halfLengthReason',
  'paretoKReason',
  'paretoKThreshold',
  'truthRankedFirst',
  ...withErrorNames('truthRankedFirstShare'),
  'randomGuessingShare',
  'priorProbabilityMean',
  'priorFirstShare',
  'truthRankMedian',
  ...withErrorNames('probabilityMean'),
  'probabilityMax',
  ...withErrorNames('informationBitsMean'),
  'informationBitsMax',
  ...withErrorNames('privacyLossMedian'),
  ...withErrorNames('privacyLoss99'),
  ...withErrorNames('privacyLossMax'),
  'releaseQuantile',
  'releaseSeReason',
  'rankReproducibility',
  'halfLength',
  'effectiveDrawsMin',
  'paretoKMax',
  'heavyTailShare',
  'distinguishableShare',
  'rankHistogram',
  'rankHistogramWidth',
] as const;

/** Attribute risk of a scenario as `summary.json` states it. */
export function stateRisk(
  context: ScenarioModel,
  { file, release, own, membership, reason, before, after }: StatedRisk,
  values: VariableFigures,
  rows: SummarizedRows,
  reconstruction: ReconstructionSummary | null,
): AttributeRiskSummary {
  const { scenario, records, plan } = context;
  const { slope, estimator } = plan.config.attributeRisk;
  const { candidates, paretoKThreshold } = rows;
  const datasets = release.probabilityMean === null ? 0 : plan.datasets.count;
  const stated = <Name extends keyof ReleaseErrors, Value extends number | null>(name: Name, value: Value) => {
    const simulationSe = own[`${name}Se`];
    const releaseSe = simulationSe === null ? null : release[name];
    return withErrors(name, value, simulationSe === null ? { se: null, simulationSe, releaseSe } : joinErrors(simulationSe, releaseSe));
  };
  const everywhere: Pick<AttributeRiskSummary, (typeof EVERYWHERE)[number]> = {
    scenario: scenario.name,
    estimator,
    meaning: meaningOf(context),
    candidates: candidatesInConfig(scenario.candidates),
    candidatesPerCombinationMax: typeof candidates === 'number' ? candidates : candidates.reduce((a, b) => Math.max(a, b)),
    prior: priorName(scenario.prior),
    slope,
    records,
    paretoKThreshold,
    ...file,
    rankHistogram: [...file.rankHistogram],
    ...own,
    ...stated('truthRankedFirstShare', file.truthRankedFirstShare),
    ...stated('probabilityMean', file.probabilityMean),
    ...stated('informationBitsMean', file.informationBitsMean),
    ...stated('privacyLossMedian', own.privacyLossMedian),
    ...stated('privacyLoss99', own.privacyLoss99),
    ...stated('privacyLossMax', own.privacyLossMax),
    releaseQuantile: datasets === 0 ? null : studentHalfWidth(datasets - 1),
    ...(datasets === 0 ? { releaseSeReason: plan.datasets.count === 1 ? SINGLE_DATASET : CELLS_TOGETHER } : {}),
  };
  return {
    ...(Object.fromEntries(EVERYWHERE.map((name) => [name, everywhere[name]])) as typeof everywhere),
    ...reason,
    acceptanceRegion: regionOf(rulesOfScenario(plan.config, scenario.name), rows),
    ...before,
    ...values,
    ...('reason' in membership ? { membership: null, membershipReason: membership.reason } : { membership }),
    reconstruction: scenario.knows === 'nothing' ? reconstruction : null,
    ...unreconstructedReason(context),
    ...after,
    ...(ranksCandidates(context.space) ? {} : { ...UNRANKED, halfLengthReason: own.halfLengthReason ?? NUMBERS_ALONE }),
  };
}

/** What of the figures of candidates is left where numbers alone are guessed at. */
const NUMBERS_ALONE =
  'all variables that are guessed at are continuous, and ranks are of categories: `continuousVariables` says how near a guess comes';
const UNRANKED = {
  ...(Object.fromEntries(RANKED_FIGURES.map((name) => [name, null])) as Record<(typeof RANKED_FIGURES)[number], null>),
  acceptanceRegion: null,
  ...Object.fromEntries(['ranked', 'effectiveDraws', 'privacyLoss'].map((of) => [`${of}Reason`, NUMBERS_ALONE])),
};

/** Why nothing is reconstructed. */
const HAS_RECORDS =
  'the intruder has records of the table: who has none (`knows: nothing`, for fully synthetic data of the DPMPM) is asked which records they would name';
const NO_COMBINATIONS =
  'records with numbers are hardly ever equal, so that there are no combinations to name: `continuousVariables` says how near a guess comes';

function unreconstructedReason({ scenario: { knows }, plan }: ScenarioModel): Pick<AttributeRiskSummary, 'reconstructionReason'> {
  if (knows !== 'nothing') return { reconstructionReason: HAS_RECORDS };
  return hasReconstruction(plan.config) ? {} : { reconstructionReason: NO_COMBINATIONS };
}

const CELLS_TOGETHER = 'cells are scored for all datasets at once, so that it is not known how releases differ';

/** What the estimator measures, in words. */
const meaningOf = ({ plan, scenario: { knows } }: ScenarioModel) =>
  knows === undefined
    ? ESTIMATOR_MEANING[plan.config.attributeRisk.estimator]
    : `what an intruder who has ${knowledgeInWords(knows)} learns about one that he does not have from the released datasets, by the same model`;

function regionOf(rules: readonly RegionRule[], { risk, counts }: SummarizedRows): AttributeRiskSummary['acceptanceRegion'] {
  return rules.length === 0 ? null : judgeRegion(rules, risk.bayesFactor, risk.bayesFactorSe, counts);
}
