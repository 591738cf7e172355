import { z } from 'zod';
import { share } from '../number-schemas.ts';
import { warningSchema } from '../run/warning.ts';

const count = z.int().nonnegative();

/** A share with its exact 95 % interval; null with a reason. */
const shareWithInterval = z.strictObject({
  share: share.nullable(),
  low: share.nullable(),
  high: share.nullable(),
  reason: z.string().optional(),
});

/** Unique links that the intruder gives at least this probability. */
const thresholdSchema = z.strictObject({
  probability: share,
  links: count,
  correct: count,
  precision: share,
  /** Correct ones of the rows whose record is in the intruder's file; null where there are none. */
  recall: share.nullable(),
  /** Correct ones of all that are correct, and wrong ones of all that are wrong: a point of the ROC curve. */
  truePositiveRate: share.nullable(),
  falsePositiveRate: share.nullable(),
});

/** What is compared of a variable, and how it agrees among what EM takes for matches and among other pairs. */
const linkageComparisonSchema = z.strictObject({
  name: z.string(),
  /** For each level, from 0 (outside of all intervals) to the narrowest interval; null under `conjunction`. */
  levels: z
    .array(z.strictObject({ amongMatches: share, amongOthers: share, weightBits: z.number() }))
    .nullable(),
});

/** `confidential/linkage.json`: how many rows of a masked file are re-identified. */
export const linkageResultSchema = z.strictObject({
  version: z.string(),
  runId: z.string(),
  seed: z.int(),
  method: z.string(),
  link: z.enum(['weights', 'conjunction']),
  oneToOne: z.boolean(),
  /** What of a metric's intervals is looked at, from 1, the narrowest; null for all of them. */
  bands: z.int().nullable(),
  /** Comparisons that a candidate may disagree on; null for a third of them. */
  tolerate: z.int().nullable(),
  variables: z.array(z.string()),
  /** Rows of the masked file. */
  records: count,
  intruder: z.strictObject({
    records: count,
    /** Share of the table that the intruder has; 1 for all of it. */
    share,
    /** Share of the variables of his records that are wrong. */
    errors: share,
    /** Rows of the masked file whose record he has. */
    rowsHeld: count,
  }),
  /** Rows whose one best link is to their own record. */
  reidentified: count,
  reidentifiedShare: share,
  /** Its exact 95 % interval (Clopper and Pearson 1934). */
  low: share,
  high: share,
  /** What a guess by chance would find. */
  guessedShare: share,
  /** Rows with a candidate, and with one best link. */
  linked: count,
  uniqueLinks: count,
  /** Right ones of the unique links. */
  precision: shareWithInterval,
  /** Mean probability that the intruder gives his unique links: what `precision` should be. */
  claimedPrecision: share.nullable(),
  /** Median place of the own record among the candidates, of the rows where it is one. */
  ownRankMedian: z.number().nullable(),
  ownRankReason: z.string().optional(),
  /** Area under the ROC curve of the unique links by their probability; null where all or none are right. */
  rocArea: share.nullable(),
  rocReason: z.string().optional(),
  thresholds: z.array(thresholdSchema),
  comparisons: z.array(linkageComparisonSchema),
  /** Of `weights`: share of pairs that EM takes to match, and whether it came to an end; null under `conjunction`. */
  model: z
    .strictObject({
      matchShare: share,
      iterations: count,
      converged: z.boolean(),
      /** Rows from whose pairs it was fitted. */
      rows: count,
    })
    .nullable(),
  warnings: z.array(warningSchema),
});

/** Columns of `confidential/linkage.csv` and `.parquet` in their order, with their types in Parquet. */
export const LINKAGE_COLUMNS = {
  row: 'int32',
  best_link: 'int32',
  score: 'double',
  match_probability: 'double',
  equal_links: 'int32',
  candidates: 'int32',
  own_record: 'int32',
  own_rank: 'double',
  reidentified: 'boolean',
} as const;

/** Columns of `confidential/linkage-thresholds.csv` and `.parquet`. */
export const THRESHOLD_COLUMNS = {
  probability: 'double',
  links: 'int32',
  correct: 'int32',
  precision: 'double',
  recall: 'double',
  true_positive_rate: 'double',
  false_positive_rate: 'double',
} as const;

/** How many rows of a masked file are re-identified. */
export type LinkageResult = z.infer<typeof linkageResultSchema>;
/** Unique links of at least some probability. */
export type LinkageThreshold = z.infer<typeof thresholdSchema>;
