import { z } from 'zod';
import { nonNegative, share } from '../number-schemas.ts';

/** Attribute risk of some records of a table; means and shares are over records, null where there are none. */
const groupRiskSchema = z.strictObject({
  records: z.int().nonnegative(),
  truthRankedFirstShare: share.nullable(),
  rankMean: nonNegative.nullable(),
  probabilityMean: share.nullable(),
  probabilityMax: share.nullable(),
  informationBitsMean: nonNegative.nullable(),
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

/** What leaving combinations out of the fit did to risk: the figures with it, and those of a run before. */
export const leftOutSchema = z.strictObject({
  combinations: z.array(z.int().positive()),
  after: namedRiskSchema,
  /** Null, with the reason, where no run before was named. */
  before: namedRiskSchema.nullable(),
  beforeReason: z.string().optional(),
});

/** What an evaluation says of some combinations, of all others, and of the whole file. */
export type NamedRisk = z.infer<typeof namedRiskSchema>;
/** Attribute risk of some records of a table. */
export type GroupRisk = z.infer<typeof groupRiskSchema>;
/** What leaving combinations out of the fit did to risk. */
export type LeftOut = z.infer<typeof leftOutSchema>;
