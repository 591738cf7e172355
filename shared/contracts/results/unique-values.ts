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
  expected: nonNegativeOrNull.describe('How many are expected to be released; null without a formula.'),
  released: count.nullable().describe('How many were; null where values are smoothed.'),
  reason,
});

/** The values of one variable that one record alone has. */
export type UniqueValuesSummary = z.infer<typeof uniqueValuesSchema>;
