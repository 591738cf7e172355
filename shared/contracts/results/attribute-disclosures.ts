import { z } from 'zod';

/** Records disclosed in each dataset, and over the datasets. */
const countsSchema = z.strictObject({
  byDataset: z.array(z.int().nonnegative()).min(1),
  mean: z.number().nonnegative(),
  /** The mean divided by the records of the table. */
  meanShare: z.number().min(0).max(1),
  /** Between datasets, with the divisor m - 1; null with a reason for one dataset. */
  standardDeviation: z.number().nonnegative().nullable(),
  standardDeviationReason: z.string().optional(),
  smallest: z.int().nonnegative(),
  largest: z.int().nonnegative(),
});

/** Exact attribute disclosures of a release (001 section 4.3). */
export const attributeDisclosureSummarySchema = z.strictObject({
  records: z.int().positive(),
  synthesized: z.array(z.string()).min(1),
  /** Records all of whose synthesized values are disclosed: sum A_i (001 eq. 18). */
  all: countsSchema,
  byVariable: z.array(z.strictObject({ variable: z.string(), ...countsSchema.shape })),
});

/** Exact attribute disclosures of a release. */
export type AttributeDisclosureSummary = z.infer<typeof attributeDisclosureSummarySchema>;
