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
  meanDenom: nonNegativeOrNull.describe('The same on average; null where none does.'),
  baseCAPd: share.describe('Right guesses of an intruder who does not know the keys.'),
  CAPd: share.describe('Mean share of the own target among records with the same keys.'),
  CAPs: share.describe('The same among rows of the dataset.'),
  DCAP: share.describe('Mean share of the own target among rows with the same keys; 0 without any.'),
  TCAP_alt: shareOrNull.describe(
    'DiSCO among records whose keys are in the dataset (iS); null without any. Synthpop before 1.9-3 prints it as `TCAP`, as synthrisk 0.7.0 and before did.',
  ),
  TCAP: shareOrNull.describe(
    'DiSCO among records with keys that decide some target in the dataset (DiS), as synthpop 1.9-3 defines it; null without any.',
  ),
});

const disclosureSchema = z.strictObject({
  target: z.string().describe('What is guessed at.'),
  keys: z.array(z.string()).describe('Variables that the attacker knows.'),
  datasets: z.array(disclosureFiguresSchema).describe('The figures of each dataset.'),
  mean: disclosureFiguresSchema.describe('Means over datasets; null of what some dataset lacks.'),
  meanSe: errorsOf(disclosureFiguresSchema)
    .nullable()
    .describe(
      'Their standard errors over releases, by the spread between datasets; 0 of the table alone. Null, with `releaseSeReason`, for one dataset.',
    ),
});

/** Of shares of attempts. */
const ATTEMPTS_SE = nonNegative.describe(
  'Its standard error by the attempts: half of the width of the 95 % interval, before that is cut at 0 and 1, by 1.96. How other datasets differ is not in it.',
);

/** One attack of Anonymeter on one dataset (Giomi et al. 2023). Shares with 95 % intervals of Wilson. */
const attackOutcomeSchema = z.strictObject({
  attack: z
    .enum(['univariate', 'multivariate', 'linkability', 'inference'])
    .describe('`univariate`, `multivariate`, `linkability` or `inference`.'),
  dataset: positiveInteger.describe('Number of the dataset, from 1.'),
  target: z.string().optional().describe('Of inference: what is guessed at.'),
  attempts: count.describe('Attempts.'),
  queries: count.optional().describe('Of singling out: different queries; fewer than attempts where there are no more.'),
  successes: count.describe('Attempts that succeed against the table.'),
  rate: share.describe('Their share, before anything is taken off for the control.'),
  rateSe: ATTEMPTS_SE,
  rateLow: share.describe('Lower end of its 95 % interval.'),
  rateHigh: share.describe('Upper end.'),
  risk: share.describe('What is left of the rate beyond that against the control; the rate without one.'),
  riskSe: ATTEMPTS_SE,
  low: share.describe('Lower end of the 95 % interval of the risk.'),
  high: share.describe('Upper end of the 95 % interval.'),
  baseline: share.describe('Share of attempts that succeed by guessing.'),
  baselineSe: ATTEMPTS_SE,
  baselineLow: share.describe('Lower end of its 95 % interval.'),
  baselineHigh: share.describe('Upper end.'),
  baselineAttempts: count.describe('Attempts by guessing.'),
  baselineSuccesses: count.describe('Those that succeed.'),
  control: shareOrNull.describe(
    'Share of attempts that succeed against records that the release was not made from; null without a control.',
  ),
  controlSe: ATTEMPTS_SE.nullable(),
  controlAttempts: count.nullable().describe('Attempts against it.'),
  controlSuccesses: nonNegativeOrNull.describe(
    'Those that succeed. Of singling out carried over to a table of the same number of records, and no whole number then.',
  ),
  reason,
});

const spreadSchema = z.strictObject({
  mean: nonNegative.describe('Mean over datasets, rows or records.'),
  low5: nonNegative.describe('5 % quantile.'),
  median: nonNegative.describe('Median.'),
});

const distancesSchema = spreadSchema.extend({
  zeroShare: share.describe('Share of rows that equal a record.'),
  hittingRate: share.describe('riskutility: share of rows whose closest record is 0.05 away at most.'),
});

/** Errors of means over datasets. */
const OVER_DATASETS =
  'Standard errors over releases of the table, by the spread between datasets. Null, with `releaseSeReason`, for one dataset.';

const nearestSchema = z.strictObject({
  records: count.describe('Rows of the dataset whose closest record of the table was sought.'),
  distanceToClosest: distancesSchema.describe('Distance to the closest record.'),
  ratio: spreadSchema.describe('Distance to the closest by that to the second.'),
  shareCloserThanControl: shareOrNull.describe(
    'Share of rows closer to the table than to as many records of the control; ties count half. Null without one.',
  ),
  shareCloserThanControlSe: nonNegativeOrNull.describe(
    'Its standard error over tables, controls and releases: rows that share their closest record depend on each other, as do those of a dataset. Of one dataset how its parameters were drawn is not in it.',
  ),
  ...intervalOf(shareOrNull),
});

const sudaSchema = z.strictObject({
  subsetSize: positiveInteger.describe('Keys of a minimal sample unique at most.'),
  minimalSampleUniques: z.array(count).describe('How many there are, by the number of their keys from 1.'),
  records: count.describe('Records that have one.'),
  scoreMean: nonNegative.describe('Mean score.'),
  scoreMax: nonNegative.describe('Largest score.'),
  dis: shareOrNull.describe('Probability that a unique record is so in the population, over all of them; null without any unique or pair.'),
  disScoreMean: share.describe('Mean of scores that are scaled by it.'),
  disScoreMax: share.describe('Largest of them.'),
  reason,
});

const diversitySchema = z.strictObject({
  target: z.string().describe('What is sought.'),
  distinctL: positiveInteger.describe(
    'l of l-diversity: the least number of its values among records that share their keys. 1: keys decide it.',
  ),
  entropyL: number.describe(
    'l of entropy l-diversity: e to the least entropy of its values among records that share their keys; 1 where keys decide it.',
  ),
  t: share.describe(
    't of t-closeness: the largest distance of its distribution among records of the same keys from that of the file: half the sum of differences of shares; of a number, the mean difference of cumulative shares of bands.',
  ),
});

/** What a model says of records that are alone with their keys. */
const uniquenessSchema = z.strictObject({
  pUnique: share.describe('Probability that a record which is alone with its keys in the file is so in the population.'),
  globalRisk: share.describe('The same summed over these records, by the number of all.'),
  populationUniques: nonNegative.describe('The same summed: records that are expected to be alone in the population.'),
});

const keyCountsSchema = z.strictObject({
  sampleUniques: count.describe('Records whose keys no other has.'),
  k: positiveInteger.describe('Least number of records that share their keys: the k of k-anonymity.'),
  violations: z
    .array(
      z.strictObject({
        k: positiveInteger.describe('k.'),
        records: count.describe('Such records.'),
        share: share.describe('The same as a share.'),
      }),
    )
    .describe('Records that share their keys with fewer than k, themselves included.'),
  individualRisk: z
    .strictObject({
      mean: share.describe('Mean over datasets, rows or records.'),
      max: share.describe('Largest over records.'),
      expected: nonNegative.describe('Sum over records: expected re-identifications.'),
    })
    .describe('Probability that a record is re-identified by its keys.'),
  suda: sudaSchema.describe('Special uniques.'),
  surprisal: z
    .strictObject({ mean: nonNegative.describe('Mean over records: the entropy of the keys.'), max: nonNegative.describe('Largest.') })
    .describe('riskutility: minus log2 of the share of the records that share the keys of one, in bits.'),
  populationUniqueness: z
    .strictObject({
      samplingFraction: number.describe('Share of the population that the file is assumed to hold.'),
      pitman: uniquenessSchema.describe('By the moments that riskutility names after Pitman.'),
      zayatz: uniquenessSchema.describe('By the formula that it names after Zayatz.'),
      snb: uniquenessSchema.describe('By a negative binomial distribution.'),
    })
    .describe('riskutility: whether records that are alone with their keys are so in the population.'),
  diversity: z.array(diversitySchema).describe('How different the values of each target are among records that share their keys.'),
});

/** Of shares of members that are found. */
const FOUND_SE = nonNegative.describe(
  'Its standard error, by a bootstrap of the members and the others. The release and the reference are as they are.',
);

/** What a scenario of a run says of the optimal test of who is in the table. */
const optimalTestSchema = z.strictObject({
  scenario: z.string().describe('Name of the scenario of the run.'),
  knows: z
    .enum(['others', 'nothing', 'share', 'file'])
    .describe('Records of the table that its intruder knows: all `others`, `nothing`, a `share`, or those of a `file`.'),
  others: z
    .enum(['control', 'simulated'])
    .nullable()
    .describe('Who the people outside the table are: those of the run’s control, or draws from the model. Null where `auc` is.'),
  auc: shareOrNull.describe('AUC of the optimal test; null, with `reason`, where the run has none.'),
  aucSe: nonNegativeOrNull.describe(
    'Its standard error, of simulation and release; of simulation alone where it is not known how releases differ.',
  ),
  reason,
});

/** How much of what the optimal test of a scenario finds an attack finds. */
const ofOptimalSchema = z.strictObject({
  scenario: z.string().describe('Name of the scenario of the run.'),
  share: numberOrNull.describe(
    '(AUC - 1/2) of the attack by that of the optimal test. Null, with `reason`, where the optimal test finds nothing beyond its error.',
  ),
  shareSe: nonNegativeOrNull.describe(
    'Its standard error (delta method): people of the attack, simulation and release of the optimal test. How the attack would differ for another release is not in it.',
  ),
  reason,
});

/** A test of who is in the table, on records of the table (members) and of the control (others). */
const membershipOutcomeSchema = z.strictObject({
  test: z
    .enum(['closestRecord', 'domias', 'classifier'])
    .describe(
      '`closestRecord`: distance to the closest synthetic row; `domias`: density of the synthetic rows by that of a reference; `classifier`: a tree that distinguishes synthetic rows from a reference.',
    ),
  auc: share.describe('Probability that the test ranks a record above one of the control, ties half. 0.5: chance; 1: always right.'),
  aucSe: nonNegative.describe(
    'Its standard error: members and others are samples of people (DeLong et al. 1988). The release and the reference are as they are.',
  ),
  foundAt1Percent: share.describe('Share of the members that are found where 1 % of the others are classified as members: its baseline.'),
  foundAt1PercentSe: FOUND_SE,
  foundAt10Percent: share.describe('The same for 10 %.'),
  foundAt10PercentSe: FOUND_SE,
  members: positiveInteger.describe('Records of the table that are tested.'),
  others: positiveInteger.describe('Records of the control that are tested.'),
  syntheticRows: positiveInteger.describe('Rows of the datasets that the test has.'),
  referenceRecords: count.describe('Other records of the control that the test has as a reference; 0 for a test without one.'),
  ofOptimal: z
    .array(ofOptimalSchema)
    .nullable()
    .describe(
      'Share of the optimal test’s AUC above one half, an element a scenario of the run; null, with `optimalReason`, without a run.',
    ),
});

/** Of shares of people whose target is predicted. */
const LEARNED_SE = nonNegativeOrNull.describe(
  'Its standard error: people as a sample, chance in growing trees, and with two datasets or more how releases differ (jackknife).',
);

/** A rule of RAPID: whose target counts as predicted, and of how many it is. */
const learnedRuleSchema = z.strictObject({
  method: z
    .enum(['RCS_marginal', 'symmetric', 'RCS_conditional', 'NCE', 'stabilised_relative'])
    .describe(
      'RAPID’s name of the rule. For the probability g of the true category: `RCS_marginal`, the normalized gain; `RCS_conditional`, g by its mean among records of the category; `NCE`, 1 + log g / log K of K categories. For a number: `symmetric` or `stabilised_relative`, the error by the mean of both numbers or by the true one.',
    ),
  threshold: number.describe('A record is at risk with a score above it, or of a number with an error below it.'),
  confidenceRate: shareOrNull.describe(
    'Share of the records whose target is predicted; null, with `reason`, of a target with one category.',
  ),
  confidenceRateSe: LEARNED_SE,
  control: shareOrNull.describe('The same share of people who were not in the table, by the same model; null without a control.'),
  controlSe: LEARNED_SE,
  difference: numberOrNull.describe('What is beyond the control: due to the release’s own records. Null without a control.'),
  differenceSe: LEARNED_SE,
});

/** RAPID of one target (Templ, Thees and Müller 2026): an intruder who learns the target from the release. */
const learnedOutcomeSchema = learnedRuleSchema.extend({
  target: z.string().describe('What is predicted.'),
  rows: count.describe('Synthetic rows that a tree is grown on, at most.'),
  trees: count.describe('Trees that are grown, on all datasets together.'),
  records: count.describe('Records of the table that are scored.'),
  controlRecords: count.nullable().describe('People of the control that are scored; null without one.'),
  rules: z.array(learnedRuleSchema).describe('The same by riskutility’s other rules; none of a target with one category.'),
  reason,
});

/** Why a figure of files of equal size has none of some files. */
const OF_CONTROL = 'The same of the control; null without one.';

/** riskutility's measures of a dataset beside the table and a control. */
const copiesFiguresSchema = z.strictObject({
  aaTrain: share.describe(
    'Nearest-neighbour adversarial accuracy (NNAA): mean of the next two. About 0.5 where rows are like other people; less where many are equal or copies.',
  ),
  aaTrainLeft: share.describe('Records farther from every row than from another record.'),
  aaTrainRight: share.describe('Rows farther from every record than from another row.'),
  aaHoldout: shareOrNull.describe(OF_CONTROL),
  aaHoldoutLeft: shareOrNull.describe(OF_CONTROL),
  aaHoldoutRight: shareOrNull.describe(OF_CONTROL),
  privacyLoss: numberOrNull.describe(
    '`aaHoldout` - `aaTrain`: 0 where rows are as near to other people as to records. Null without a control.',
  ),
  identifiabilityRate: share.describe(
    'Epsilon identifiability: rows with a record nearer than 0.05, by a distance in which variables weigh 1 by their entropy.',
  ),
  membershipProbMean: share.describe('Delta-presence, mean over records: rows with the keys of one by records with them, 1 at most.'),
  membershipProbMin: share.describe('Least of them.'),
  membershipProbMax: share.describe('Largest of them.'),
  linkageRisk: shareOrNull.describe(
    'Record linkage: mean chance that a random one of the rows nearest by the keys is the record’s own, row i being record i. Null, with `linkageReason`, where rows and records differ in number.',
  ),
});

/** riskutility's measures of one target, by its keys. */
const beliefFiguresSchema = z.strictObject({
  pidMean: number.describe(
    'Positive information disclosure, mean over records: the largest relative gain of a value’s share among rows with the keys, on its share in the table.',
  ),
  pidMax: number.describe('Largest of them.'),
  maxInfoLeakage: nonNegative.describe(
    'Maximum information leakage: entropy of the target in the dataset, less the least among rows with the same keys, in bits.',
  ),
  maxInfoLeakageOriginal: nonNegative.describe('The same in the table.'),
});

const riskutilitySchema = z.strictObject({
  records: count.describe('Records of the table, rows of a dataset and people of the control, as many each, that NNAA compares.'),
  datasets: z.array(copiesFiguresSchema).describe('The figures of each dataset.'),
  mean: copiesFiguresSchema.describe('Means over datasets.'),
  meanSe: errorsOf(copiesFiguresSchema).describe(
    'Standard errors over releases, by the spread between datasets; null, with `releaseSeReason`, for one dataset. That of the privacy loss is over tables and controls as well.',
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
  controlRecords: count.nullable().describe('Records of the control file; null, with `controlReason`, without one.'),
  controlReason: z.string().optional(),
  datasets: count.describe('Synthetic datasets.'),
  releaseSeReason: z.string().optional().describe('Why errors of means over datasets are null.'),
  datasetSeReason: z.string().describe('Why figures of one dataset have no standard error where none is beside them.'),
  keyCountsSeReason: z.string().describe('Why `keyCounts` have no standard error.'),
  keys: z.array(z.string()).describe('Variables that the attacker knows.'),
  target: z.array(z.string()).describe('What is guessed at.'),
  banded: z.array(z.string()).describe('Keys and targets that are continuous, and counted in bands.'),
  samplingFraction: numberOrNull.describe('Share of the population that the table is; null where it was not given.'),
  disFraction: number.describe('The share that SUDA assumes.'),
  disclosure: z.array(disclosureSchema).describe('synthpop’s measures, as shares of records, an element a target.'),
  singlingOut: z.array(attackOutcomeSchema).describe('Anonymeter: queries that single a record out.'),
  linkability: z.array(attackOutcomeSchema).describe('Anonymeter: halves of records that are linked.'),
  inference: z.array(attackOutcomeSchema).describe('Anonymeter: values that are inferred.'),
  rapid: z
    .array(learnedOutcomeSchema)
    .describe('RAPID: targets that an intruder predicts by the keys, who has learned them from the release, an element a target.'),
  nearestNeighbour: nearestSchema
    .extend({
      reason,
      distanceToClosestSe: errorsOf(distancesSchema).nullable().describe(OVER_DATASETS),
      ratioSe: errorsOf(spreadSchema).nullable().describe(OVER_DATASETS),
      datasets: z.array(nearestSchema).describe('The same of each dataset.'),
    })
    .describe('Distances of rows to records.'),
  riskutility: riskutilitySchema.describe('riskutility: how near rows are to people, and what keys reveal.'),
  membership: z
    .array(membershipOutcomeSchema)
    .nullable()
    .describe('Published tests of who is in the table, all on the same people; null, with `membershipReason`, without a control.'),
  membershipReason: z.string().optional(),
  optimal: z
    .array(optimalTestSchema)
    .nullable()
    .describe(
      'The optimal test of who is in the table, from the run that made or assessed the datasets, an element a scenario; null, with `optimalReason`, where no run is named or it has no attribute risk.',
    ),
  optimalReason: z.string().optional(),
  keyCounts: keyCountsSchema
    .extend({ release: z.array(keyCountsSchema).describe('The same in each dataset.') })
    .describe('What sdcMicro counts of the keys, in the table.'),
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
