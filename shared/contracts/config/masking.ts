import { z } from 'zod';
import { names } from './identification-scenario.ts';

/** Percent of the ranks that a value goes at most. With all of them nothing binds a value to its record. */
export const swapPercent = z.number().gt(0).lt(100);

/** Records that share a value at least, in microaggregation. */
const groupSize = z.int().min(2);

/** A share of something that is neither none nor all of it. */
const properShare = z.number().gt(0).lt(1);

/** What stands for the values of a group. */
export const aggregateSchema = z.enum(['mean', 'median']);

/** How a table is masked: the method, with what it is told. */
export const maskingMethodSchema = z.discriminatedUnion('method', [
  z.strictObject({
    method: z.literal('individual-ranking'),
    k: groupSize,
    aggregate: aggregateSchema,
  }),
  z.strictObject({ method: z.literal('mdav'), k: groupSize }),
  /** Values trade places within `p` percent of the records in the order of ranks. */
  z.strictObject({ method: z.literal('rank-swap'), p: swapPercent }),
  /** `noise` is the variance added, as a share of the variable's own. */
  z.strictObject({ method: z.literal('noise'), noise: z.number().positive() }),
  /** `separation` is how far the two parts of the noise lie from zero, in its standard deviations. */
  z.strictObject({
    method: z.literal('noise-mixture'),
    noise: z.number().positive(),
    separation: properShare,
  }),
  z.strictObject({ method: z.literal('sample') }),
  /** `errors` is the share of the variables of each record that are wrong. */
  z.strictObject({ method: z.literal('errors'), errors: z.number().gt(0).max(1) }),
  /** `top` is the percentage of records whose values are cut. */
  z.strictObject({ method: z.literal('top-code'), top: z.number().gt(0).lt(100) }),
]);

/** What `mask` is asked to do. */
export const maskingSchema = z.strictObject({
  how: maskingMethodSchema,
  /** Continuous variables that are masked; null for all. */
  variables: names.min(1).nullable(),
  /** Share of the records that are released, drawn by chance before they are masked; null for all. */
  sample: properShare.nullable(),
  /** Categorical variables whose values trade places among the records that agree on `strata`. */
  swap: names,
  strata: names,
  /** Variables whose categories, or quarters, are looked at one by one in the measures of information loss. */
  subdomains: names,
});

/** The names of the methods. */
export const MASKING_METHODS = [
  'individual-ranking',
  'mdav',
  'rank-swap',
  'noise',
  'noise-mixture',
  'sample',
  'errors',
  'top-code',
] as const satisfies readonly MaskingMethod['method'][];

/** How a table is masked. */
export type MaskingMethod = z.infer<typeof maskingMethodSchema>;
/** What stands for the values of a group. */
export type Aggregate = z.infer<typeof aggregateSchema>;
/** What `mask` is asked to do. */
export type Masking = z.infer<typeof maskingSchema>;
