import * as z from 'zod';
import { names } from './identification-scenario.ts';
import { swapPercent } from './masking.ts';

/** How a file was masked, as far as the metrics of an intruder need to be told: agencies publish it. */
const maskedAsSchema = z.discriminatedUnion('method', [
  /** With `k`, a file in which fewer rows share a value is refused. */
  z.strictObject({ method: z.literal('individual-ranking'), k: z.int().min(2).nullable() }),
  z.strictObject({ method: z.literal('mdav'), k: z.int().min(2).nullable() }),
  z.strictObject({ method: z.literal('rank-swap'), p: swapPercent }),
  z.strictObject({ method: z.literal('noise'), noise: z.number().positive() }),
  z.strictObject({ method: z.literal('noise-mixture'), noise: z.number().positive() }),
  z.strictObject({ method: z.literal('sample') }),
  z.strictObject({ method: z.literal('errors') }),
  z.strictObject({ method: z.literal('top-code') }),
  /** `tail` is the share of the rows that are looked at as outliers of a variable, half of them at each end. */
  z.strictObject({ method: z.literal('synthetic'), tail: z.number().gt(0).max(1) }),
]);

/** What `reidentify` is asked to do. */
export const linkageSchema = z.strictObject({
  masked: maskedAsSchema,
  /** Variables that are compared; null for all that were masked: the continuous ones. */
  variables: names.min(1).nullable(),
  link: z.enum(['weights', 'conjunction']),
  oneToOne: z.boolean(),
  /** Intervals of each metric that are looked at, the narrowest first; null for all. */
  bands: z.int().min(1).nullable(),
  /** Comparisons that a candidate may disagree on; null for a third of them. */
  tolerate: z.int().nonnegative().nullable(),
  /** Share of the table's records that the intruder has. */
  intruderShare: z.number().gt(0).max(1),
  /** Share of the variables of his records that are wrong. */
  errors: z.number().min(0).max(1),
});

/** How a file was masked, as an intruder knows it. */
export type MaskedAs = z.infer<typeof maskedAsSchema>;
/** What `reidentify` is asked to do. */
export type Linkage = z.infer<typeof linkageSchema>;
