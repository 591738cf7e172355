import * as z from 'zod';
import { count, nonNegativeOrNull } from '../number-schemas.ts';
import { reason, variable } from '../shared-fields.ts';

/**
 * Of trees, one continuous synthesized variable: its values that one record alone has. Whoever knows all other records sees
 * whose such a value is when it comes out.
 */
export const uniqueValuesSchema = z.strictObject({
  variable,
  values: count.describe('Records whose value no other has.'),
  expected: nonNegativeOrNull.describe('How many of these values are expected to come out; null, with the reason, without a closed form.'),
  released: count.nullable().describe('How many came out; null where values are smoothed.'),
  reason,
});

/** The values of one variable that one record alone has. */
export type UniqueValuesSummary = z.infer<typeof uniqueValuesSchema>;
