import { z } from 'zod';
import { nonNegative, share } from '../number-schemas.ts';

/**
 * Attribute risk of some records of a table; means and shares are over records, null where there are none. Their standard
 * errors are of simulation, of chains that all records share.
 */
const groupRiskSchema = z.strictObject({
  records: z.int().nonnegative(),
  truthRankedFirstShare: share.nullable(),
  truthRankedFirstShareSe: nonNegative.nullable(),
  rankMean: nonNegative.nullable(),
  rankMeanSe: nonNegative.nullable(),
  probabilityMean: share.nullable(),
  probabilityMeanSe: nonNegative.nullable(),
  probabilityMax: share.nullable(),
  informationBitsMean: nonNegative.nullable(),
  informationBitsMeanSe: nonNegative.nullable(),
  /** Null as well where no variable is asked for by itself. */
  gainBitsMean: z.number().nullable(),
});

/** Attribute risk of one combination. */
const rowRiskSchema = z.strictObject({
  combination: z.int().positive(),
  count: z.int().positive(),
  candidates: z.int().positive(),
  rank: nonNegative,
  probability: share,
  probabilitySe: nonNegative,
  informationBits: nonNegative,
  gainBits: z.number().nullable(),
});

/** A mean over all records of a run with its standard error; null where it is not measured. */
export const meanSchema = z.strictObject({ mean: z.number(), standardError: nonNegative.nullable() });

/** What an evaluation says of some combinations, of all others, and of the whole file. */
export const namedRiskSchema = z.strictObject({
  runId: z.string(),
  file: z.strictObject({
    truthRankedFirstShare: meanSchema,
    probability: meanSchema,
    informationBits: meanSchema,
    gainBits: meanSchema.nullable(),
  }),
  named: groupRiskSchema,
  others: groupRiskSchema,
  rows: z.array(rowRiskSchema),
});

/**
 * What is different of the means of a group of records between two runs, which have chains of their own, so that the errors of
 * both are in that of the difference. The records are the same, and have no part in it. Null where there are no records.
 */
export const groupChangeSchema = z
  .strictObject({
    truthRankedFirstShare: meanSchema,
    rankMean: meanSchema,
    probabilityMean: meanSchema,
    informationBitsMean: meanSchema,
  })
  .nullable();

/** What leaving combinations out of the fit did to risk: the figures with it, and those of a run before. */
export const leftOutSchema = z.strictObject({
  combinations: z.array(z.int().positive()),
  after: namedRiskSchema,
  /** Null, with the reason, where no run before was named. */
  before: namedRiskSchema.nullable(),
  /** After less before, of the records that are left out and of all others. */
  change: z.strictObject({ named: groupChangeSchema, others: groupChangeSchema }).nullable(),
  beforeReason: z.string().optional(),
});

/** What an evaluation says of some combinations, of all others, and of the whole file. */
export type NamedRisk = z.infer<typeof namedRiskSchema>;
/** Attribute risk of some records of a table. */
export type GroupRisk = z.infer<typeof groupRiskSchema>;
/** What is different of a group of records. */
export type GroupChange = z.infer<typeof groupChangeSchema>;
/** What leaving combinations out of the fit did to risk. */
export type LeftOut = z.infer<typeof leftOutSchema>;
