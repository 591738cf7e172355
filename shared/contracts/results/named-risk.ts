import * as z from 'zod';
import { errorFields } from '../figure-errors.ts';
import { count, nonNegativeOrNull, number, numberOrNull, positiveInteger, shareOrNull } from '../number-schemas.ts';
import { reason, runId, variable } from '../shared-fields.ts';

/** Why figures of a continuous variable are null. */
const NO_NUMBERS = reason.describe('Why its figures are null.');

/** How near an intruder comes to the values of a continuous variable of some records. */
const groupNumbersSchema = z.strictObject({
  variable,
  records: count.describe('Records with a value.'),
  withinBeforeMean: shareOrNull.describe('Mean probability near the true value without the release.'),
  withinAfterMean: shareOrNull.describe('The same with the release.'),
  withinAfterMeanSe: nonNegativeOrNull.describe('Most that its Monte Carlo standard error can be.'),
  withinAfterMax: shareOrNull.describe('Largest such probability with the release.'),
  gainBitsMean: numberOrNull.describe('Mean log2 of the density at the true value after over before.'),
  reason: NO_NUMBERS,
});

/** The same of one record. */
const rowNumbersSchema = z.strictObject({
  variable,
  withinBefore: shareOrNull.describe('Probability near the true value without the release.'),
  withinAfter: shareOrNull.describe('The same with the release.'),
  withinAfterSe: nonNegativeOrNull.describe('Its Monte Carlo standard error.'),
  gainBits: numberOrNull.describe('Gain at the true values, bits.'),
  reason: NO_NUMBERS,
});

/**
 * Attribute risk of some records of a table; means and shares are over records, null where there are none. All records share
 * their chains and their datasets.
 */
const groupRiskSchema = z.strictObject({
  records: count.describe('Records of the group.'),
  truthRankedFirstShare: shareOrNull.describe('Share of records whose truth is ranked first.'),
  ...errorFields('truthRankedFirstShare'),
  rankMean: nonNegativeOrNull.describe('Mean rank of the truth.'),
  ...errorFields('rankMean'),
  probabilityMean: shareOrNull.describe('Mean posterior probability of the truth.'),
  ...errorFields('probabilityMean'),
  probabilityMax: shareOrNull.describe('Largest posterior probability of the truth.'),
  informationBitsMean: nonNegativeOrNull.describe('Mean divergence of posterior from prior, bits.'),
  ...errorFields('informationBitsMean'),
  gainBitsMean: numberOrNull.describe('Gain at the truth, bits: mean log2 of the true value’s probability after over before.'),
  continuousVariables: z.array(groupNumbersSchema).optional().describe('Continuous variables with a density in some run.'),
});

/** Attribute risk of one combination, or of one record where rows are records. */
const rowRiskSchema = z.strictObject({
  record: positiveInteger.optional().describe('Number from 1.'),
  combination: positiveInteger.describe('Number of the combination, from 1.'),
  count: positiveInteger.describe('Records of the combination; 1 where rows are records.'),
  candidates: positiveInteger.describe('Number of candidates.'),
  rank: nonNegativeOrNull.describe('Rank of the truth; ties at their mean.'),
  probability: shareOrNull.describe('Probability of the truth.'),
  probabilitySe: nonNegativeOrNull,
  informationBits: nonNegativeOrNull.describe('Divergence of posterior from prior, bits.'),
  gainBits: numberOrNull.describe('Gain at the truth, bits.'),
  continuousVariables: z.array(rowNumbersSchema).optional().describe('Continuous variables with a density in some run.'),
});

/** A mean over all records of a run with its standard error; null where it is not measured. */
export const meanSchema = z.strictObject({
  mean: number.describe('Mean over records.'),
  standardError: nonNegativeOrNull.describe('Its standard error.'),
});

/** How near an intruder comes to the values of a continuous variable over the whole file. */
const fileNumbersSchema = z.strictObject({
  variable,
  near: z.string().nullable().describe('What counts as near, in words.'),
  records: count.describe('Records with a value.'),
  withinBefore: meanSchema.nullable().describe('Probability near the true value without the release.'),
  withinAfter: meanSchema.nullable().describe('The same with the release.'),
  gainBits: meanSchema.nullable().describe('Gain at the true values, bits.'),
  reason: NO_NUMBERS,
});

/** What an evaluation says of some combinations, of all others, and of the whole file. */
export const namedRiskSchema = z.strictObject({
  runId,
  file: z
    .strictObject({
      truthRankedFirstShare: meanSchema.nullable().describe('Share of records whose truth is ranked first.'),
      probability: meanSchema.nullable().describe('Probability of the truth.'),
      informationBits: meanSchema.nullable().describe('Divergence of posterior from prior, bits.'),
      gainBits: meanSchema.nullable().describe('Gain at the truth, bits.'),
      membership: z
        .strictObject({
          auc: meanSchema.describe('AUC of the optimal test.'),
          foundAt1Percent: meanSchema.describe('Share of records found at 1 % false alarms.'),
        })
        .nullable()
        .describe('Who is in the table.'),
      continuousVariables: z.array(fileNumbersSchema).optional().describe('Continuous variables with a density in some run.'),
    })
    .describe('The whole file, as means over records.'),
  named: groupRiskSchema.describe('Combinations, or records, that were named.'),
  others: groupRiskSchema.describe('All other records.'),
  rows: z.array(rowRiskSchema).describe('The named, one by one.'),
});

/** What an evaluation says of some combinations, of all others, and of the whole file. */
export type NamedRisk = z.infer<typeof namedRiskSchema>;
/** Attribute risk of some records of a table. */
export type GroupRisk = z.infer<typeof groupRiskSchema>;
/** How near an intruder comes to the values of a continuous variable over a whole file. */
export type FileNumbers = z.infer<typeof fileNumbersSchema>;
/** The same over some records. */
export type GroupNumbers = z.infer<typeof groupNumbersSchema>;
/** The same of one record. */
export type RowNumbers = z.infer<typeof rowNumbersSchema>;
