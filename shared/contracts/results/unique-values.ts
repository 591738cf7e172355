import { z } from 'zod';
import { nonNegative } from '../number-schemas.ts';

/**
 * Of trees, one continuous synthesized variable: its values that one record alone has. Whoever knows all other records sees
 * whose such a value is when it comes out.
 */
export const uniqueValuesSchema = z.strictObject({
  variable: z.string(),
  /** Records whose value no other record has. */
  values: z.int().nonnegative(),
  /**
   * How many of these values are expected in the datasets, given the rows and the variables visited before, exactly; null,
   * with a reason, where that has no closed form.
   */
  expected: nonNegative.nullable(),
  /** How many of them did come out; null where released values are smoothed. */
  released: z.int().nonnegative().nullable(),
  reason: z.string().optional(),
});

/** The values of one variable that one record alone has. */
export type UniqueValuesSummary = z.infer<typeof uniqueValuesSchema>;
