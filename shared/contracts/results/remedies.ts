import { z } from 'zod';
import { nonNegative, share } from '../number-schemas.ts';
import { meanSchema, namedRiskSchema } from './left-out.ts';

/** One way to lower risk as a run of its own, or the run itself. */
const remedySchema = z.strictObject({
  /** Name of its folder; null of the run itself. */
  name: z.string().nullable(),
  /** What is different, in words. */
  setting: z.string(),
  datasets: z.int().positive(),
  chains: z.int().positive(),
  pairedChains: z.int().nonnegative(),
  combinations: z.int().positive(),
  candidatesMax: z.int().positive(),
  probabilityMax: share,
  informationBitsMax: nonNegative,
  /** The whole file, the combinations that were named, and all others. */
  risk: namedRiskSchema,
  /** Gain less that of the run itself, with the error of both; null where one of them is not measured. */
  gainBitsChange: meanSchema.nullable(),
});

/** `confidential/remedies.json` of the command `remedies`: ways to lower the risk of a run, side by side. */
export const remediesSchema = z.strictObject({
  version: z.string(),
  runId: z.string(),
  /** Of several scenarios, the one of which all figures are. */
  scenario: z.string().optional(),
  /** Numbers of combinations in the table of the run itself. */
  named: z.array(z.int().positive()),
  /** The run itself comes first. */
  remedies: z.array(remedySchema).min(1),
});

/** Ways to lower the risk of a run, side by side. */
export type Remedies = z.infer<typeof remediesSchema>;
/** One of them. */
export type RemedyRisk = Remedies['remedies'][number];
