import { z } from 'zod';
import { ERROR_FIELDS } from '../figure-errors.ts';
import { count, nonNegative, nonNegativeOrNull, number, numberOrNull, positiveInteger, share, shareOrNull } from '../number-schemas.ts';
import { runId } from '../shared-fields.ts';

/**
 * Attribute risk of some records of a table; means and shares are over records, null where there are none. All records share
 * their chains and their datasets.
 */
const groupRiskSchema = z.strictObject({
  records: count.describe('Records of the group.'),
  truthRankedFirstShare: shareOrNull.describe('Share of records whose truth is the first guess.'),
  truthRankedFirstShareSe: ERROR_FIELDS.se,
  truthRankedFirstShareSimulationSe: ERROR_FIELDS.simulationSe,
  truthRankedFirstShareReleaseSe: ERROR_FIELDS.releaseSe,
  rankMean: nonNegativeOrNull.describe('Mean rank of the truth.'),
  rankMeanSe: ERROR_FIELDS.se,
  rankMeanSimulationSe: ERROR_FIELDS.simulationSe,
  rankMeanReleaseSe: ERROR_FIELDS.releaseSe,
  probabilityMean: shareOrNull.describe('Mean probability of the truth.'),
  probabilityMeanSe: ERROR_FIELDS.se,
  probabilityMeanSimulationSe: ERROR_FIELDS.simulationSe,
  probabilityMeanReleaseSe: ERROR_FIELDS.releaseSe,
  probabilityMax: shareOrNull.describe('Largest probability of the truth.'),
  informationBitsMean: nonNegativeOrNull.describe('Mean shift of belief, bits.'),
  informationBitsMeanSe: ERROR_FIELDS.se,
  informationBitsMeanSimulationSe: ERROR_FIELDS.simulationSe,
  informationBitsMeanReleaseSe: ERROR_FIELDS.releaseSe,
  gainBitsMean: numberOrNull.describe('Mean gain at the truth, bits; null as well where no variable is asked for by itself.'),
});

/** Attribute risk of one combination. */
const rowRiskSchema = z.strictObject({
  combination: positiveInteger.describe('Number of the combination, from 1.'),
  count: positiveInteger.describe('Records of the combination.'),
  candidates: positiveInteger.describe('Number of candidates.'),
  rank: nonNegative.describe('Rank of the truth.'),
  probability: share.describe('Probability of the truth.'),
  probabilitySe: nonNegative,
  informationBits: nonNegative.describe('Shift of belief, bits a record.'),
  gainBits: numberOrNull.describe('Gain at the truth, bits a record; null where no variable is asked for by itself.'),
});

/** A mean over all records of a run with its standard error; null where it is not measured. */
export const meanSchema = z.strictObject({
  mean: number.describe('Mean over records.'),
  standardError: nonNegativeOrNull.describe('Standard error of the mean; null where it is not known.'),
});

/** What an evaluation says of some combinations, of all others, and of the whole file. */
export const namedRiskSchema = z.strictObject({
  runId,
  file: z
    .strictObject({
      truthRankedFirstShare: meanSchema.describe('Share of records whose truth is the first guess.'),
      probability: meanSchema.describe('Probability of the truth.'),
      informationBits: meanSchema.describe('Shift of belief, bits a record.'),
      gainBits: meanSchema.nullable().describe('Gain at the truth, bits a record; null where no variable is asked for by itself.'),
      membership: z
        .strictObject({
          auc: meanSchema.describe('How probably a record has a larger likelihood ratio than somebody outside the table.'),
          foundAt1Percent: meanSchema.describe('Share of records that the optimal test finds at 1 % false alarms.'),
        })
        .nullable()
        .describe('Who is in the table; null where it is not found.'),
    })
    .describe('The whole file; each figure with its mean over records and standard error.'),
  named: groupRiskSchema.describe('Combinations that were named.'),
  others: groupRiskSchema.describe('All other records.'),
  rows: z.array(rowRiskSchema).describe('The named combinations one by one.'),
});

/** What an evaluation says of some combinations, of all others, and of the whole file. */
export type NamedRisk = z.infer<typeof namedRiskSchema>;
/** Attribute risk of some records of a table. */
export type GroupRisk = z.infer<typeof groupRiskSchema>;
