import * as z from 'zod';
import { estimatorSchema } from '../config/config.ts';
import { errorFields } from '../figure-errors.ts';
import { MODEL_NAMES } from '../models/models.ts';
import {
  count,
  epsilonSchema,
  nonNegative,
  nonNegativeOrNull,
  number,
  numberOrNull,
  positiveInteger,
  share,
  shareOrNull,
} from '../number-schemas.ts';
import { judgementSchema } from '../run/round.ts';
import { warnings } from '../run/warning.ts';
import { kind, reason, runId, seed, synthesized, variable, version } from '../shared-fields.ts';
import { attributeDisclosureSummarySchema } from './attribute-disclosures.ts';
import { radiiSchema } from './bounds.ts';
import { copiesSchema } from './copies.ts';
import { identificationRiskSummarySchema } from './identification.ts';
import { membershipSummarySchema } from './membership.ts';
import { reconstructionSchema } from './reconstruction/reconstruction.ts';
import { uniqueValuesSchema } from './unique-values.ts';
import { utilitySummarySchema } from './utility.ts';

/** Importance weights with fewer effective draws than this say next to nothing (Hu et al. 2014, eq. 14). */
export const FEWEST_EFFECTIVE_DRAWS = 10;

/** Two evaluations whose ranks correlate at least this much put the records in nearly the same order. */
export const GOOD_REPRODUCIBILITY = 0.95;

/** An error of what is known before the release, which no other release would change. */
const BEFORE_SE = nonNegative.describe('Its standard error, of simulation alone: the release has no part in it.');

/** Summaries of earlier versions lack them. */
const GIVEN_AWAY_ERRORS = z.object(errorFields('valuesGivenAway')).partial().shape;

/** What the release reveals about the values of real records, each variable by itself or some together. */
const valueFiguresShape = {
  gainBitsMean: number.describe(
    'Gain at the truth: mean over records of log2 of the probability of the true value after by before. 0: nothing learnt.',
  ),
  ...errorFields('gainBitsMean'),
  gainBitsClaimed: nonNegative.describe('What the estimate itself expects of that.'),
  gainBitsHalfLength: number.describe('The gain that paired chains of half their length find.'),
  lackedBitsMean: nonNegative.describe(
    'What the intruder lacked before: mean over records of -log2 of the prior probability of the true values, bits.',
  ),
  lackedBitsMeanSe: BEFORE_SE,
  uncertaintyResolved: z
    .number()
    .max(1)
    .nullable()
    .describe(
      'The gain by what was lacked. 0: an independent release; 1: the table itself; below 0: it misleads. Null where nothing was lacked.',
    ),
  ...errorFields('uncertaintyResolved'),
  uncertaintyResolvedReason: z.string().optional().describe('Why it is null.'),
  firstGuessRightBefore: share.describe('Share of values that a first guess gets right without the release.'),
  firstGuessRightBeforeSe: BEFORE_SE,
  firstGuessRightAfter: share.describe('The same with the release.'),
  ...errorFields('firstGuessRightAfter'),
  probabilityTrueBefore: share.describe('Mean probability of the true value without the release.'),
  probabilityTrueBeforeSe: BEFORE_SE,
  probabilityTrueAfter: share.describe('The same with the release.'),
  ...errorFields('probabilityTrueAfter'),
  valuesGivenAway: count.describe('Values whose first guess was wrong before, and is right after with a probability above one half.'),
  ...GIVEN_AWAY_ERRORS,
  commonestShare: share.describe('Share of values that each variable’s commonest value gets right: baseline of `firstGuessRightBefore`.'),
  naiveBayesShare: share.describe(
    'Share of values that naive Bayes gets right from those the intruder knows, each record left out: another baseline of `firstGuessRightBefore`.',
  ),
};

const valueFiguresSchema = z.strictObject(valueFiguresShape);

/** What the release reveals about the values of a continuous variable. */
const continuousFiguresSchema = z.strictObject({
  variable,
  near: z.string().describe('How near the true value is near, in words.'),
  records: count.describe('Records that have a value.'),
  withinBefore: share.describe('Mean probability of being near the true value without the release.'),
  withinBeforeSe: BEFORE_SE,
  withinAfter: share.describe('The same with the release.'),
  ...errorFields('withinAfter'),
  gainBitsMean: number.describe(
    'Gain at the truth: mean of log2 of the density at the true value with the release by that without it. 0: nothing learnt.',
  ),
  ...errorFields('gainBitsMean'),
  gainBitsClaimed: nonNegative.describe('What the estimate itself expects of that.'),
  crpsBefore: nonNegative.describe(
    'Mean continuous ranked probability score without the release, in the unit of the variable. 0: the true values are certain.',
  ),
  crpsBeforeSe: BEFORE_SE,
  crpsAfter: nonNegative.describe('The same with the release.'),
  ...errorFields('crpsAfter'),
  coveredBefore: share.describe(
    'Share of true values in the 90 % interval without the release: 0.9 where the model is right. Of a mass on which it ends, the share inside counts.',
  ),
  coveredBeforeSe: BEFORE_SE,
  coveredAfter: share.describe('The same with the release.'),
  ...errorFields('coveredAfter'),
  widthBefore: nonNegative.describe('Median width of that interval without the release, in the unit of the variable.'),
  widthAfter: nonNegative.describe('The same with the release.'),
  medianErrorBefore: nonNegative.describe('Median distance of the median from the true value without the release.'),
  medianErrorAfter: nonNegative.describe('The same with the release.'),
  valuesGivenAway: count.describe(
    'Values near the true one with a probability above one half with the release, and not without it; no standard error.',
  ),
});

/** The same of a whole file; null, with a reason, where no variable is asked for by itself. */
const fileValuesShape = {
  gainBitsMean: valueFiguresShape.gainBitsMean.nullable(),
  ...errorFields('gainBitsMean'),
  gainBitsRiskiest: numberOrNull.describe('The same over the 1 % of records of which the estimate claims most gain.'),
  ...errorFields('gainBitsRiskiest'),
  gainBitsClaimed: valueFiguresShape.gainBitsClaimed.nullable(),
  gainBitsHalfLength: valueFiguresShape.gainBitsHalfLength.nullable(),
  lackedBitsMean: valueFiguresShape.lackedBitsMean.nullable(),
  lackedBitsMeanSe: BEFORE_SE.nullable(),
  uncertaintyResolved: valueFiguresShape.uncertaintyResolved,
  ...errorFields('uncertaintyResolved'),
  uncertaintyResolvedReason: valueFiguresShape.uncertaintyResolvedReason,
  gainBitsExcess: numberOrNull.describe('Claimed less gained; its error holds the sampling of records too.'),
  gainBitsExcessSe: nonNegativeOrNull.describe('Its standard error, of simulation, release and records; null for one dataset.'),
  gainBitsExcessHalfWidth: nonNegativeOrNull.describe(
    'Half of the width of its 95 % interval (Student’s t): gain and claim differ where the excess is beyond it. Null for one dataset.',
  ),
  ruledOutShare: share
    .nullable()
    .optional()
    .describe(
      'Share of true values that the estimate makes a million times (2^20) less probable than they were without the release: no more than one in a million where it is right. Summaries of earlier versions lack it.',
    ),
  firstGuessRightBefore: valueFiguresShape.firstGuessRightBefore.nullable(),
  firstGuessRightBeforeSe: BEFORE_SE.nullable(),
  firstGuessRightAfter: valueFiguresShape.firstGuessRightAfter.nullable(),
  ...errorFields('firstGuessRightAfter'),
  probabilityTrueBefore: valueFiguresShape.probabilityTrueBefore.nullable(),
  probabilityTrueBeforeSe: BEFORE_SE.nullable(),
  probabilityTrueAfter: valueFiguresShape.probabilityTrueAfter.nullable(),
  ...errorFields('probabilityTrueAfter'),
  valuesGivenAway: valueFiguresShape.valuesGivenAway.nullable(),
  ...GIVEN_AWAY_ERRORS,
  commonestShare: valueFiguresShape.commonestShare.nullable(),
  naiveBayesShare: valueFiguresShape.naiveBayesShare.nullable(),
  gainBitsReason: z.string().optional().describe('Why figures of single variables are null.'),
  gainBitsSeReason: z.string().optional().describe('Why their errors between releases are null.'),
  variables: z
    .array(valueFiguresSchema.extend({ variable, provenShare: share.optional().describe('Of trees: the same as a share.') }))
    .describe('The same figures of each variable by itself.'),
  continuousVariables: z
    .array(continuousFiguresSchema)
    .optional()
    .describe('Of each continuous variable with a density, over records that have a value; its gain is part of `gainBitsMean`.'),
};

/** What an acceptance region says of a whole file (McClure & Reiter 2012, section 4). */
const acceptanceRegionSchema = z.strictObject({
  rules: z
    .array(
      z.strictObject({
        rule: z.string().describe('The rule as it was written.'),
        brokenShare: share.describe('Share of records that break it for some weight.'),
      }),
    )
    .describe('The rules of the region.'),
  brokenShare: share.describe('Share of records that break some rule for some weight.'),
  brokenSurelyShare: share.describe('The same beyond the error of their Bayes factors.'),
  brokenWeightMean: share.describe('Measure of the weights in (0, 1) for which a record breaks some rule: mean over records.'),
  brokenWeightMax: share.describe('The same: largest.'),
  worst: z
    .array(
      z.strictObject({
        row: positiveInteger.describe('Row of `attribute-risk.csv`, from 1.'),
        bayesFactor: nonNegativeOrNull.describe(
          'Bayes factor of the truth against the others; null where no other candidate is possible, so that the truth is certain.',
        ),
        bayesFactorSe: nonNegative,
        brokenWeight: share.describe('Measure of the weights for which it breaks some rule.'),
        broken: z.array(z.tuple([share, share])).describe('Intervals of such weights, from and to.'),
      }),
    )
    .describe('Ten rows of most weight at most, the worst first.'),
});

/** An error of what one dataset tells, or one by record. */
const ONE_DATASET_SE = nonNegative.describe('Its standard error, of simulation alone: one dataset does not tell how releases differ.');

/** What one dataset tells by itself, over records. */
const separateFiguresSchema = z.strictObject({
  truthRankedFirstShare: share.describe('Share of records whose truth is the first guess; baseline `randomGuessingShare`.'),
  truthRankedFirstShareSe: ONE_DATASET_SE,
  probabilityMean: share.describe('Mean posterior probability of the truth. 1: certainty.'),
  probabilityMeanSe: ONE_DATASET_SE,
  informationBitsMean: nonNegative.describe(
    'Mean divergence of the posterior from the prior, bits: how far the intruder’s probabilities move, rightly or wrongly.',
  ),
  informationBitsMeanSe: ONE_DATASET_SE,
});

/** Attribute risk of a whole file under one scenario (Hu et al. 2014, section 4.2 gives the like). */
export const attributeRiskSummarySchema = z.strictObject({
  scenario: z.string().describe('Name of the scenario.'),
  estimator: estimatorSchema.describe('`augmented`, `parameters`, `importance`; `exact` or `fixed-structure` where nothing is simulated.'),
  meaning: z.string().describe('What the estimator measures, in words.'),
  candidates: z.string().describe('The candidates that the intruder considers, as the config has them.'),
  candidatesPerCombinationMax: z.int().describe('Candidates of a record at most.'),
  prior: z.string().describe('What the intruder believes beforehand: `uniform`, `empirical`, `model`, or `file`.'),
  slope: number.describe('Power to which the likelihood is raised.'),
  records: z.int().describe('Records of which the figures are.'),
  rankedReason: z
    .string()
    .optional()
    .describe('Why ranks and probabilities of candidates are null: no categorical variable is guessed at.'),
  truthRankedFirst: z.int().nullable().describe('Records whose truth is the first guess; a tie does not count.'),
  truthRankedFirstShare: separateFiguresSchema.shape.truthRankedFirstShare.nullable(),
  ...errorFields('truthRankedFirstShare'),
  randomGuessingShare: shareOrNull.describe('What guessing at random among the candidates gives: the mean over records of 1 / candidates.'),
  priorProbabilityMean: shareOrNull.describe('Mean prior probability of the truth: baseline of `probabilityMean`.'),
  priorFirstShare: shareOrNull.describe('Share of first guesses that are right by the prior alone.'),
  truthRankMedian: numberOrNull.describe('Median rank of the truth over records; 1 is the first guess.'),
  probabilityMean: separateFiguresSchema.shape.probabilityMean.nullable(),
  ...errorFields('probabilityMean'),
  probabilityMax: shareOrNull.describe('Largest posterior probability of the truth over records.'),
  informationBitsMean: separateFiguresSchema.shape.informationBitsMean.nullable(),
  ...errorFields('informationBitsMean'),
  informationBitsMax: nonNegativeOrNull.describe('Largest such divergence over records, bits.'),
  privacyLossMedian: nonNegativeOrNull.describe(
    'Largest difference of a candidate’s log-likelihood from the truth’s, nats: median over records. Null where cells are not listed.',
  ),
  ...errorFields('privacyLossMedian'),
  privacyLoss99: nonNegativeOrNull.describe('The same: 99 % quantile.'),
  ...errorFields('privacyLoss99'),
  privacyLossMax: nonNegativeOrNull.describe('The same: largest.'),
  ...errorFields('privacyLossMax'),
  releaseQuantile: nonNegativeOrNull.describe(
    'Errors of the release that make half of a 95 % interval: Student’s t for the datasets less 1. Null, with `releaseSeReason`, where it is not known how releases differ.',
  ),
  releaseSeReason: z.string().optional(),
  privacyLossReason: z.string().optional(),
  acceptanceRegion: acceptanceRegionSchema
    .nullable()
    .describe('What the region of the config finds, whatever weight the truth has beforehand; null without one.'),
  ...fileValuesShape,
  membership: membershipSummarySchema
    .nullable()
    .describe('How well the release shows who is in the table; null, with `membershipReason`, where it is not found.'),
  membershipReason: z.string().optional(),
  reconstruction: reconstructionSchema
    .nullable()
    .describe(
      'Which records an intruder who knows nothing but the release would name, and how many are in the table; null, with `reconstructionReason`, where no scenario asks for it.',
    ),
  reconstructionReason: z.string().optional(),
  halfLength: z
    .strictObject({
      truthRankedFirstShare: separateFiguresSchema.shape.truthRankedFirstShare,
      probabilityMean: separateFiguresSchema.shape.probabilityMean,
      informationBitsMean: separateFiguresSchema.shape.informationBitsMean,
      changeInErrors: nonNegativeOrNull.describe('By how many errors of simulation the mean information differs then.'),
    })
    .nullable()
    .describe(
      'What paired chains of half their length find; null, with `halfLengthReason`, where none are paired or halves are not scored.',
    ),
  halfLengthReason: z.string().optional(),
  reproducibility: numberOrNull.describe(
    'Spearman correlation of probabilities of the truth expected between two evaluations; of numbers alone, of the mean probability near their true values. Null where nothing varies.',
  ),
  rankReproducibility: numberOrNull.describe('The same of ranks, which are coarser.'),
  reproducibilityReason: z.string().optional(),
  effectiveDrawsMin: nonNegativeOrNull.describe(
    'Least effective number of draws of a record; null, with `effectiveDrawsReason`, where nothing is simulated.',
  ),
  effectiveDrawsReason: z.string().optional(),
  paretoKMax: numberOrNull.describe(
    'Largest Pareto k of a record’s tail or of the importance weights; null, with `paretoKReason`, where none is fitted.',
  ),
  paretoKReason: z.string().optional(),
  paretoKThreshold: number.describe('Above it a mean over a tail cannot be relied upon, nor its error.'),
  heavyTailShare: share.describe('Share of records above it.'),
  distinguishableShare: shareOrNull.describe('Share of records whose rank the simulation can tell.'),
  rankHistogram: z
    .array(z.int())
    .nullable()
    .describe('Records by rank of the truth: how many have a rank in (index, index + 1] times the width.'),
  rankHistogramWidth: positiveInteger.nullable().describe('Ranks of an element: 1, or more when there are over 1,000 candidates.'),
  epsilon: epsilonSchema.optional().describe('Of models of counts: epsilon of all datasets together, nats; it bounds the privacy loss.'),
  provenRecords: count.optional().describe('Of trees: records with a value that the release proves: no other could have led to it.'),
  provenShare: share.optional().describe('Of trees: the same as a share.'),
  bandedVariables: z
    .array(z.string())
    .optional()
    .describe('Of trees: continuous variables guessed at by declared bands, one value for each.'),
  fixedStructure: z
    .strictObject({
      probabilityMean: separateFiguresSchema.shape.probabilityMean,
      firstGuessRightAfter: share.describe('The same with the release.'),
      gainBitsMean: valueFiguresShape.gainBitsMean,
      gainBitsMissedShare: numberOrNull.describe('Share of the gain that this misses; null where there is none.'),
      provenShare: share.describe('Of trees: the same as a share.'),
    })
    .optional()
    .describe('Of trees: the same figures with the divisions of the trees held as they are.'),
  knows: z
    .union([z.enum(['nothing', 'file']), z.strictObject({ share: share.describe('Share of the records that they have.') })])
    .optional()
    .describe('What an intruder has who lacks several records: `nothing`, `file`, or a share.'),
  separately: z.array(separateFiguresSchema).optional().describe('Of such an intruder: each dataset by itself.'),
  largestOfDatasets: separateFiguresSchema.optional().describe('Of such an intruder: for each record the dataset that reveals most.'),
  productOfDatasets: separateFiguresSchema
    .optional()
    .describe('Of such an intruder: the product of the likelihoods, an approximation that claims too much.'),
  together: z
    .enum(['one dataset: exact', 'mean of log-likelihoods over datasets: an approximation'])
    .optional()
    .describe('How the datasets are put together in all other figures.'),
});

/** One acceptance rule and whether the run met it. */
export const acceptanceResultSchema = z.strictObject({
  rule: z.string().describe('The rule as it was written.'),
  scenario: z
    .string()
    .nullable()
    .describe('Whose value it is: of the scenario that the rule names, or of the worst; null where the figure is of none.'),
  value: numberOrNull.describe('Value of the figure.'),
  met: z.boolean().describe('Whether the rule is met, by a figure that can be relied upon.'),
  reason: z.string().optional().describe('Why it is not met whatever the value: the figure is absent, or cannot be relied upon.'),
});

/** Means over the resamples of both bounds and over the datasets, and where the last lies from the first to the second. */
const positionSchema = z.strictObject({
  minimum: numberOrNull.describe('The least that such a release could disclose.'),
  maximum: numberOrNull.describe('The most.'),
  release: numberOrNull.describe('What this release does.'),
  shareOfRange: numberOrNull.describe('Where the release lies: 0 at the least, 1 at the most.'),
  reason,
});

/** A figure of the headline; `se` is null, with the reason, where nothing tells how sure it is. */
const headlineFigureSchema = z.strictObject({
  name: z.string().describe('Where it stands in this file, as an acceptance rule names it.'),
  value: number.describe('The figure.'),
  se: nonNegativeOrNull.describe(
    'Its standard error: of risk of values that of simulation and release; null, with `seReason`, where it is not known.',
  ),
  seReason: z.string().optional(),
  baseline: numberOrNull.describe('What it would be without the release, or by chance; null where there is no such figure.'),
});

/** `confidential/summary.json`: everything about a run that depends on neither time nor machine. */
export const summarySchema = z.strictObject({
  headline: z
    .array(headlineFigureSchema)
    .max(10)
    .describe('Ten figures at most to decide from: of attribute risk and of matching, of the scenario of most risk.'),
  version,
  runId,
  seed,
  table: z
    .strictObject({
      records: z.int().describe('Records of the confidential table.'),
      variables: z.int().describe('Its variables.'),
      combinations: z.int().describe('Its distinct rows.'),
      cells: numberOrNull.describe(
        'Cells of the cross-classification of all variables. Null, with `cellsReason`, where one is continuous.',
      ),
      cellsReason: z.string().optional(),
      sampleUniques: z.int().describe('Combinations that one record alone has.'),
    })
    .describe('The confidential table, in numbers.'),
  model: z
    .strictObject({
      name: z.string().describe(`As in the config: ${MODEL_NAMES.map((name) => `\`${name}\``).join(', ')}.`),
      classes: z
        .int()
        .nullable()
        .describe('Latent classes of the DPMPM at most, clusters of DP-areal; null, with `classesReason`, without any.'),
      chains: z.int().describe('Base chains; 0 where the model has none.'),
      drawsKept: z.int().describe('Draws that were kept of all of them.'),
      occupiedClassesMax: z.int().nullable().describe('Most classes that any draw occupies: near `classes`, more are needed.'),
      classesReason: z.string().optional(),
      patterns: positiveInteger.optional().describe('Of DP-areal: distinct rows of the kept variables.'),
      alpha: z.number().positive().optional().describe('Of models of counts: the count added to each cell.'),
    })
    .describe('The synthesizer.'),
  synthesis: z
    .strictObject({
      datasets: z.int().describe('Synthetic datasets.'),
      synthesized,
      kind,
      chains: z
        .enum(['own', 'one', 'foreign'])
        .nullable()
        .describe('`own` or `one` chain for the datasets; `foreign` when they were made elsewhere; null without chains.'),
    })
    .describe('The release.'),
  attributeRisk: z.array(attributeRiskSummarySchema).describe('What an intruder learns of values, an element a scenario.'),
  attributeRiskReason: z.string().optional().describe('Why there is no attribute risk.'),
  rounds: z.array(judgementSchema).describe('What the rounds of chains came to; one round where no target was asked for.'),
  identificationRisk: z.array(identificationRiskSummarySchema).describe('Who could be found by matching, an element a scenario.'),
  identificationRiskReason: z.string().optional().describe('Why there is none.'),
  attributeDisclosures: attributeDisclosureSummarySchema
    .extend({ radii: radiiSchema.describe('How near a continuous value must come to count as disclosed; others must be equal.') })
    .nullable()
    .describe('Records whose synthetic values are the true ones; null where rows belong to nobody.'),
  attributeDisclosuresReason: z.string().optional().describe('Why it is null.'),
  uniqueValues: z.array(uniqueValuesSchema).optional().describe('Of trees: continuous variables whose values one record alone has.'),
  inherent: z
    .strictObject({
      resamples: z.int().describe('Resamples of each bound.'),
      attributeDisclosures: positionSchema.describe('Records whose synthetic values are the true ones; null where rows belong to nobody.'),
      identificationRisk: z
        .array(
          z.strictObject({
            scenario: z.string().describe('Name of the scenario.'),
            expectedMatchRisk: positionSchema.describe(
              'Sum over records of T / c: records found by picking one of the matching rows. 0 to n.',
            ),
          }),
        )
        .describe('Who could be found by matching, an element a scenario.'),
    })
    .optional()
    .describe('The least and the most that such a release could disclose, where asked for.'),
  assessable: z
    .boolean()
    .describe('False where the datasets are the table, hold copied records, or have rows that belong to records: rely on no figure.'),
  assessableReason: z.string().optional().describe('Why they are not assessable.'),
  copies: copiesSchema
    .nullable()
    .describe('Exact copies of records in the datasets, by whole rows; null where datasets alone were asked for.'),
  utility: utilitySummarySchema.nullable().describe('How well the datasets serve; null, with `utilityReason`, where it is not measured.'),
  utilityReason: z.string().optional(),
  acceptance: z.array(acceptanceResultSchema).describe('The rules of the config and whether they are met.'),
  warnings,
});

/** Attribute risk of a whole file under one scenario. */
export type AttributeRiskSummary = z.infer<typeof attributeRiskSummarySchema>;
/** The summary of a run. */
export type Summary = z.infer<typeof summarySchema>;
