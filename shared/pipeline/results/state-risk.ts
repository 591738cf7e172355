import type { ScenarioModel } from '../../artifacts/run-context.ts';
import { candidatesInConfig, priorName } from '../../contracts/config/config.ts';
import { knowledgeInWords } from '../../contracts/config/knowledge.ts';
import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import { type RegionRule, regionRules } from '../../contracts/settings/acceptance-region.ts';
import { ESTIMATOR_MEANING } from '../../risk/attribute/attribute-estimators.ts';
import { judgeRegion } from '../../risk/attribute/broken-weights.ts';
import type { StatedRisk, SummarizedRows } from '../methods/risk-method.ts';
import type { VariableFigures } from './variable-figures.ts';

/** Fields that every method has, in the order in which `summary.json` has them: those of the file stand beside their errors. */
const EVERYWHERE = [
  ...(['scenario', 'estimator', 'meaning', 'candidates', 'candidatesPerCombinationMax', 'prior', 'slope', 'records'] as const),
  ...(['reproducibility', 'reproducibilityReason', 'halfLengthReason', 'paretoKReason', 'paretoKThreshold'] as const),
  ...(['truthRankedFirst', 'truthRankedFirstShare', 'truthRankedFirstShareSe', 'randomGuessingShare'] as const),
  ...(['priorProbabilityMean', 'priorFirstShare', 'truthRankMedian', 'probabilityMean', 'probabilityMeanSe', 'probabilityMax'] as const),
  ...(['informationBitsMean', 'informationBitsMeanSe', 'informationBitsMax'] as const),
  ...(['privacyLossMedian', 'privacyLossMedianSe', 'privacyLoss99', 'privacyLoss99Se', 'privacyLossMax', 'privacyLossMaxSe'] as const),
  ...(['rankReproducibility', 'halfLength', 'effectiveDrawsMin', 'paretoKMax', 'heavyTailShare', 'distinguishableShare'] as const),
  ...(['rankHistogram', 'rankHistogramWidth'] as const),
];

/** Attribute risk of a scenario as `summary.json` states it. */
export function stateRisk(
  context: ScenarioModel,
  { file, own, reason, before, after }: StatedRisk,
  values: VariableFigures,
  rows: SummarizedRows,
): AttributeRiskSummary {
  const { scenario, records, plan } = context;
  const { slope, estimator } = plan.config.attributeRisk;
  const { candidates, paretoKThreshold } = rows;
  const everywhere: Pick<AttributeRiskSummary, (typeof EVERYWHERE)[number]> = {
    ...{ scenario: scenario.name, estimator, meaning: meaningOf(context), candidates: candidatesInConfig(scenario.candidates) },
    candidatesPerCombinationMax: typeof candidates === 'number' ? candidates : candidates.reduce((a, b) => Math.max(a, b)),
    ...{ prior: priorName(scenario.prior), slope, records, paretoKThreshold },
    ...{ ...file, rankHistogram: [...file.rankHistogram], ...own },
  };
  return {
    ...(Object.fromEntries(EVERYWHERE.map((name) => [name, everywhere[name]])) as typeof everywhere),
    ...reason,
    acceptanceRegion: regionOf(regionRules(plan.config), scenario.name, rows),
    ...before,
    ...values,
    ...after,
  };
}

/** What the estimator measures, in words. */
const meaningOf = ({ plan, scenario: { knows } }: ScenarioModel) =>
  knows === undefined
    ? ESTIMATOR_MEANING[plan.config.attributeRisk.estimator]
    : `what an intruder who has ${knowledgeInWords(knows)} learns about one that he does not have from the released datasets, by the same model`;

function regionOf(region: readonly RegionRule[], name: string, { risk, counts }: SummarizedRows): AttributeRiskSummary['acceptanceRegion'] {
  const rules = region.filter(({ scenario }) => scenario === null || scenario === name);
  return rules.length === 0 ? null : judgeRegion(rules, risk.bayesFactor, risk.bayesFactorSe, counts);
}
