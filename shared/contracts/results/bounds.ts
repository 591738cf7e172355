import { z } from 'zod';
import { radiusSchema } from '../config/identification-scenario.ts';
import { share } from '../number-schemas.ts';
import { warningSchema } from '../run/warning.ts';

const count = z.int().nonnegative();

const radiiSchema = z.record(z.string(), radiusSchema);

/** A measure over the resamples of one bound. Statistics are null where no resample defines the measure. */
const distributionSchema = z.strictObject({
  /** Resamples in which the measure is defined; the statistics are over them. */
  defined: count,
  mean: z.number().nullable(),
  /** Between resamples, with the divisor `defined` - 1; null for fewer than two. */
  standardDeviation: z.number().nullable(),
  /** Monte Carlo standard error of the mean. */
  standardError: z.number().nullable(),
  smallest: z.number().nullable(),
  quantile05: z.number().nullable(),
  quantile25: z.number().nullable(),
  median: z.number().nullable(),
  quantile75: z.number().nullable(),
  quantile95: z.number().nullable(),
  largest: z.number().nullable(),
  /** Why a statistic is null. */
  reason: z.string().optional(),
});

/** Resamples of a bound with a smaller and with a larger value than the release. */
const beyondSchema = z.strictObject({ below: count, above: count });

/** A measure of the datasets of a release, and where their mean lies. Null where no dataset defines it. */
const releasePositionSchema = z.strictObject({
  byDataset: z.array(z.number().nullable()),
  mean: z.number().nullable(),
  /** Between datasets; null for fewer than two. */
  standardDeviation: z.number().nullable(),
  smallest: z.number().nullable(),
  largest: z.number().nullable(),
  /** Of the range between the bounds' means: 0 at the minimum, 1 at the maximum, outside [0, 1] beyond them. */
  shareOfRange: z.number().nullable(),
  /** The mean against the resamples of each bound; null with the mean. */
  resamples: z.strictObject({ minimum: beyondSchema, maximum: beyondSchema }).nullable(),
  /** Why something is null. */
  reason: z.string().optional(),
});

/** One measure under both bounds, and in a release where one is given. */
const boundedMeasureSchema = z.strictObject({
  minimum: distributionSchema,
  maximum: distributionSchema,
  release: releasePositionSchema.optional(),
});

/** Identification risk under one scenario of what the intruder knows, as 001 eq. (15)-(17). */
const boundedScenarioSchema = z.strictObject({
  scenario: z.string(),
  known: z.array(z.string()),
  synthesized: z.array(z.string()),
  radii: radiiSchema,
  shape: z.enum(['box', 'ellipse']),
  expectedMatchRisk: boundedMeasureSchema,
  trueMatchRate: boundedMeasureSchema,
  falseMatchRate: boundedMeasureSchema,
  uniqueMatches: boundedMeasureSchema,
});

/** `confidential/inherent.json`: the least and the most that such a release could disclose (001 section 4.1). */
export const foundBoundsSchema = z.strictObject({
  version: z.string(),
  runId: z.string(),
  seed: z.int(),
  table: z.strictObject({ records: count, variables: count }),
  synthesized: z.array(z.string()),
  kept: z.array(z.string()),
  patterns: z.strictObject({
    count,
    /** Quantile bands that the values of kept continuous variables are put into. */
    bands: z.int().positive(),
    /** The kept variables that are. */
    banded: z.array(z.string()),
    /** Records that share their pattern with no other: under the maximum they keep their true values. */
    loneRecords: count,
    loneRecordShare: share,
  }),
  resamples: z.int().positive(),
  /** Datasets of the release; 0 when none was given. */
  datasets: count,
  /** Records all of whose synthesized values are disclosed, and the like for single variables (001 eq. 18). */
  attributeDisclosures: z.strictObject({
    /** Within which a continuous value counts as disclosed; those without must be equal. */
    radii: radiiSchema,
    all: boundedMeasureSchema,
    byVariable: z.array(z.strictObject({ variable: z.string(), ...boundedMeasureSchema.shape })),
  }),
  identificationRisk: z.array(boundedScenarioSchema),
  warnings: z.array(warningSchema),
});

/** The least and the most that such a release could disclose. */
export type FoundBounds = z.infer<typeof foundBoundsSchema>;
/** One measure under both bounds. */
export type BoundedMeasure = z.infer<typeof boundedMeasureSchema>;
/** A measure over the resamples of one bound. */
export type MeasureDistribution = z.infer<typeof distributionSchema>;
/** A measure of the datasets of a release, and where their mean lies. */
export type ReleasePosition = z.infer<typeof releasePositionSchema>;

/**
 * Columns of `confidential/inherent.csv` and `.parquet` with their types in Parquet: one row a bound, resample and
 * identification scenario. `exact_disclosures` does not depend on the scenario, and repeats.
 */
export const INHERENT_COLUMNS = {
  bound: 'string',
  resample: 'int32',
  scenario: 'string',
  exact_disclosures: 'int32',
  expected_match_risk: 'double',
  true_match_rate: 'double',
  false_match_rate: 'double',
  unique_matches: 'int32',
} as const;

/** One row of `confidential/inherent.csv`. */
export interface BoundsRow {
  readonly bound: 'minimum' | 'maximum';
  /** From 1. */
  readonly resample: number;
  readonly scenario: string;
  /** Records all of whose synthesized values are disclosed. */
  readonly exact_disclosures: number;
  readonly expected_match_risk: number;
  readonly true_match_rate: number;
  /** Null when no record has a unique match. */
  readonly false_match_rate: number | null;
  readonly unique_matches: number;
}
