import * as z from 'zod';
import { openShare } from '../number-schemas.ts';
import { names } from './identification-scenario.ts';

/** Of rank swapping. */
export const swapPercent = z.number().gt(0).lt(100).describe('Rank swapping: most percent of the ranks that a value moves.');

const groupSize = z.int().min(2).describe('Microaggregation: least records of a group.');
const variance = z.number().positive().describe('Variance of the noise over that of the values.');

const aggregateSchema = z.enum(['mean', 'median']);

const maskingMethodSchema = z.discriminatedUnion('method', [
  z.strictObject({
    method: z.literal('individual-ranking').describe('As `mask --method` has it.'),
    k: groupSize,
    aggregate: aggregateSchema.describe('What a group gets: mean or median.'),
  }),
  z.strictObject({ method: z.literal('mdav'), k: groupSize }),
  z.strictObject({ method: z.literal('rank-swap'), p: swapPercent }),
  z.strictObject({ method: z.literal('noise'), noise: variance }),
  z.strictObject({
    method: z.literal('noise-mixture'),
    noise: variance,
    separation: openShare.describe('Mixture: distance of its parts from zero, in standard deviations.'),
  }),
  z.strictObject({ method: z.literal('sample') }),
  z.strictObject({
    method: z.literal('errors'),
    errors: z.number().gt(0).max(1).describe('Share of each record’s variables that are wrong.'),
  }),
  z.strictObject({ method: z.literal('top-code'), top: z.number().gt(0).lt(100).describe('Percent of the records whose values are cut.') }),
]);

/** What `mask` is asked to do. */
export const maskingSchema = z.strictObject({
  how: maskingMethodSchema.describe('Settings of the method.'),
  variables: names.min(1).nullable().describe('Continuous variables masked; null: all.'),
  sample: openShare.nullable().describe('Share of records drawn before masking; null: all.'),
  swap: names.describe('Categorical variables swapped among records that agree on `strata`.'),
  strata: names.describe('Variables within whose categories values are swapped.'),
  subdomains: names.describe('Variables by whose categories, or quarters, information loss is measured.'),
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
