import * as z from 'zod';
import { maskingSchema } from '../config/masking.ts';
import { count, nonNegativeOrNull, number, positiveInteger } from '../number-schemas.ts';
import { warnings } from '../run/warning.ts';
import { reason, runId, seed, tableInNumbers, variable, version } from '../shared-fields.ts';

const differenceSchema = z.strictObject({
  mean: nonNegativeOrNull.describe('Mean difference.'),
  largest: nonNegativeOrNull.describe('Largest difference.'),
  reason,
});

const maskedUtilitySchema = z.strictObject({
  means: differenceSchema.describe('Of means.'),
  covariances: differenceSchema.describe('Of covariances.'),
  correlations: differenceSchema.describe('Of correlations.'),
  rankCorrelations: differenceSchema.describe('Of Spearman’s correlations.'),
  regressions: differenceSchema.describe('Of slopes of each variable on the others.'),
});

const INFORMATION_LOSS = 'Squared differences of original and masked values over the total sum of squares, percent.';

/** What is lost in a whole file, or in a part of it. */
const lossShape = {
  informationLossPercent: nonNegativeOrNull.describe(INFORMATION_LOSS),
  informationLossReason: z.string().optional(),
  utility: maskedUtilitySchema.describe('Absolute differences of analyses, in original standard deviations.'),
};

/** `confidential/masking.json`: what was masked, and what is lost by it. */
export const maskingResultSchema = z.strictObject({
  version,
  runId,
  seed,
  method: z.string().describe('As `mask --method` has it.'),
  k: z.int().nullable().describe('Microaggregation: least records of a group.'),
  masking: maskingSchema.describe('The settings.'),
  table: tableInNumbers,
  records: count.describe('Rows of the masked file, or of the domain.'),
  variables: z.array(z.string()).describe('Continuous variables that were masked.'),
  swapped: z.array(z.string()).describe('Categorical ones that were swapped.'),
  groups: count.nullable().describe('Microaggregation: groups; of individual ranking over all variables.'),
  informationLossPercent: lossShape.informationLossPercent,
  informationLossReason: lossShape.informationLossReason,
  variableLosses: z
    .array(z.strictObject({ variable, informationLossPercent: number.describe(INFORMATION_LOSS) }))
    .describe('The same of single variables.'),
  utility: lossShape.utility,
  subdomains: z
    .array(
      z.strictObject({
        variable,
        domain: positiveInteger.describe('Number of the category, or of the quarter from the lowest.'),
        domains: positiveInteger.describe('How many there are.'),
        records: count.describe('Rows of the masked file, or of the domain.'),
        ...lossShape,
      }),
    )
    .describe('The same by categories, or quarters, of variables.'),
  warnings,
});

/** What was masked, and what is lost by it. */
export type MaskingResult = z.infer<typeof maskingResultSchema>;
/** How far analyses of masked records are from those of the original ones. */
export type MaskedUtility = z.infer<typeof maskedUtilitySchema>;
/** Absolute differences; null with a reason. */
export type Difference = z.infer<typeof differenceSchema>;
