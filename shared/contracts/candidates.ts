import { z } from 'zod';

/**
 * How the intruder's candidate values are chosen: the papers' R_i (000 section 3.1), the same with two changes, all
 * cells of the cross-classification of the variables or those that a search finds (000 section 5), or 000 eq. (16).
 */
export const candidatesSchema = z.union([
  z.literal('one-change'),
  z.literal('two-changes'),
  z.literal('all-cells'),
  z.strictObject({ search: z.int().min(1024) }).describe('Cells that a search among all of them scores, at most'),
  z.strictObject({ unknown: z.array(z.string().min(1)).min(1) }),
]);

/** How the intruder's candidate values are chosen. */
export type Candidates = z.infer<typeof candidatesSchema>;

/** Whether candidates are cells of the whole table that are scored without being listed: all of them, or those found. */
export const scoresCells = (candidates: Candidates): boolean => candidates === 'all-cells' || searchedCells(candidates) !== null;

/** Cells that a search for candidates scores at most; null where candidates are not searched for. */
export const searchedCells = (candidates: Candidates): number | null =>
  typeof candidates === 'object' && 'search' in candidates ? candidates.search : null;
