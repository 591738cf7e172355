import * as z from 'zod';
import { errorFields } from '../figure-errors.ts';
import { count, nonNegativeOrNull, number, numberOrNull, positiveInteger, shareOrNull } from '../number-schemas.ts';
import { reason, runId, variable } from '../shared-fields.ts';

/** Why figures of a continuous variable are null. */
const NO_NUMBERS = reason.describe('Why its figures are null: it has categories in this run, or no record of these has a value.');

/** How near an intruder comes to the values of a continuous variable of some records. */
const groupNumbersSchema = z.strictObject({
  variable,
  records: count.describe('Records of the group that have a value.'),
  withinBeforeMean: shareOrNull.describe('Mean probability of being near the true value without the release.'),
  withinAfterMean: shareOrNull.describe('The same with the release.'),
  withinAfterMeanSe: nonNegativeOrNull.describe(
    'Its Monte Carlo standard error at most: the mean of those of the records, which share their chains.',
  ),
  withinAfterMax: shareOrNull.describe('Largest such probability with the release.'),
  gainBitsMean: numberOrNull.describe('Mean gain at the true values, bits.'),
  reason: NO_NUMBERS,
});

/** The same of one record. */
const rowNumbersSchema = z.strictObject({
  variable,
  withinBefore: shareOrNull.describe('Probability without the release that the value lies near the true one.'),
  withinAfter: shareOrNull.describe('The same with the release.'),
  withinAfterSe: nonNegativeOrNull.describe('Its Monte Carlo standard error.'),
  gainBits: numberOrNull.describe('Gain at the true value, bits.'),
  reason: NO_NUMBERS,
});

/**
 * Attribute risk of some records of a table; means and shares are over records, null where there are none. All records share
 * their chains and their datasets.
 */
const groupRiskSchema = z.strictObject({
  records: count.describe('Records of the group.'),
  truthRankedFirstShare: shareOrNull.describe('Share of records whose truth is the first guess.'),
  ...errorFields('truthRankedFirstShare'),
  rankMean: nonNegativeOrNull.describe('Mean rank of the truth.'),
  ...errorFields('rankMean'),
  probabilityMean: shareOrNull.describe('Mean probability of the truth.'),
  ...errorFields('probabilityMean'),
  probabilityMax: shareOrNull.describe('Largest probability of the truth.'),
  informationBitsMean: nonNegativeOrNull.describe('Mean change in the intruder’s probabilities, bits.'),
  ...errorFields('informationBitsMean'),
  gainBitsMean: numberOrNull.describe('Mean gain at the truth, bits; null as well where no variable is asked for by itself.'),
  continuousVariables: z.array(groupNumbersSchema).optional().describe('Of each continuous variable that has a density in some run.'),
});

/** Attribute risk of one combination, or of one record where rows are records. */
const rowRiskSchema = z.strictObject({
  record: positiveInteger.optional().describe('Where rows are records: number of the record, from 1.'),
  combination: positiveInteger.describe('Number of the combination, from 1.'),
  count: positiveInteger.describe('Records of the combination; 1 where rows are records.'),
  candidates: positiveInteger.describe('Number of candidates.'),
  rank: nonNegativeOrNull.describe('Rank of the truth; null, as all else of candidates, where none are ranked.'),
  probability: shareOrNull.describe('Probability of the truth.'),
  probabilitySe: nonNegativeOrNull,
  informationBits: nonNegativeOrNull.describe('Change in the intruder’s probabilities, bits a record.'),
  gainBits: numberOrNull.describe('Gain at the truth, bits a record; null where no variable is asked for by itself.'),
  continuousVariables: z.array(rowNumbersSchema).optional().describe('Of each continuous variable that has a density in some run.'),
});

/** A mean over all records of a run with its standard error; null where it is not measured. */
export const meanSchema = z.strictObject({
  mean: number.describe('Mean over records.'),
  standardError: nonNegativeOrNull.describe('Standard error of the mean; null where it is not known.'),
});

/** How near an intruder comes to the values of a continuous variable over the whole file. */
const fileNumbersSchema = z.strictObject({
  variable,
  near: z.string().nullable().describe('How near the true value is near, in words.'),
  records: count.describe('Records that have a value.'),
  withinBefore: meanSchema.nullable().describe('Probability without the release that the value lies near the true one.'),
  withinAfter: meanSchema.nullable().describe('The same with the release.'),
  gainBits: meanSchema.nullable().describe('Gain at the true values, bits a record.'),
  reason: NO_NUMBERS,
});

/** What an evaluation says of some combinations, of all others, and of the whole file. */
export const namedRiskSchema = z.strictObject({
  runId,
  file: z
    .strictObject({
      truthRankedFirstShare: meanSchema
        .nullable()
        .describe('Share of records whose truth is the first guess; null, as all else of candidates, where none are ranked.'),
      probability: meanSchema.nullable().describe('Probability of the truth.'),
      informationBits: meanSchema.nullable().describe('Change in the intruder’s probabilities, bits a record.'),
      gainBits: meanSchema.nullable().describe('Gain at the truth, bits a record; null where no variable is asked for by itself.'),
      membership: z
        .strictObject({
          auc: meanSchema.describe('How probably a record has a larger likelihood ratio than somebody outside the table.'),
          foundAt1Percent: meanSchema.describe('Share of records that the optimal test finds at 1 % false alarms.'),
        })
        .nullable()
        .describe('Who is in the table; null where it is not found.'),
      continuousVariables: z.array(fileNumbersSchema).optional().describe('Of each continuous variable that has a density in some run.'),
    })
    .describe('The whole file; each figure with its mean over records and standard error.'),
  named: groupRiskSchema.describe('Combinations, or records, that were named.'),
  others: groupRiskSchema.describe('All other records.'),
  rows: z.array(rowRiskSchema).describe('The named combinations, or records, one by one.'),
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
