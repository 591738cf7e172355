import type { UtilitySummary } from '../../contracts/results/utility.ts';
import { formatEstimate } from './format-number.ts';

type Propensity = UtilitySummary['propensity'][number];

/** What a propensity score is fitted on. */
export const TERMS_IN_WORDS: Readonly<Record<Propensity['terms'], string>> = {
  main: 'logistic regression, main effects',
  pairs: 'logistic regression, pairs of variables',
  tree: 'classification tree',
};

/** Where the expectation of a propensity score is from. */
export const EXPECTED_IN_WORDS: Readonly<Record<NonNullable<Propensity['expectedBy']>, string>> = {
  formula: 'by formula',
  'pairs of rows': 'from pairs of rows',
  permutation: 'by permutation',
};

/** Names of a propensity score and its ratio in `figures`. */
export const PROPENSITY_FIGURES = {
  main: { pmse: 'propensityMain', ratio: 'propensityRatioMain' },
  pairs: { pmse: 'propensityPairs', ratio: 'propensityRatioPairs' },
  tree: { pmse: 'propensityTree', ratio: 'propensityRatioTree' },
} as const;

/** How far chance alone makes the ratio of one dataset vary; null where that is not known. */
export function chanceInWords({ expected, expectedDeviation }: NonNullable<Propensity['mean']>): string | null {
  if (expectedDeviation === null || !(expected > 0)) return null;
  return `chance alone gives one dataset ${formatEstimate(1, expectedDeviation / expected)}`;
}
