import * as z from 'zod';
import { count, nonNegative, nonNegativeOrNull, number, numberOrNull, positiveInteger, share, shareOrNull } from '../number-schemas.ts';
import { errorsOf, intervalOf, reason } from '../shared-fields.ts';

/** synthpop's measures of one target and its keys (Raab, Nowok and Dibben 2024), as shares of records. */
const disclosureFiguresSchema = z.strictObject({
  UiO: share.describe('Records whose keys are unique in the table.'),
  UiS: share.describe('Rows whose keys are unique in the dataset.'),
  UiOiS: share.describe('Unique records whose keys are in the dataset.'),
  repU: share.describe('Unique records whose keys are unique in the dataset too.'),
  Dorig: share.describe('Records whose keys decide their target in the table.'),
  Dsyn: share.describe('Rows whose keys decide their target in the dataset.'),
  iS: share.describe('Records whose keys are in the dataset.'),
  DiS: share.describe('Records with keys that decide some target in the dataset.'),
  DiSCO: share.describe('Records whose keys decide their own target in the dataset.'),
  DiSDiO: share.describe('The same where the table decides it as well.'),
  maxDenom: nonNegative.describe('Records that one combination of keys discloses at most.'),
  meanDenom: nonNegativeOrNull.describe('The same on average.'),
  baseCAPd: share.describe('Right guesses of an intruder who does not know the keys.'),
  CAPd: share.describe('Mean share of the own target among records with the same keys.'),
  CAPs: share.describe('The same among rows of the dataset.'),
  DCAP: share.describe('Mean share of the own target among rows with the same keys.'),
  TCAP_alt: shareOrNull.describe('DiSCO among records with keys in the dataset (iS); `TCAP` of synthpop before 1.9-3.'),
  TCAP: shareOrNull.describe('DiSCO among records with keys that decide some target (DiS), as in synthpop 1.9-3.'),
});

const disclosureSchema = z.strictObject({
  target: z.string().describe('What is guessed at.'),
  keys: z.array(z.string()).describe('Variables that the attacker knows.'),
  datasets: z.array(disclosureFiguresSchema).describe('The figures of each dataset.'),
  mean: disclosureFiguresSchema.describe('Means over datasets.'),
  meanSe: errorsOf(disclosureFiguresSchema).nullable().describe('Standard errors by the spread between datasets; 0 for the table alone.'),
});

/** Of shares of attempts. */
const ATTEMPTS_SE = nonNegative.describe('Its standard error by the attempts alone.');

/** One attack of Anonymeter on one dataset (Giomi et al. 2023). Shares with 95 % intervals of Wilson. */
const attackOutcomeSchema = z.strictObject({
  attack: z
    .enum(['univariate', 'multivariate', 'linkability', 'inference'])
    .describe('`univariate`, `multivariate`, `linkability` or `inference`.'),
  dataset: positiveInteger.describe('Number of the dataset, from 1.'),
  target: z.string().optional().describe('Of inference: what is guessed at.'),
  attempts: count.describe('Attempts.'),
  queries: count.optional().describe('Singling out: different queries.'),
  successes: count.describe('Attempts that succeed against the table.'),
  rate: share.describe('Their share, before the control is subtracted.'),
  rateSe: ATTEMPTS_SE,
  rateLow: share.describe('Lower end of its 95 % interval.'),
  rateHigh: share.describe('Upper end.'),
  risk: share.describe('The rate beyond the control’s, if any.'),
  riskSe: ATTEMPTS_SE,
  low: share.describe('Lower end of the risk’s 95 % interval.'),
  high: share.describe('Upper end of the 95 % interval.'),
  baseline: share.describe('Share of guesses that succeed.'),
  baselineSe: ATTEMPTS_SE,
  baselineLow: share.describe('Lower end of its 95 % interval.'),
  baselineHigh: share.describe('Upper end.'),
  baselineAttempts: count.describe('Attempts by guessing.'),
  baselineSuccesses: count.describe('Those that succeed.'),
  control: shareOrNull.describe('Share that succeeds against the control.'),
  controlSe: ATTEMPTS_SE.nullable(),
  controlAttempts: count.nullable().describe('Attempts against it.'),
  controlSuccesses: nonNegativeOrNull.describe('Those that succeed; of singling out scaled to the table’s size.'),
  reason,
});

const spreadSchema = z.strictObject({
  mean: nonNegative.describe('Mean over datasets, rows or records.'),
  low5: nonNegative.describe('5 % quantile.'),
  median: nonNegative.describe('Median.'),
});

const distancesSchema = spreadSchema.extend({
  zeroShare: share.describe('Share of rows equal to a record.'),
  hittingRate: share.describe('riskutility: share of rows within 0.05 of a record.'),
});

/** Errors of means over datasets. */
const OVER_DATASETS = 'Standard errors by the spread between datasets.';

const nearestSchema = z.strictObject({
  records: count.describe('Rows whose closest record was sought.'),
  distanceToClosest: distancesSchema.describe('Distance to the closest record.'),
  ratio: spreadSchema.describe('Distance to the closest over that to the second.'),
  shareCloserThanControl: shareOrNull.describe('Share of rows closer to the table than to as many control records.'),
  shareCloserThanControlSe: nonNegativeOrNull.describe('Its standard error over tables, controls and, with two datasets, releases.'),
  ...intervalOf(shareOrNull),
});

const sudaSchema = z.strictObject({
  subsetSize: positiveInteger.describe('Most keys of a minimal sample unique.'),
  minimalSampleUniques: z.array(count).describe('How many, by number of keys from 1.'),
  records: count.describe('Records that have one.'),
  scoreMean: nonNegative.describe('Mean score.'),
  scoreMax: nonNegative.describe('Largest score.'),
  dis: shareOrNull.describe('Probability that a unique record is unique in the population.'),
  disScoreMean: share.describe('Mean score scaled by it.'),
  disScoreMax: share.describe('Largest of them.'),
  reason,
});

const diversitySchema = z.strictObject({
  target: z.string().describe('What is sought.'),
  distinctL: positiveInteger.describe('l-diversity: fewest values among records with the same keys.'),
  entropyL: number.describe('Entropy l-diversity: e to the least such entropy.'),
  t: share.describe(
    't-closeness: largest distance of its distribution given the keys from the file’s: half the summed differences of shares; of numbers, mean difference of cumulative shares.',
  ),
});

/** What a model says of records that are alone with their keys. */
const uniquenessSchema = z.strictObject({
  pUnique: share.describe('Probability that a unique record is unique in the population.'),
  globalRisk: share.describe('Its sum over these records, over the number of all.'),
  populationUniques: nonNegative.describe('Its sum: expected population uniques.'),
});

const keyCountsSchema = z.strictObject({
  sampleUniques: count.describe('Records whose keys no other has.'),
  k: positiveInteger.describe('Fewest records that share keys: k-anonymity.'),
  violations: z
    .array(
      z.strictObject({
        k: positiveInteger.describe('k.'),
        records: count.describe('Such records.'),
        share: share.describe('The same as a share.'),
      }),
    )
    .describe('Records that share keys with fewer than k.'),
  individualRisk: z
    .strictObject({
      mean: share.describe('Mean over datasets, rows or records.'),
      max: share.describe('Largest over records.'),
      expected: nonNegative.describe('Sum over records: expected re-identifications.'),
    })
    .describe('Probability of re-identification by the keys.'),
  suda: sudaSchema.describe('Special uniques.'),
  surprisal: z
    .strictObject({ mean: nonNegative.describe('Mean over records: the entropy of the keys.'), max: nonNegative.describe('Largest.') })
    .describe('riskutility: -log2 of the share of records with the same keys.'),
  populationUniqueness: z
    .strictObject({
      samplingFraction: number.describe('Assumed share of the population in the file.'),
      pitman: uniquenessSchema.describe('By moments, as riskutility’s Pitman.'),
      zayatz: uniquenessSchema.describe('By a formula named after Zayatz.'),
      snb: uniquenessSchema.describe('By a negative binomial distribution.'),
    })
    .describe('riskutility: whether unique records are unique in the population.'),
  diversity: z.array(diversitySchema).describe('Diversity of each target among records with the same keys.'),
});

/** Of shares of members that are found. */
const FOUND_SE = nonNegative.describe('Its standard error by a bootstrap of people.');

/** What a scenario of a run says of the optimal test of who is in the table. */
const optimalTestSchema = z.strictObject({
  scenario: z.string().describe('Name of the scenario.'),
  knows: z.enum(['others', 'nothing', 'share', 'file']).describe('Records its intruder knows: `others`, `nothing`, `share` or `file`.'),
  others: z.enum(['control', 'simulated']).nullable().describe('Who the others are: the control, or draws from the model.'),
  auc: shareOrNull.describe('AUC of the optimal test.'),
  aucSe: nonNegativeOrNull.describe('Its standard error, of simulation and, if known, release.'),
  reason,
});

/** How much of what the optimal test of a scenario finds an attack finds. */
const ofOptimalSchema = z.strictObject({
  scenario: z.string().describe('Name of the scenario.'),
  share: numberOrNull.describe('(AUC - 1/2) over that of the optimal test.'),
  shareSe: nonNegativeOrNull.describe('Its standard error (delta method), for this attack on this release.'),
  reason,
});

/** A test of who is in the table, on records of the table (members) and of the control (others). */
const membershipOutcomeSchema = z.strictObject({
  test: z
    .enum(['closestRecord', 'domias', 'classifier'])
    .describe(
      '`closestRecord`: distance to the closest row; `domias`: density of rows over a reference’s; `classifier`: a tree that separates rows from a reference.',
    ),
  auc: share.describe('Probability that the test ranks a record above one of the control. 0.5: chance.'),
  aucSe: nonNegative.describe('Its standard error over people (DeLong et al. 1988).'),
  foundAt1Percent: share.describe('Share of members found at 1 % false alarms.'),
  foundAt1PercentSe: FOUND_SE,
  foundAt10Percent: share.describe('The same for 10 %.'),
  foundAt10PercentSe: FOUND_SE,
  members: positiveInteger.describe('Records tested.'),
  others: positiveInteger.describe('Control records tested.'),
  syntheticRows: positiveInteger.describe('Rows that the test has.'),
  referenceRecords: count.describe('Other control records used as a reference.'),
  ofOptimal: z.array(ofOptimalSchema).nullable().describe('Share of the optimal test’s AUC above 0.5.'),
});

/** Of shares of people whose target is predicted. */
const LEARNED_SE = nonNegativeOrNull.describe(
  'Its standard error: people, chance in growing trees and, with two datasets, releases (jackknife).',
);

/** A rule of RAPID: whose target counts as predicted, and of how many it is. */
const learnedRuleSchema = z.strictObject({
  method: z
    .enum(['RCS_marginal', 'symmetric', 'RCS_conditional', 'NCE', 'stabilised_relative'])
    .describe(
      'RAPID’s rule. Of the true category’s probability g: `RCS_marginal`, normalized gain; `RCS_conditional`, over its category’s mean; `NCE`, 1 + log g / log K. Of a number’s error: `symmetric`, over the mean of both; `stabilised_relative`, over the true one.',
    ),
  threshold: number.describe('At risk: a score above it, or an error below it.'),
  confidenceRate: shareOrNull.describe('Share of records at risk.'),
  confidenceRateSe: LEARNED_SE,
  control: shareOrNull.describe('The same of people outside the table.'),
  controlSe: LEARNED_SE,
  difference: numberOrNull.describe('Share beyond the control.'),
  differenceSe: LEARNED_SE,
});

/** RAPID of one target (Templ, Thees and Müller 2026): an intruder who learns the target from the release. */
const learnedOutcomeSchema = learnedRuleSchema.extend({
  target: z.string().describe('What is predicted.'),
  rows: count.describe('Most synthetic rows a tree is grown on.'),
  trees: count.describe('Trees, on all datasets together.'),
  records: count.describe('Records scored.'),
  controlRecords: count.nullable().describe('People of the control scored.'),
  rules: z.array(learnedRuleSchema).describe('The same by riskutility’s other rules.'),
  reason,
});

/** Why a figure of files of equal size has none of some files. */
const OF_CONTROL = 'The same of the control.';

/** riskutility's measures of a dataset beside the table and a control. */
const copiesFiguresSchema = z.strictObject({
  aaTrain: share.describe('Nearest-neighbour adversarial accuracy (NNAA): mean of the next two. 0.5: like other people; less: copies.'),
  aaTrainLeft: share.describe('Records farther from every row than from another record.'),
  aaTrainRight: share.describe('Rows farther from every record than from another row.'),
  aaHoldout: shareOrNull.describe(OF_CONTROL),
  aaHoldoutLeft: shareOrNull.describe(OF_CONTROL),
  aaHoldoutRight: shareOrNull.describe(OF_CONTROL),
  privacyLoss: numberOrNull.describe('`aaHoldout` - `aaTrain`. 0: as near to others as to records.'),
  identifiabilityRate: share.describe('Epsilon identifiability: share of rows within 0.05 of a record, variables weighted by 1 / entropy.'),
  membershipProbMean: share.describe('Delta-presence: rows with a record’s keys over records with them, at most 1; mean.'),
  membershipProbMin: share.describe('Least of them.'),
  membershipProbMax: share.describe('Largest of them.'),
  linkageRisk: shareOrNull.describe('Mean chance that a random row among the nearest by keys is the record’s own.'),
});

/** riskutility's measures of one target, by its keys. */
const beliefFiguresSchema = z.strictObject({
  pidMean: number.describe('Positive information disclosure: largest relative gain of a value’s share among rows with the keys; mean.'),
  pidMax: number.describe('Largest of them.'),
  maxInfoLeakage: nonNegative.describe(
    'Maximum information leakage: entropy of the target less the least among rows with the same keys, bits.',
  ),
  maxInfoLeakageOriginal: nonNegative.describe('The same in the table.'),
});

const riskutilitySchema = z.strictObject({
  records: count.describe('Records, rows and control people compared by NNAA, as many each.'),
  datasets: z.array(copiesFiguresSchema).describe('The figures of each dataset.'),
  mean: copiesFiguresSchema.describe('Means over datasets.'),
  meanSe: errorsOf(copiesFiguresSchema).describe(
    'Standard errors by the spread between datasets; the privacy loss’s also over tables and controls.',
  ),
  reason,
  linkageReason: z.string().optional(),
  targets: z
    .array(
      z.strictObject({
        target: z.string().describe('What is sought.'),
        datasets: z.array(beliefFiguresSchema).describe('The figures of each dataset.'),
        mean: beliefFiguresSchema.describe('Means over datasets.'),
        meanSe: errorsOf(beliefFiguresSchema).nullable().describe(OVER_DATASETS),
      }),
    )
    .describe('Of each target.'),
});

/** What other tools measure of a release (docs/explanation/compared.md): what `attack` prints. */
export const attackSummarySchema = z.strictObject({
  records: count.describe('Records of the table.'),
  controlRecords: count.nullable().describe('Records of the control file.'),
  controlReason: z.string().optional(),
  datasets: count.describe('Synthetic datasets.'),
  releaseSeReason: z.string().optional().describe('Why errors of means over datasets are null.'),
  datasetSeReason: z.string().describe('Why figures of one dataset have no standard error.'),
  keyCountsSeReason: z.string().describe('Why `keyCounts` have no standard error.'),
  keys: z.array(z.string()).describe('Variables that the attacker knows.'),
  target: z.array(z.string()).describe('What is guessed at.'),
  banded: z.array(z.string()).describe('Continuous keys and targets, counted in bands.'),
  samplingFraction: numberOrNull.describe('Share of the population in the table; null if not given.'),
  disFraction: number.describe('The share that SUDA assumes.'),
  disclosure: z.array(disclosureSchema).describe('synthpop’s measures, as shares of records, by target.'),
  singlingOut: z.array(attackOutcomeSchema).describe('Anonymeter: queries that single a record out.'),
  linkability: z.array(attackOutcomeSchema).describe('Anonymeter: halves of records that are linked.'),
  inference: z.array(attackOutcomeSchema).describe('Anonymeter: values that are inferred.'),
  rapid: z.array(learnedOutcomeSchema).describe('RAPID: targets predicted from the keys by trees grown on the release.'),
  nearestNeighbour: nearestSchema
    .extend({
      reason,
      distanceToClosestSe: errorsOf(distancesSchema).nullable().describe(OVER_DATASETS),
      ratioSe: errorsOf(spreadSchema).nullable().describe(OVER_DATASETS),
      datasets: z.array(nearestSchema).describe('The same of each dataset.'),
    })
    .describe('Distances of rows to records.'),
  riskutility: riskutilitySchema.describe('riskutility: how near rows are to people, and what keys reveal.'),
  membership: z.array(membershipOutcomeSchema).nullable().describe('Published membership tests, all on the same people.'),
  membershipReason: z.string().optional(),
  optimal: z.array(optimalTestSchema).nullable().describe('The optimal membership test of the run, by scenario.'),
  optimalReason: z.string().optional(),
  keyCounts: keyCountsSchema
    .extend({ release: z.array(keyCountsSchema).describe('The same in each dataset.') })
    .describe('sdcMicro’s counts of the keys in the table.'),
});

/** What other tools measure of a release. */
export type AttackSummary = z.infer<typeof attackSummarySchema>;
/** synthpop's measures of one target. */
export type DisclosureFigures = z.infer<typeof disclosureFiguresSchema>;
/** One attack of Anonymeter on one dataset. */
export type AttackOutcome = z.infer<typeof attackOutcomeSchema>;
/** Closest records of the rows of a dataset. */
export type NearestFigures = z.infer<typeof nearestSchema>;
/** riskutility's measures of a dataset. */
export type CopiesFigures = z.infer<typeof copiesFiguresSchema>;
/** riskutility's measures of one target in a dataset. */
export type BeliefFigures = z.infer<typeof beliefFiguresSchema>;
/** A rule of RAPID. */
export type LearnedRule = z.infer<typeof learnedRuleSchema>;
/** What a test of who is in the table finds. */
export type MembershipOutcome = z.infer<typeof membershipOutcomeSchema>;
/** How different values of a target are among records that share their keys. */
export type TargetDiversity = z.infer<typeof diversitySchema>;
/** What an intruder predicts who has learned a target from the release. */
export type LearnedOutcome = z.infer<typeof learnedOutcomeSchema>;
/** What a run says of the optimal test of who is in the table. */
export type OptimalTest = z.infer<typeof optimalTestSchema>;
/** How much of what the optimal test of a scenario finds an attack finds. */
export type OfOptimal = z.infer<typeof ofOptimalSchema>;
/** What sdcMicro counts of the keys of a file. */
export type KeyCounts = z.infer<typeof keyCountsSchema>;
