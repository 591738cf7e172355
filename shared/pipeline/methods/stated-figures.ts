import type { ScenarioModel } from '../../artifacts/run-context.ts';

import { type FileRisk, type HalvesStandFor, simulatedFigures } from '../../risk/attribute/attribute-summary.ts';
import type { ExactFigures } from '../../risk/exact/exact-risk.ts';
import type { StatedRisk, SummarizedRows } from './risk-method.ts';

const unvaried = ({ synthesized }: ScenarioModel) =>
  `the probability of the truth does not vary over ${synthesized ? 'records' : 'combinations'}`;

/**
 * What is stated of a risk from chains.
 *
 * @param halfLengthReason where nothing is known of half the length of paired chains
 */
export async function statedSimulation(
  context: ScenarioModel,
  file: FileRisk,
  { risk, counts, paretoKThreshold }: SummarizedRows,
  halves: HalvesStandFor,
  halfLengthReason: string,
): Promise<Pick<StatedRisk, 'own' | 'reason'>> {
  const figures = await simulatedFigures(risk, counts, file, paretoKThreshold, halves);
  return {
    own: {
      ...figures,
      ...(figures.reproducibility === null ? { reproducibilityReason: unvaried(context) } : {}),
      ...(figures.halfLength === null ? { halfLengthReason } : {}),
      ...(figures.paretoKMax === null ? { paretoKReason: 'the draws are too few for a tail, or their weights do not vary' } : {}),
    },
    reason: figures.privacyLossMax === null ? { privacyLossReason: 'cells are not listed one by one' } : {},
  };
}

/**
 * What is stated of a risk that is exact.
 *
 * @param paretoKReason for which nothing is said of draws
 */
export function statedExact(context: ScenarioModel, exact: ExactFigures, paretoKReason: string): StatedRisk['own'] {
  // Where it has no bound it is no number.
  const loss = (value: number) => (value === Infinity ? null : value);
  const error = (value: number) => (value === Infinity ? null : 0);
  return {
    truthRankedFirstShareSe: 0,
    probabilityMeanSe: 0,
    informationBitsMeanSe: 0,
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
    halfLength: null,
    halfLengthReason: 'the risk is exact: there are no chains',
    effectiveDrawsMin: null,
    paretoKMax: null,
    paretoKReason,
    heavyTailShare: 0,
  };
}
