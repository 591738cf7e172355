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
const BEFORE_SE = nonNegative.describe('Its standard error, of simulation alone.');

/** Summaries of earlier versions lack them. */
const GIVEN_AWAY_ERRORS = z.object(errorFields('valuesGivenAway')).partial().shape;

/** What the release reveals about the values of real records, each variable by itself or some together. */
const valueFiguresShape = {
  gainBitsMean: number.describe('Gain at the truth, bits: mean log2 of the true value’s probability after over before.'),
  ...errorFields('gainBitsMean'),
  gainBitsClaimed: nonNegative.describe('The gain that the estimate itself expects.'),
  gainBitsHalfLength: number.describe('The gain by paired chains of half length.'),
  lackedBitsMean: nonNegative.describe('Mean -log2 of the true values’ prior probability, bits.'),
  lackedBitsMeanSe: BEFORE_SE,
  uncertaintyResolved: z
    .number()
    .max(1)
    .nullable()
    .describe('Gain over what was lacked. 0: an independent release; 1: the table itself; negative: misleading.'),
  ...errorFields('uncertaintyResolved'),
  uncertaintyResolvedReason: z.string().optional().describe('Why it is null.'),
  firstGuessRightBefore: share.describe('Share of first guesses that are right without the release.'),
  firstGuessRightBeforeSe: BEFORE_SE,
  firstGuessRightAfter: share.describe('The same with the release.'),
  ...errorFields('firstGuessRightAfter'),
  probabilityTrueBefore: share.describe('Mean probability of the true value without the release.'),
  probabilityTrueBeforeSe: BEFORE_SE,
  probabilityTrueAfter: share.describe('The same with the release.'),
  ...errorFields('probabilityTrueAfter'),
  valuesGivenAway: count.describe('Values newly disclosed: first guess wrong before, right after, with probability above 0.5.'),
  ...GIVEN_AWAY_ERRORS,
  commonestShare: share.describe('Share right by each variable’s commonest value.'),
  naiveBayesShare: share.describe('Share right by naive Bayes from the known values.'),
};

const valueFiguresSchema = z.strictObject(valueFiguresShape);

/** What the release reveals about the values of a continuous variable. */
const continuousFiguresSchema = z.strictObject({
  variable,
  near: z.string().describe('What counts as near, in words.'),
  records: count.describe('Records with a value.'),
  withinBefore: share.describe('Mean probability near the true value without the release.'),
  withinBeforeSe: BEFORE_SE,
  withinAfter: share.describe('The same with the release.'),
  ...errorFields('withinAfter'),
  gainBitsMean: number.describe('Mean log2 of the density at the true value after over before.'),
  ...errorFields('gainBitsMean'),
  gainBitsClaimed: nonNegative.describe('The gain that the estimate itself expects.'),
  crpsBefore: nonNegative.describe('Mean continuous ranked probability score without the release, in the variable’s units; 0: certain.'),
  crpsBeforeSe: BEFORE_SE,
  crpsAfter: nonNegative.describe('The same with the release.'),
  ...errorFields('crpsAfter'),
  coveredBefore: share.describe('Share of true values in the 90 % interval without the release.'),
  coveredBeforeSe: BEFORE_SE,
  coveredAfter: share.describe('The same with the release.'),
  ...errorFields('coveredAfter'),
  widthBefore: nonNegative.describe('Median width of that interval without the release.'),
  widthAfter: nonNegative.describe('The same with the release.'),
  medianErrorBefore: nonNegative.describe('Median error of the median without the release.'),
  medianErrorAfter: nonNegative.describe('The same with the release.'),
  valuesGivenAway: count.describe('Values near with probability above 0.5 after, not before.'),
});

/** The same of a whole file; null, with a reason, where no variable is asked for by itself. */
const fileValuesShape = {
  gainBitsMean: valueFiguresShape.gainBitsMean.nullable(),
  ...errorFields('gainBitsMean'),
  gainBitsRiskiest: numberOrNull.describe('The same over the 1 % of records with most claimed.'),
  ...errorFields('gainBitsRiskiest'),
  gainBitsClaimed: valueFiguresShape.gainBitsClaimed.nullable(),
  gainBitsHalfLength: valueFiguresShape.gainBitsHalfLength.nullable(),
  lackedBitsMean: valueFiguresShape.lackedBitsMean.nullable(),
  lackedBitsMeanSe: BEFORE_SE.nullable(),
  uncertaintyResolved: valueFiguresShape.uncertaintyResolved,
  ...errorFields('uncertaintyResolved'),
  uncertaintyResolvedReason: valueFiguresShape.uncertaintyResolvedReason,
  gainBitsExcess: numberOrNull.describe('Claimed less achieved gain; its error includes sampling of records.'),
  gainBitsExcessSe: nonNegativeOrNull.describe('Its standard error, of simulation, release and records.'),
  gainBitsExcessHalfWidth: nonNegativeOrNull.describe('Half-width of its 95 % interval.'),
  ruledOutShare: share
    .nullable()
    .optional()
    .describe('Share of true values made over 2^20 times less probable: at most one in a million if right.'),
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
    .array(valueFiguresSchema.extend({ variable, provenShare: share.optional().describe('Trees: the same as a share.') }))
    .describe('The same by variable.'),
  continuousVariables: z
    .array(continuousFiguresSchema)
    .optional()
    .describe('Continuous variables with a density; their gain is part of `gainBitsMean`.'),
};

/** What an acceptance region says of a whole file (McClure & Reiter 2012, section 4). */
const acceptanceRegionSchema = z.strictObject({
  rules: z
    .array(
      z.strictObject({
        rule: z.string().describe('The rule as it was written.'),
        brokenShare: share.describe('Share of records that break it for some prior weight.'),
      }),
    )
    .describe('The rules of the region.'),
  brokenShare: share.describe('Share of records that break some rule.'),
  brokenSurelyShare: share.describe('The same beyond errors of Bayes factors.'),
  brokenWeightMean: share.describe('Measure of the weights in (0, 1) that break some rule: mean.'),
  brokenWeightMax: share.describe('The same: largest.'),
  worst: z
    .array(
      z.strictObject({
        row: positiveInteger.describe('Row of `attribute-risk.csv`, from 1.'),
        bayesFactor: nonNegativeOrNull.describe('Bayes factor of the truth; null where the truth is certain.'),
        bayesFactorSe: nonNegative,
        brokenWeight: share.describe('Measure of the weights that break some rule.'),
        broken: z.array(z.tuple([share, share])).describe('Intervals of such weights.'),
      }),
    )
    .describe('Up to ten records of most weight.'),
});

/** An error of what one dataset tells, or one by record. */
const ONE_DATASET_SE = nonNegative.describe('Its standard error, of simulation alone.');

/** What one dataset tells by itself, over records. */
const separateFiguresSchema = z.strictObject({
  truthRankedFirstShare: share.describe('Share of records whose truth is ranked first.'),
  truthRankedFirstShareSe: ONE_DATASET_SE,
  probabilityMean: share.describe('Mean posterior probability of the truth.'),
  probabilityMeanSe: ONE_DATASET_SE,
  informationBitsMean: nonNegative.describe('Mean divergence of posterior from prior, bits.'),
  informationBitsMeanSe: ONE_DATASET_SE,
});

/** Attribute risk of a whole file under one scenario (Hu et al. 2014, section 4.2 gives the like). */
export const attributeRiskSummarySchema = z.strictObject({
  scenario: z.string().describe('Name of the scenario.'),
  estimator: estimatorSchema.describe('`augmented`, `parameters`, `importance`; `exact` or `fixed-structure` where nothing is simulated.'),
  meaning: z.string().describe('What the estimator measures, in words.'),
  candidates: z.string().describe('The intruder’s candidates, as in the config.'),
  candidatesPerCombinationMax: z.int().describe('Most candidates of a record.'),
  prior: z.string().describe('`uniform`, `empirical`, `model` or `file`.'),
  slope: number.describe('Power of the likelihood.'),
  records: z.int().describe('Records that the figures describe.'),
  rankedReason: z.string().optional().describe('Why figures of candidates are null: none is guessed.'),
  truthRankedFirst: z.int().nullable().describe('Records whose truth is ranked first, without ties.'),
  truthRankedFirstShare: separateFiguresSchema.shape.truthRankedFirstShare.nullable(),
  ...errorFields('truthRankedFirstShare'),
  randomGuessingShare: shareOrNull.describe('Mean of 1 / candidates: baseline of `truthRankedFirstShare`.'),
  priorProbabilityMean: shareOrNull.describe('Mean prior probability of the truth.'),
  priorFirstShare: shareOrNull.describe('Share ranked first by the prior alone.'),
  truthRankMedian: numberOrNull.describe('Median rank of the truth.'),
  probabilityMean: separateFiguresSchema.shape.probabilityMean.nullable(),
  ...errorFields('probabilityMean'),
  probabilityMax: shareOrNull.describe('Largest posterior probability of the truth.'),
  informationBitsMean: separateFiguresSchema.shape.informationBitsMean.nullable(),
  ...errorFields('informationBitsMean'),
  informationBitsMax: nonNegativeOrNull.describe('Largest divergence of posterior from prior, bits.'),
  privacyLossMedian: nonNegativeOrNull.describe('Largest difference of a candidate’s log-likelihood from the truth’s, nats: median.'),
  ...errorFields('privacyLossMedian'),
  privacyLoss99: nonNegativeOrNull.describe('99 % quantile of the same.'),
  ...errorFields('privacyLoss99'),
  privacyLossMax: nonNegativeOrNull.describe('The same: largest.'),
  ...errorFields('privacyLossMax'),
  releaseQuantile: nonNegativeOrNull.describe('Half-width of a 95 % interval in errors of the release (Student’s t).'),
  releaseSeReason: z.string().optional(),
  privacyLossReason: z.string().optional(),
  acceptanceRegion: acceptanceRegionSchema.nullable().describe('What the acceptance region finds.'),
  ...fileValuesShape,
  membership: membershipSummarySchema.nullable().describe('Whether the release shows who is in the table.'),
  membershipReason: z.string().optional(),
  reconstruction: reconstructionSchema
    .nullable()
    .describe('What an intruder with nothing but the release names, and how much is in the table.'),
  reconstructionReason: z.string().optional(),
  halfLength: z
    .strictObject({
      truthRankedFirstShare: separateFiguresSchema.shape.truthRankedFirstShare,
      probabilityMean: separateFiguresSchema.shape.probabilityMean,
      informationBitsMean: separateFiguresSchema.shape.informationBitsMean,
      changeInErrors: nonNegativeOrNull.describe('Difference of mean information in errors of simulation.'),
    })
    .nullable()
    .describe('Figures by paired chains of half length.'),
  halfLengthReason: z.string().optional(),
  reproducibility: numberOrNull.describe(
    'Expected Spearman correlation of probabilities of the truth (or near it) between two evaluations.',
  ),
  rankReproducibility: numberOrNull.describe('The same of ranks, which are coarser.'),
  reproducibilityReason: z.string().optional(),
  effectiveDrawsMin: nonNegativeOrNull.describe('Least effective number of draws of a record.'),
  effectiveDrawsReason: z.string().optional(),
  paretoKMax: numberOrNull.describe('Largest Pareto k of a record’s tail or of importance weights.'),
  paretoKReason: z.string().optional(),
  paretoKThreshold: number.describe('Above it, a tail’s mean and error are unreliable.'),
  heavyTailShare: share.describe('Share of records above it.'),
  distinguishableShare: shareOrNull.describe('Share of records whose rank the simulation resolves.'),
  rankHistogram: z.array(z.int()).nullable().describe('Records with the truth’s rank in (index, index + 1] × width.'),
  rankHistogramWidth: positiveInteger.nullable().describe('Ranks of an element.'),
  epsilon: epsilonSchema.optional().describe('Models of counts: epsilon of all datasets, nats; bounds the privacy loss.'),
  provenRecords: count.optional().describe('Trees: records with a value that the release proves.'),
  provenShare: share.optional().describe('Trees: the same as a share.'),
  bandedVariables: z.array(z.string()).optional().describe('Trees: continuous variables guessed by declared bands.'),
  fixedStructure: z
    .strictObject({
      probabilityMean: separateFiguresSchema.shape.probabilityMean,
      firstGuessRightAfter: share.describe('The same with the release.'),
      gainBitsMean: valueFiguresShape.gainBitsMean,
      gainBitsMissedShare: numberOrNull.describe('Share of the gain that this misses.'),
      provenShare: share.describe('Trees: the same as a share.'),
    })
    .optional()
    .describe('Trees: the same with divisions held fixed.'),
  knows: z
    .union([z.enum(['nothing', 'file']), z.strictObject({ share: share.describe('Share of the records.') })])
    .optional()
    .describe('What an intruder who lacks several records has: `nothing`, `file` or a share.'),
  separately: z.array(separateFiguresSchema).optional().describe('Of such an intruder: each dataset alone.'),
  largestOfDatasets: separateFiguresSchema.optional().describe('Of such an intruder: each record’s most revealing dataset.'),
  productOfDatasets: separateFiguresSchema.optional().describe('Of such an intruder: the product of likelihoods, overconfident.'),
  together: z
    .enum(['one dataset: exact', 'mean of log-likelihoods over datasets: an approximation'])
    .optional()
    .describe('How all other figures combine the datasets.'),
});

/** One acceptance rule and whether the run met it. */
export const acceptanceResultSchema = z.strictObject({
  rule: z.string().describe('The rule as it was written.'),
  scenario: z.string().nullable().describe('The scenario that the rule names, or the worst.'),
  value: numberOrNull.describe('Value of the figure.'),
  met: z.boolean().describe('Whether a reliable figure meets it.'),
  reason: z.string().optional().describe('Why it is not met whatever the value.'),
});

/** Means over the resamples of both bounds and over the datasets, and where the last lies from the first to the second. */
const positionSchema = z.strictObject({
  minimum: numberOrNull.describe('The least.'),
  maximum: numberOrNull.describe('The most.'),
  release: numberOrNull.describe('What this release does.'),
  shareOfRange: numberOrNull.describe('0 at the least, 1 at the most.'),
  reason,
});

/** A figure of the headline; `se` is null, with the reason, where nothing tells how sure it is. */
const headlineFigureSchema = z.strictObject({
  name: z.string().describe('Its path here, as in acceptance rules.'),
  value: number.describe('The figure.'),
  se: nonNegativeOrNull.describe('Its standard error.'),
  seReason: z.string().optional(),
  baseline: numberOrNull.describe('Its value without the release, or by chance.'),
});

/** `confidential/summary.json`: everything about a run that depends on neither time nor machine. */
export const summarySchema = z.strictObject({
  headline: z.array(headlineFigureSchema).max(10).describe('Up to ten figures to decide from, of the riskiest scenario.'),
  version,
  runId,
  seed,
  table: z
    .strictObject({
      records: z.int().describe('Records of the confidential table.'),
      variables: z.int().describe('Its variables.'),
      combinations: z.int().describe('Its distinct rows.'),
      cells: numberOrNull.describe('Cells of the full cross-classification; null where a variable is continuous.'),
      cellsReason: z.string().optional(),
      sampleUniques: z.int().describe('Combinations that only one record has.'),
    })
    .describe('The confidential table, in numbers.'),
  model: z
    .strictObject({
      name: z.string().describe(`As in the config: ${MODEL_NAMES.map((name) => `\`${name}\``).join(', ')}.`),
      classes: z.int().nullable().describe('Most latent classes (DPMPM) or clusters (DP-areal).'),
      chains: z.int().describe('Base chains; 0 where the model has none.'),
      drawsKept: z.int().describe('Draws kept from all chains.'),
      occupiedClassesMax: z.int().nullable().describe('Most classes of a draw; near `classes`, allow more.'),
      classesReason: z.string().optional(),
      patterns: positiveInteger.optional().describe('Of DP-areal: distinct rows of the kept variables.'),
      alpha: z.number().positive().optional().describe('Models of counts: the count added to each cell.'),
    })
    .describe('The synthesizer.'),
  synthesis: z
    .strictObject({
      datasets: z.int().describe('Synthetic datasets.'),
      synthesized,
      kind,
      chains: z.enum(['own', 'one', 'foreign']).nullable().describe('`own` or `one` chain for the datasets; `foreign`: made elsewhere.'),
    })
    .describe('The release.'),
  attributeRisk: z.array(attributeRiskSummarySchema).describe('Risk of values, by scenario.'),
  attributeRiskReason: z.string().optional().describe('Why there is no attribute risk.'),
  rounds: z.array(judgementSchema).describe('Rounds of chains; one without a target.'),
  identificationRisk: z.array(identificationRiskSummarySchema).describe('Who could be found by matching, by scenario.'),
  identificationRiskReason: z.string().optional().describe('Why there is none.'),
  attributeDisclosures: attributeDisclosureSummarySchema
    .extend({ radii: radiiSchema.describe('How near a continuous value counts as disclosed; others must be equal.') })
    .nullable()
    .describe('Records whose synthesized values are the true ones.'),
  attributeDisclosuresReason: z.string().optional().describe('Why it is null.'),
  uniqueValues: z.array(uniqueValuesSchema).optional().describe('Trees: continuous variables with unique values.'),
  inherent: z
    .strictObject({
      resamples: z.int().describe('Resamples of each bound.'),
      attributeDisclosures: positionSchema.describe('Records whose synthesized values are the true ones.'),
      identificationRisk: z
        .array(
          z.strictObject({
            scenario: z.string().describe('Name of the scenario.'),
            expectedMatchRisk: positionSchema.describe('Sum over records of T / c: expected finds by picking one matching row.'),
          }),
        )
        .describe('Who could be found by matching, by scenario.'),
    })
    .optional()
    .describe('Least and most that such a release could disclose.'),
  assessable: z.boolean().describe('False where datasets hold the table or copies, or rows belong to records: rely on no figure.'),
  assessableReason: z.string().optional().describe('Why they are not assessable.'),
  copies: copiesSchema.nullable().describe('Exact copies of whole records.'),
  utility: utilitySummarySchema.nullable().describe('How well the datasets serve.'),
  utilityReason: z.string().optional(),
  acceptance: z.array(acceptanceResultSchema).describe('Rules of the config.'),
  warnings,
});

/** Attribute risk of a whole file under one scenario. */
export type AttributeRiskSummary = z.infer<typeof attributeRiskSummarySchema>;
/** The summary of a run. */
export type Summary = z.infer<typeof summarySchema>;
