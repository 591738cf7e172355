import * as z from 'zod';
import { openShare } from '../number-schemas.ts';
import { names } from './identification-scenario.ts';

/** Of rank swapping. */
export const swapPercent = z.number().gt(0).lt(100).describe('Of rank swapping: percent of the ranks that a value goes at most.');

const groupSize = z.int().min(2).describe('Of microaggregation: least records of a group.');
const variance = z.number().positive().describe('Variance of the noise, as a multiple of that of the values.');

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
    separation: openShare.describe('Of a mixture: how far its two parts lie to either side of zero, in standard deviations.'),
  }),
  z.strictObject({ method: z.literal('sample') }),
  z.strictObject({
    method: z.literal('errors'),
    errors: z.number().gt(0).max(1).describe('Share of the variables of each record that are wrong.'),
  }),
  z.strictObject({ method: z.literal('top-code'), top: z.number().gt(0).lt(100).describe('Percent of the records whose values are cut.') }),
]);

/** What `mask` is asked to do. */
export const maskingSchema = z.strictObject({
  how: maskingMethodSchema.describe('Settings of the method.'),
  variables: names.min(1).nullable().describe('Continuous variables that are masked; null for all.'),
  sample: openShare.nullable().describe('Share of records that are released, drawn by chance before they are masked; null for all.'),
  swap: names.describe('Categorical variables whose values trade places among the records that agree on `strata`.'),
  strata: names.describe('Variables within whose categories values are swapped.'),
  subdomains: names.describe('Variables whose categories, or quarters, are looked at one by one in the measures of information loss.'),
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
