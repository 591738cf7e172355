import { z } from 'zod';
import { estimatorSchema } from '../config/config.ts';
import { radiusSchema } from '../config/identification-scenario.ts';
import { epsilonSchema, nonNegative, share } from '../number-schemas.ts';
import { judgementSchema } from '../run/round.ts';
import { warningSchema } from '../run/warning.ts';
import { attributeDisclosureSummarySchema } from './attribute-disclosures.ts';
import { copiesSchema } from './copies.ts';
import { identificationRiskSummarySchema } from './identification.ts';
import { leftOutSchema } from './left-out.ts';
import { uniqueValuesSchema } from './unique-values.ts';
import { utilitySummarySchema } from './utility.ts';

/** Importance weights with fewer effective draws than this say next to nothing (000 eq. 14). */
export const FEWEST_EFFECTIVE_DRAWS = 10;

/** Two evaluations whose ranks correlate at least this much put the records in nearly the same order. */
export const GOOD_REPRODUCIBILITY = 0.95;

/** What the release tells of the values of real records, each variable by itself or some together. */
const valueFiguresShape = {
  /**
   * Gain at the truth: mean over records of log2 of the probability of the true value after the release over that
   * before, with its standard error (of simulation and release), and what the estimate claims that it is.
   */
  gainBitsMean: z.number(),
  gainBitsMeanSe: nonNegative.nullable(),
  gainBitsClaimed: nonNegative,
  /** The gain that paired chains of half their length find. */
  gainBitsHalfLength: z.number(),
  /** What the intruder lacked before: mean over records of -log2 of the prior probability of the true values. */
  lackedBitsMean: nonNegative,
  lackedBitsMeanSe: nonNegative,
  /** The gain by what was lacked, with its standard error, of simulation and release. Null where nothing was lacked. */
  uncertaintyResolved: z.number().max(1).nullable(),
  uncertaintyResolvedSe: nonNegative.nullable(),
  uncertaintyResolvedReason: z.string().optional(),
  /** Shares of the records' values that the intruder's first guess gets right. */
  firstGuessRightBefore: share,
  firstGuessRightBeforeSe: nonNegative,
  firstGuessRightAfter: share,
  firstGuessRightAfterSe: nonNegative.nullable(),
  /** Mean probability of the true value. */
  probabilityTrueBefore: share,
  probabilityTrueBeforeSe: nonNegative,
  probabilityTrueAfter: share,
  probabilityTrueAfterSe: nonNegative.nullable(),
  /** Values that were not the first guess before the release, and are it after with a probability above one half. */
  valuesGivenAway: z.int().nonnegative(),
  /** What always guessing the commonest value of each variable gets right: the baseline of all guesses. */
  commonestShare: share,
};

const valueFiguresSchema = z.strictObject(valueFiguresShape);

/** The same of a whole file; null, with a reason, where no variable is asked for by itself. */
const fileValuesShape = {
  gainBitsMean: valueFiguresShape.gainBitsMean.nullable(),
  gainBitsMeanSe: valueFiguresShape.gainBitsMeanSe,
  gainBitsClaimed: valueFiguresShape.gainBitsClaimed.nullable(),
  gainBitsHalfLength: valueFiguresShape.gainBitsHalfLength.nullable(),
  lackedBitsMean: nonNegative.nullable(),
  lackedBitsMeanSe: nonNegative.nullable(),
  uncertaintyResolved: valueFiguresShape.uncertaintyResolved,
  uncertaintyResolvedSe: valueFiguresShape.uncertaintyResolvedSe,
  uncertaintyResolvedReason: valueFiguresShape.uncertaintyResolvedReason,
  /** Claimed less gained; its error holds the sampling of records too. */
  gainBitsExcess: z.number().nullable(),
  gainBitsExcessSe: nonNegative.nullable(),
  firstGuessRightBefore: share.nullable(),
  firstGuessRightBeforeSe: nonNegative.nullable(),
  firstGuessRightAfter: share.nullable(),
  firstGuessRightAfterSe: nonNegative.nullable(),
  probabilityTrueBefore: share.nullable(),
  probabilityTrueBeforeSe: nonNegative.nullable(),
  probabilityTrueAfter: share.nullable(),
  probabilityTrueAfterSe: nonNegative.nullable(),
  valuesGivenAway: z.int().nonnegative().nullable(),
  commonestShare: share.nullable(),
  gainBitsReason: z.string().optional(),
  /** Why the errors between releases are null. */
  gainBitsSeReason: z.string().optional(),
  /** Of trees with the share of records whose value the release proves, the intruder knowing all others. */
  variables: z.array(valueFiguresSchema.extend({ variable: z.string(), provenShare: share.optional() })),
};

/** What an acceptance region says of a whole file (003 section 4). */
const acceptanceRegionSchema = z.strictObject({
  rules: z.array(z.strictObject({ rule: z.string(), brokenShare: share })),
  /** Records that break some rule for some weight of the truth beforehand; beyond the error of their Bayes factor. */
  brokenShare: share,
  brokenSurelyShare: share,
  /** Measure of the weights in (0, 1) for which a record breaks some rule: mean over records, and largest. */
  brokenWeightMean: share,
  brokenWeightMax: share,
  /** Rows of attribute-risk.csv (from 1), the worst first. */
  worst: z.array(
    z.strictObject({
      row: z.int().positive(),
      bayesFactor: nonNegative,
      bayesFactorSe: nonNegative,
      brokenWeight: share,
      broken: z.array(z.tuple([share, share])),
    }),
  ),
});

/** What one dataset tells by itself, over records. */
const separateFiguresSchema = z.strictObject({
  truthRankedFirstShare: share,
  truthRankedFirstShareSe: nonNegative,
  probabilityMean: share,
  probabilityMeanSe: nonNegative,
  informationBitsMean: nonNegative,
  informationBitsMeanSe: nonNegative,
});

/** Attribute risk of a whole file under one scenario (000 section 4.2 gives the like). */
export const attributeRiskSummarySchema = z.strictObject({
  scenario: z.string(),
  estimator: estimatorSchema,
  /** What the estimator measures, in words. */
  meaning: z.string(),
  candidates: z.string(),
  candidatesPerCombinationMax: z.int(),
  prior: z.string(),
  slope: z.number(),
  records: z.int(),
  truthRankedFirst: z.int(),
  truthRankedFirstShare: share,
  /** Standard errors, from resampling the chains, or what half the length of paired chains changes where that is more. */
  truthRankedFirstShareSe: nonNegative,
  /** What guessing at random gives: the mean over records of 1 / candidates. */
  randomGuessingShare: share,
  /** The truth's prior probability, and how often a first guess by the prior alone is right: means over records. */
  priorProbabilityMean: share,
  priorFirstShare: share,
  truthRankMedian: z.number(),
  probabilityMean: share,
  probabilityMeanSe: nonNegative,
  probabilityMax: share,
  informationBitsMean: nonNegative,
  informationBitsMeanSe: nonNegative,
  informationBitsMax: nonNegative,
  /** Of this release: max over candidates of |log L_x - log L_t| in nats, over records; null where cells are not listed. */
  privacyLossMedian: nonNegative.nullable(),
  privacyLossMedianSe: nonNegative.nullable(),
  privacyLoss99: nonNegative.nullable(),
  privacyLoss99Se: nonNegative.nullable(),
  privacyLossMax: nonNegative.nullable(),
  privacyLossMaxSe: nonNegative.nullable(),
  privacyLossReason: z.string().optional(),
  /** Null where no region was asked for. */
  acceptanceRegion: acceptanceRegionSchema.nullable(),
  /** Where cells are searched for: what was found of the posterior. */
  search: z
    .strictObject({
      cellsFound: z.int().positive(),
      /** Share of records whose own cell was found by the search itself. */
      truthFoundShare: share,
      /** Share of the posterior outside of the found cells, by Good and Turing's estimate, over records. */
      missedMassMean: share,
      missedMassMeanSe: nonNegative,
      missedMassMax: share,
    })
    .optional(),
  ...fileValuesShape,
  /**
   * What paired chains of half their length find, and by how many errors of simulation the mean information differs from
   * it; null, with the reason, where no chains are paired or halves are not scored.
   */
  halfLength: z
    .strictObject({
      truthRankedFirstShare: share,
      probabilityMean: share,
      informationBitsMean: nonNegative,
      changeInErrors: nonNegative.nullable(),
    })
    .nullable(),
  halfLengthReason: z.string().optional(),
  /**
   * Spearman correlation, over combinations, of the probability of the truth expected between two independent
   * evaluations: how far they put the records in the same order. Null when undefined.
   */
  reproducibility: z.number().nullable(),
  /** The same of the rank of the truth among its candidates, which is coarser. */
  rankReproducibility: z.number().nullable(),
  reproducibilityReason: z.string().optional(),
  /** Null, with the reason, where nothing is simulated. */
  effectiveDrawsMin: nonNegative.nullable(),
  effectiveDrawsReason: z.string().optional(),
  /** Largest Pareto k of a record, or of the importance weights; null where no tail can be fitted, with the reason. */
  paretoKMax: z.number().nullable(),
  paretoKReason: z.string().optional(),
  /** Above it a tail is too heavy for the mean over it to be relied upon, or for its error. */
  paretoKThreshold: z.number(),
  /** Share of records whose k is above it. */
  heavyTailShare: share,
  distinguishableShare: share,
  /** Records by rank of the truth: how many have a rank in (index, index + 1] times the width. */
  rankHistogram: z.array(z.int()),
  /** Ranks of an element of the histogram: 1, or more when there are over 1,000 candidates. */
  rankHistogramWidth: z.int().positive(),
  /** Of models of counts: the epsilon that is stated, which bounds the privacy loss. */
  epsilon: epsilonSchema.optional(),
  /** Of trees: records of which the release proves the value of some variable, nothing else being able to have led to it. */
  provenRecords: z.int().nonnegative().optional(),
  provenShare: share.optional(),
  /** Of trees: continuous variables, of which declared bands are guessed at, each by one value that stands for it. */
  bandedVariables: z.array(z.string()).optional(),
  /**
   * Of trees, beside the exact figures: the same with the divisions of the trees held as they are, and the share of the gain
   * at the truth that this misses, null where there is no gain.
   */
  fixedStructure: z
    .strictObject({
      probabilityMean: share,
      firstGuessRightAfter: share,
      gainBitsMean: z.number(),
      gainBitsMissedShare: z.number().nullable(),
      provenShare: share,
    })
    .optional(),
  /**
   * Of an intruder who does not have all records but one: what he has, and for how many records that he does not have the
   * figures are; each dataset by itself, in order; the one of each record that gives its truth the largest probability; the
   * product of their likelihoods, an approximation that claims too much; and how the datasets are put together in all other
   * figures and in the rows.
   */
  knows: z.union([z.enum(['nothing', 'file']), z.strictObject({ share })]).optional(),
  separately: z.array(separateFiguresSchema).optional(),
  largestOfDatasets: separateFiguresSchema.optional(),
  productOfDatasets: separateFiguresSchema.optional(),
  together: z
    .enum(['one dataset: exact', 'mean of log-likelihoods over datasets: an approximation'])
    .optional(),
});

/** One acceptance rule and whether the run met it. */
export const acceptanceResultSchema = z.strictObject({
  rule: z.string(),
  /** Whose value it is: the scenario that the rule names, or of several the worst; null where the figure is of none. */
  scenario: z.string().nullable(),
  value: z.number().nullable(),
  met: z.boolean(),
  /** Why it is not met whatever the value: the figure is absent, or cannot be relied upon. */
  reason: z.string().optional(),
});

/** Means over the resamples of both bounds and over the datasets, and where the last lies from the first to the second. */
const positionSchema = z.strictObject({
  minimum: z.number().nullable(),
  maximum: z.number().nullable(),
  release: z.number().nullable(),
  shareOfRange: z.number().nullable(),
  /** Why something is null. */
  reason: z.string().optional(),
});

/** A figure of the headline; `se` is null, with the reason, where nothing tells how sure it is. */
const headlineFigureSchema = z.strictObject({
  name: z.string(),
  value: z.number(),
  se: nonNegative.nullable(),
  seReason: z.string().optional(),
  /** What it would be without the release, or by chance; null where there is no such figure. */
  baseline: z.number().nullable(),
});

/** `confidential/summary.json`: everything about a run that depends on neither time nor machine. */
export const summarySchema = z.strictObject({
  /** What to decide from: named as rules name it, each with its error and what it is to be compared with. */
  headline: z.array(headlineFigureSchema).max(10),
  version: z.string(),
  runId: z.string(),
  seed: z.int(),
  table: z.strictObject({
    records: z.int(),
    variables: z.int(),
    combinations: z.int(),
    /** Null with a reason when a variable is continuous. */
    cells: z.number().nullable(),
    cellsReason: z.string().optional(),
    sampleUniques: z.int(),
  }),
  model: z.strictObject({
    name: z.string(),
    /** Latent classes of the DPMPM at most, or clusters of DP-areal; null for a model without any. */
    classes: z.int().nullable(),
    chains: z.int(),
    drawsKept: z.int(),
    occupiedClassesMax: z.int().nullable(),
    classesReason: z.string().optional(),
    /** Of DP-areal: distinct rows of the kept variables. */
    patterns: z.int().positive().optional(),
    /** Of models of counts: the count added to each cell. */
    alpha: z.number().positive().optional(),
  }),
  synthesis: z.strictObject({
    datasets: z.int(),
    synthesized: z.array(z.string()),
    kind: z.enum(['full', 'partial']),
    /** `own` or `one` chain for the datasets; `foreign` when they were made elsewhere; null without chains. */
    chains: z.enum(['own', 'one', 'foreign']).nullable(),
  }),
  attributeRisk: z.array(attributeRiskSummarySchema),
  /** Why there is none. */
  attributeRiskReason: z.string().optional(),
  /** What the rounds of chains came to, one after the other; one round where no target was asked for. */
  rounds: z.array(judgementSchema),
  identificationRisk: z.array(identificationRiskSummarySchema),
  /** Why there is none. */
  identificationRiskReason: z.string().optional(),
  /** Records whose synthetic values are the true ones; null where no row belongs to a record. */
  attributeDisclosures: attributeDisclosureSummarySchema
    .extend({
      /** Within which a continuous value counts as disclosed; those without must be equal. */
      radii: z.record(z.string(), radiusSchema),
    })
    .nullable(),
  attributeDisclosuresReason: z.string().optional(),
  /** Of trees: values of continuous synthesized variables that one record alone has, by variable, and which came out. */
  uniqueValues: z.array(uniqueValuesSchema).optional(),
  /** The least and the most that such a release could disclose, where they were asked for (001 section 4.1). */
  inherent: z
    .strictObject({
      resamples: z.int(),
      attributeDisclosures: positionSchema,
      identificationRisk: z.array(
        z.strictObject({ scenario: z.string(), expectedMatchRisk: positionSchema }),
      ),
    })
    .optional(),
  /** What leaving combinations out of the fit did to risk, where some are. */
  leftOut: leftOutSchema.optional(),
  /** Whether any figure can be relied upon: the datasets can be what they are taken for. */
  assessable: z.boolean(),
  assessableReason: z.string().optional(),
  /** Exact copies of records in the datasets; null where datasets alone were asked for. */
  copies: copiesSchema.nullable(),
  /** How well the datasets serve; null with a reason where that is not measured. */
  utility: utilitySummarySchema.nullable(),
  utilityReason: z.string().optional(),
  acceptance: z.array(acceptanceResultSchema),
  warnings: z.array(warningSchema),
});

/** Attribute risk of a whole file under one scenario. */
export type AttributeRiskSummary = z.infer<typeof attributeRiskSummarySchema>;
/** The summary of a run. */
export type Summary = z.infer<typeof summarySchema>;
