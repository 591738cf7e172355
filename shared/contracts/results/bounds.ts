import * as z from 'zod';
import { matchingShape, names, radiusSchema } from '../config/identification-scenario.ts';
import { count, numberOrNull, positiveInteger, share } from '../number-schemas.ts';
import { warnings } from '../run/warning.ts';
import { reason, runId, seed, synthesized, tableInNumbers, variable, version } from '../shared-fields.ts';

/** Radii by variable, in each of the ways in which a config may have them. */
export const radiiSchema = z.record(z.string(), radiusSchema.describe('A share of the true value, or a distance.'));

const distributionSchema = z.strictObject({
  defined: count.describe('Resamples that define the measure.'),
  mean: numberOrNull.describe('Mean over resamples, or datasets.'),
  standardDeviation: numberOrNull.describe('Between resamples, or datasets.'),
  standardError: numberOrNull.describe('Monte Carlo standard error of the mean.'),
  smallest: numberOrNull.describe('Smallest value.'),
  quantile05: numberOrNull.describe('5 % quantile.'),
  quantile25: numberOrNull.describe('25 % quantile.'),
  median: numberOrNull.describe('Median.'),
  quantile75: numberOrNull.describe('75 % quantile.'),
  quantile95: numberOrNull.describe('95 % quantile.'),
  largest: numberOrNull.describe('Largest value.'),
  reason,
});

const beyondSchema = z.strictObject({
  below: count.describe('Resamples with a smaller value.'),
  above: count.describe('Resamples with a larger value.'),
});

const releasePositionSchema = z.strictObject({
  byDataset: z.array(numberOrNull).describe('Of each dataset.'),
  ...distributionSchema.pick({ mean: true, standardDeviation: true, smallest: true, largest: true }).shape,
  shareOfRange: numberOrNull.describe('Of the mean: 0 at the least, 1 at the most.'),
  resamples: z
    .strictObject({ minimum: beyondSchema.describe('Of the least.'), maximum: beyondSchema.describe('Of the most.') })
    .nullable()
    .describe('The mean against each bound’s resamples.'),
  reason,
});

const boundedMeasureSchema = z.strictObject({
  minimum: distributionSchema.describe('Least possible, over resamples.'),
  maximum: distributionSchema.describe('Over the resamples of the most.'),
  release: releasePositionSchema.optional().describe('Of the release, if given.'),
});

/** Identification risk under one scenario of what the intruder knows, as Hu & Savitsky (2018), eq. (15)-(17). */
const boundedScenarioSchema = z.strictObject({
  scenario: z.string().describe('Name of the scenario.'),
  known: names.describe('Kept variables that the intruder knows.'),
  synthesized: names.describe('Synthesized variables whose true values the intruder knows.'),
  radii: radiiSchema.describe('How near each continuous variable must come.'),
  shape: matchingShape,
  expectedMatchRisk: boundedMeasureSchema.describe('Sum over records of T / c.'),
  trueMatchRate: boundedMeasureSchema.describe('Share of records whose own row is the only match.'),
  falseMatchRate: boundedMeasureSchema.describe('Share of false ones among unique matches.'),
  uniqueMatches: boundedMeasureSchema.describe('Records that one row alone matches.'),
});

/** `confidential/inherent.json`: the least and the most that such a release could disclose (Hu & Savitsky 2018, section 4.1). */
export const foundBoundsSchema = z.strictObject({
  version,
  runId,
  seed,
  table: tableInNumbers,
  synthesized,
  kept: z.array(z.string()).describe('Variables that are kept.'),
  patterns: z
    .strictObject({
      count: count.describe('How many there are.'),
      bands: positiveInteger.describe('Quantile bands of kept continuous values.'),
      banded: z.array(z.string()).describe('Kept variables that are.'),
      loneRecords: count.describe('Records alone with their pattern: the maximum keeps their values.'),
      loneRecordShare: share.describe('Their share.'),
    })
    .describe('Patterns of the kept variables.'),
  resamples: positiveInteger.describe('Resamples of each bound.'),
  datasets: count.describe('Datasets of the release; 0 if not given.'),
  attributeDisclosures: z
    .strictObject({
      radii: radiiSchema.describe('How near a continuous value counts as disclosed; others must be equal.'),
      all: boundedMeasureSchema.describe('All synthesized values.'),
      byVariable: z.array(z.strictObject({ variable, ...boundedMeasureSchema.shape })).describe('Of single variables.'),
    })
    .describe('Records whose synthesized values are the true ones.'),
  identificationRisk: z.array(boundedScenarioSchema).describe('Matching, an element a scenario.'),
  warnings,
});

/** The least and the most that such a release could disclose. */
export type FoundBounds = z.infer<typeof foundBoundsSchema>;
/** One measure under both bounds. */
export type BoundedMeasure = z.infer<typeof boundedMeasureSchema>;
/** A measure over the resamples of one bound. */
export type MeasureDistribution = z.infer<typeof distributionSchema>;
/** The same measure of the datasets of a release, and where their mean lies. */
export type ReleasePosition = z.infer<typeof releasePositionSchema>;

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
