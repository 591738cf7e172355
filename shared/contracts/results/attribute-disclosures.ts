import * as z from 'zod';
import { count, nonNegative, nonNegativeOrNull, positiveInteger, share } from '../number-schemas.ts';
import { synthesized, variable } from '../shared-fields.ts';

/** Records disclosed in each dataset, and over the datasets. */
const countsSchema = z.strictObject({
  byDataset: z.array(count).min(1).describe('How many in each dataset.'),
  mean: nonNegative.describe('Mean over datasets.'),
  meanShare: share.describe('The mean by the records.'),
  standardDeviation: nonNegativeOrNull.describe('Between datasets, with divisor m - 1.'),
  standardDeviationReason: z.string().optional(),
  smallest: count.describe('In the dataset with fewest.'),
  largest: count.describe('In the dataset with most.'),
});

/** Exact attribute disclosures of a release (Hu & Savitsky 2018, section 4.3). */
export const attributeDisclosureSummarySchema = z.strictObject({
  records: positiveInteger.describe('Records of the table.'),
  synthesized: synthesized.min(1),
  all: countsSchema.describe('All synthesized values together.'),
  byVariable: z.array(z.strictObject({ variable, ...countsSchema.shape })).describe('The same of single variables.'),
});

/** Exact attribute disclosures of a release. */
export type AttributeDisclosureSummary = z.infer<typeof attributeDisclosureSummarySchema>;
