import { withErrorNames } from '../figure-errors.ts';
import type { AttributeRiskSummary } from './summary.ts';

/** Figures of whole observed records wherever candidates are ranked. */
const ALWAYS_RANKED = [
  'truthRankedFirst',
  'truthRankedFirstShare',
  'randomGuessingShare',
  'priorProbabilityMean',
  'priorFirstShare',
  'truthRankMedian',
  'probabilityMean',
  'probabilityMax',
  'informationBitsMean',
  'informationBitsMax',
  'distinguishableShare',
  'rankHistogram',
  'rankHistogramWidth',
] as const satisfies readonly (keyof AttributeRiskSummary)[];

/** Figures of ranked candidates, of whole records or of single variables: null, with `rankedReason`, where none are ranked. */
export const RANKED_FIGURES = [
  ...ALWAYS_RANKED,
  ...(['truthRankedFirstShare', 'probabilityMean', 'informationBitsMean'] as const).flatMap(withErrorNames),
  ...(['privacyLossMedian', 'privacyLoss99', 'privacyLossMax'] as const).flatMap(withErrorNames),
  ...(['halfLength', 'rankReproducibility', 'effectiveDrawsMin'] as const),
  ...(['firstGuessRightBefore', 'firstGuessRightBeforeSe', ...withErrorNames('firstGuessRightAfter')] as const),
  ...(['probabilityTrueBefore', 'probabilityTrueBeforeSe', ...withErrorNames('probabilityTrueAfter')] as const),
  ...withErrorNames('valuesGivenAway'),
  ...(['commonestShare', 'naiveBayesShare'] as const),
] as const satisfies readonly (keyof AttributeRiskSummary)[];

/** A scenario whose candidates are ranked. */
export type RankedRisk = AttributeRiskSummary & {
  readonly [Name in (typeof ALWAYS_RANKED)[number]]: NonNullable<AttributeRiskSummary[Name]>;
};

/** Whether the candidates of a scenario are ranked: with numbers alone to be guessed at there are none. */
export const isRanked = (risk: AttributeRiskSummary): risk is RankedRisk => risk.rankedReason === undefined;

/** The continuous variable to whose true values an intruder comes nearest; undefined where none has a density. */
export const nearestVariable = ({ continuousVariables = [] }: Pick<AttributeRiskSummary, 'continuousVariables'>) =>
  continuousVariables.toSorted((a, b) => b.withinAfter - a.withinAfter)[0];
