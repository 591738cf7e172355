import type { Measure } from '../../contracts/results/comparison.ts';

/** What the last field of a measure's name is, in words. */
const FIELDS: Readonly<Record<string, string>> = {
  uncertaintyResolved: 'Uncertainty resolved, share of what the intruder did not know',
  gainBitsMean: 'Gain at the truth, bits a record',
  gainBitsRiskiest: 'Gain at the truth of the riskiest 1 % of records, bits a record',
  firstGuessRightAfter: 'Values guessed right, share',
  firstGuessRightBefore: 'Values guessed right without the release, share',
  withinAfter: 'Near the true number, probability: of the variable to which an intruder comes nearest',
  truthRankedFirstShare: 'Truth ranked first, share of records',
  probabilityMean: 'Probability of the truth, mean',
  probabilityMax: 'Probability of the truth, largest',
  informationBitsMean: 'Change in the intruder’s probabilities, bits a record',
  privacyLossMax: 'Privacy loss, largest, nats',
  auc: 'Membership: a record against others (AUC)',
  foundAt1Percent: 'Members found at 1 % false alarms, share of records',
  expectedMatchRisk: 'Expected match risk, records',
  trueMatchRate: 'True match rate',
  falseMatchRate: 'False match rate',
  meanShare: 'True values that came out, share of records',
  oneWayTotalVariation: 'One-way tables, share of records in another cell',
  twoWayTotalVariation: 'Two-way tables, share of records in another cell',
  threeWayTotalVariation: 'Three-way tables, share of records in another cell',
  propensityMain: 'pMSE, main effects',
  propensityPairs: 'pMSE, pairs of variables',
  propensityTree: 'pMSE, tree',
  propensityRatioMain: 'pMSE ratio, main effects',
  propensityRatioPairs: 'pMSE ratio, pairs of variables',
  propensityRatioTree: 'pMSE ratio, tree',
  propensityRatioFormulaMain: 'pMSE ratio by the formula of Snoke et al., main effects',
  propensityRatioFormulaPairs: 'pMSE ratio by the formula of Snoke et al., pairs of variables',
  intervalOverlapMean: 'Overlap of intervals of regressions',
  standardizedDifferenceMean: 'Differences of coefficients, standard errors',
  patternDistanceMean: 'Distance within patterns',
  associationDifferenceMean: 'Difference of associations, mean',
  associationDifferenceMax: 'Difference of associations, largest',
};

/** A measure in words, with its scenario where it is of one. */
export function measureInWords(name: string): string {
  const words = FIELDS[name.slice(name.lastIndexOf('.') + 1)] ?? name;
  const scenario = /\["(.*)"\]/s.exec(name)?.[1];
  return scenario === undefined ? words : `${words} (${scenario})`;
}

/** What the standard errors of a measure hold, in words. */
export const COVERS_IN_WORDS: Readonly<Record<NonNullable<Measure['covers']>, string>> = {
  simulation: 'simulation: another evaluation of the same release',
  'simulation and release': 'simulation and release: another release of the same table, and its evaluation',
  datasets: 'datasets: further datasets of the same synthesizer',
};
