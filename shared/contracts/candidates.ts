import * as z from 'zod';

/**
 * How the intruder's candidate values are chosen: the papers' R_i (Hu et al. 2014, section 3.1), the same with two changes, all
 * cells of the cross-classification of the variables (Hu et al. 2014, section 5), or Hu et al. (2014), eq. (16).
 */
export const candidatesSchema = z.union([
  z.literal('one-change'),
  z.literal('two-changes'),
  z.literal('all-cells'),
  z.strictObject({ unknown: z.array(z.string().min(1)).min(1) }),
]);

/** How the intruder's candidate values are chosen. */
export type Candidates = z.infer<typeof candidatesSchema>;

/** Whether candidates are all cells of the table, which are scored without being listed. */
export const scoresCells = (candidates: Candidates): candidates is 'all-cells' => candidates === 'all-cells';
