import { z } from 'zod';
import { maskingSchema } from '../config/masking.ts';
import { warningSchema } from '../run/warning.ts';

const count = z.int().nonnegative();

/** Absolute differences between what is found in the masked records and in the original ones; null with a reason. */
const differenceSchema = z.strictObject({
  mean: z.number().nonnegative().nullable(),
  largest: z.number().nonnegative().nullable(),
  /** Why they are null. */
  reason: z.string().optional(),
});

/** How far analyses of masked records are from those of the original ones, in units of the original deviations. */
const maskedUtilitySchema = z.strictObject({
  means: differenceSchema,
  covariances: differenceSchema,
  correlations: differenceSchema,
  /** Spearman's. */
  rankCorrelations: differenceSchema,
  /** Slopes of each variable on all others, of those that the ones before them do not determine. */
  regressions: differenceSchema,
});

/** `confidential/masking.json`: what was masked, and what is lost by it. */
export const maskingResultSchema = z.strictObject({
  version: z.string(),
  runId: z.string(),
  seed: z.int(),
  method: z.string(),
  /** Of microaggregation; null for other methods. */
  k: z.int().nullable(),
  masking: maskingSchema,
  table: z.strictObject({ records: count, variables: count }),
  /** Rows of the masked file. */
  records: count,
  /** Continuous variables that were masked, and categorical ones that were swapped. */
  variables: z.array(z.string()),
  swapped: z.array(z.string()),
  /** Of microaggregation: groups; those of individual ranking over all variables. Null for other methods. */
  groups: count.nullable(),
  /** Sum of squares between original and masked values over the total one, of standardized variables. */
  informationLossPercent: z.number().nonnegative().nullable(),
  informationLossReason: z.string().optional(),
  /** The same of single variables. */
  variableLosses: z.array(z.strictObject({ variable: z.string(), informationLossPercent: z.number() })),
  utility: maskedUtilitySchema,
  /** The same in categories, or quarters, of variables: the records that were in them. */
  subdomains: z.array(
    z.strictObject({
      variable: z.string(),
      /** From 1, in the order of the categories or from the lowest quarter upwards. */
      domain: z.int().positive(),
      domains: z.int().positive(),
      records: count,
      informationLossPercent: z.number().nonnegative().nullable(),
      informationLossReason: z.string().optional(),
      utility: maskedUtilitySchema,
    }),
  ),
  warnings: z.array(warningSchema),
});

/** What was masked, and what is lost by it. */
export type MaskingResult = z.infer<typeof maskingResultSchema>;
/** How far analyses of masked records are from those of the original ones. */
export type MaskedUtility = z.infer<typeof maskedUtilitySchema>;
/** Absolute differences; null with a reason. */
export type Difference = z.infer<typeof differenceSchema>;
