import { z } from 'zod';
import { judgementSchema } from '../run/round.ts';
import { budgetDollarsSchema, usedSchema } from '../run/usage.ts';
import { attributeDisclosureSummarySchema } from './attribute-disclosures.ts';
import { identificationRiskSummarySchema, radiusSchema } from './identification.ts';

const nonNegative = z.number().nonnegative();
const share = z.number().min(0).max(1);

/** Importance weights with fewer effective draws than this say next to nothing (000 eq. 14). */
export const FEWEST_EFFECTIVE_DRAWS = 10;

/** Two evaluations whose ranks correlate at least this much put the records in nearly the same order. */
export const GOOD_REPRODUCIBILITY = 0.95;

/** A condition that the reader of a run must know of. The code is stable; the message is for people. */
export const warningSchema = z.strictObject({ code: z.string(), message: z.string() });

/** Attribute risk of a whole file under one scenario (000 section 4.2 gives the like). */
export const attributeRiskSummarySchema = z.strictObject({
  scenario: z.string(),
  estimator: z.enum(['augmented', 'parameters', 'importance']),
  /** What the estimator measures, in words. */
  meaning: z.string(),
  candidates: z.string(),
  candidatesPerCombinationMax: z.int(),
  prior: z.string(),
  slope: z.number(),
  records: z.int(),
  truthRankedFirst: z.int(),
  truthRankedFirstShare: share,
  /** Monte Carlo standard errors, from resampling the chains. */
  truthRankedFirstShareSe: nonNegative,
  /** What guessing at random gives: the mean over records of 1 / candidates, which is also the mean prior probability of the truth. */
  randomGuessingShare: share,
  truthRankMedian: z.number(),
  probabilityMean: share,
  probabilityMeanSe: nonNegative,
  probabilityMax: share,
  informationBitsMean: nonNegative,
  informationBitsMeanSe: nonNegative,
  informationBitsMax: nonNegative,
  /**
   * Spearman correlation, over combinations, of the probability of the truth expected between two independent
   * evaluations: how far they put the records in the same order. Null when undefined.
   */
  reproducibility: z.number().nullable(),
  /** The same of the rank of the truth among its candidates, which is coarser. */
  rankReproducibility: z.number().nullable(),
  reproducibilityReason: z.string().optional(),
  effectiveDrawsMin: nonNegative,
  distinguishableShare: share,
  /** Records by rank of the truth: how many have a rank in (index, index + 1] times the width. */
  rankHistogram: z.array(z.int()),
  /** Ranks of an element of the histogram: 1, or more when there are over 1,000 candidates. */
  rankHistogramWidth: z.int().positive(),
});

/** One acceptance rule and whether the run met it. */
const acceptanceResultSchema = z.strictObject({
  rule: z.string(),
  value: z.number().nullable(),
  met: z.boolean(),
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

/** `confidential/summary.json`: everything about a run that depends on neither time nor machine. */
export const summarySchema = z.strictObject({
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
  utility: z.null(),
  utilityReason: z.string(),
  acceptance: z.array(acceptanceResultSchema),
  warnings: z.array(warningSchema),
});

/** R-hat and effective sizes of one quantity over the base chains (Vehtari et al. 2021). */
export const quantityDiagnosticsSchema = z.strictObject({
  quantity: z.enum(['alpha', 'occupiedClasses', 'logLikelihood']),
  mean: z.number(),
  standardDeviation: nonNegative,
  /** Null with a reason when every draw has the same value, or each chain stands still at its own. */
  rHat: z.number().nullable(),
  rHatReason: z.string().optional(),
  bulkEffectiveSize: z.number().nullable(),
  tailEffectiveSize: z.number().nullable(),
  chainMeans: z.array(z.number()),
});

/** `diagnostics/chains.json`. */
export const chainDiagnosticsSchema = z.strictObject({
  chains: z.int(),
  drawsPerChain: z.int(),
  burnIn: z.int(),
  thin: z.int(),
  quantities: z.array(quantityDiagnosticsSchema),
  /** Largest occupied class count seen in each base chain. */
  occupiedClassesMax: z.array(z.int()),
  warnings: z.array(warningSchema),
});

/** Seconds of wall time a step took, all sessions of a resumed run together. */
const secondsSchema = z.strictObject({
  fit: nonNegative,
  synthesize: nonNegative,
  augment: nonNegative,
  assess: nonNegative,
  aggregate: nonNegative,
  report: nonNegative,
  total: nonNegative,
});

/** What a run is for. A `calibrate` run consists of replicates, each of which is a run with a plan of its own. */
export const purposeSchema = z.enum(['evaluate', 'synthesize', 'assess', 'calibrate', 'replicate']);

/** A named error, as it is noted. */
export const errorReportSchema = z.strictObject({ name: z.string(), code: z.string(), message: z.string() });

/** `run.json`: the state of a run and what depends on time and place. */
export const runStateSchema = z.strictObject({
  runId: z.string(),
  version: z.string(),
  status: z.enum(['running', 'interrupted', 'failed', 'finished']),
  purpose: purposeSchema,
  error: errorReportSchema.optional(),
  seconds: secondsSchema,
  /** While functions assess the batches: since when, for their seconds. */
  assessingSince: z.iso.datetime().optional(),
  peakMemoryMiB: nonNegative,
  /** In an agency's account: what the run has used and cost, and what it may cost at most (dollars). */
  used: usedSchema.optional(),
  budgetDollars: budgetDollarsSchema.optional(),
});

/**
 * SHA-256 (hexadecimal) of artifacts, by path below the run: in `manifest.json` of the release alone, in
 * `confidential/manifest.json` of everything. A digest of anything else would tell whether a guess at it is right.
 */
export const manifestSchema = z.strictObject({
  version: z.string(),
  runId: z.string(),
  artifacts: z.record(z.string(), z.strictObject({ sha256: z.string(), bytes: z.int() })),
});

/** A condition that the reader of a run must know of. */
export type Warning = z.infer<typeof warningSchema>;
/** Attribute risk of a whole file under one scenario. */
export type AttributeRiskSummary = z.infer<typeof attributeRiskSummarySchema>;
/** The summary of a run. */
export type Summary = z.infer<typeof summarySchema>;
/** Diagnostics of the base chains. */
export type ChainDiagnostics = z.infer<typeof chainDiagnosticsSchema>;
/** Diagnostics of one quantity. */
export type QuantityDiagnostics = z.infer<typeof quantityDiagnosticsSchema>;
/** The state of a run. */
export type RunState = z.infer<typeof runStateSchema>;
/** The manifest of a run. */
export type Manifest = z.infer<typeof manifestSchema>;

/**
 * Columns of `confidential/attribute-risk.csv` before and after the table's own variables, in their order, with
 * their types in Parquet. Names are the contract's, and reserved: no variable of a table can have one. See
 * `docs/estimators.md` for each.
 */
export const ATTRIBUTE_RISK_COLUMNS = {
  /** The first column where datasets are partially synthetic, and every record has a row. */
  ofRecords: { record: 'int32' },
  beforeVariables: { combination: 'int32', count: 'int32' },
  afterVariables: {
    candidates: 'double',
    rank: 'double',
    rank_low: 'double',
    rank_high: 'double',
    probability: 'double',
    probability_se: 'double',
    ratio_to_uniform: 'double',
    information_bits: 'double',
    prior_odds_to_first: 'double',
    first_guess_variable: 'string',
    first_guess_value: 'string',
    first_guess_probability: 'double',
    distinguishable: 'boolean',
    effective_draws: 'double',
  },
} as const;

/**
 * Columns of a combination's candidate table before the table's own variables. Their names are reserved as those of
 * {@link ATTRIBUTE_RISK_COLUMNS} are.
 */
export const CANDIDATE_COLUMNS = ['rank', 'probability', 'is_truth'] as const;

type ColumnValue = { int32: number; double: number; string: string; boolean: boolean };
type Fields<Columns extends Record<string, keyof ColumnValue>> = {
  -readonly [Name in keyof Columns]: ColumnValue[Columns[Name]];
};

/**
 * One row of `confidential/attribute-risk.csv`: one combination, in order of first appearance; or one record, in the
 * order of the table, where datasets are partially synthetic.
 */
export type AttributeRiskRow = Fields<typeof ATTRIBUTE_RISK_COLUMNS.beforeVariables> &
  Fields<typeof ATTRIBUTE_RISK_COLUMNS.afterVariables> & {
    /** Number of the record, from 1; null for a combination. */
    record: number | null;
    /** The combination's categories as text, in column order (null: missing). */
    values: (string | null)[];
  };
