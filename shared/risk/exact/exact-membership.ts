import { log1p } from '../../numeric/portable-math.ts';
import type { ExactRatio } from '../membership/membership-figures.ts';
import { type CountedRelease, cellGain } from './exact-terms.ts';

/**
 * The likelihood ratio of persons' being in the table under a model of counts, in closed form (docs/explanation/membership.md,
 * models of counts).
 *
 * @param codes persons x variables
 * @param inTable 1 where the persons' own records are in the table, 0 where they are not
 */
export function exactMembership(release: CountedRelease, codes: Uint16Array, inTable: 0 | 1): ExactRatio[] {
  const { sizes, alpha, counts, drawn, find } = release;
  const variables = sizes.length;
  const others = counts.reduce((sum, count) => sum + count, 0) - inTable;
  const added = sizes.reduce((cells, size) => cells * size, alpha);
  // What one record more takes of the share of every cell, for each synthetic record.
  const perRecord = log1p(1 / (others + added));
  const lost = drawn.map((ofDataset) => ofDataset.reduce((sum, count) => sum + count, 0) * perRecord);
  return Array.from({ length: codes.length / variables }, (_, person) => {
    const place = find(codes, person * variables);
    const byDataset = drawn.map((ofDataset, l) => cellGain(release, ofDataset, place, inTable) - lost[l]!);
    const logRatio = byDataset.reduce((sum, one) => sum + one, 0);
    return { logRatio, logRatiosWithout: byDataset.map((one) => logRatio - one) };
  });
}
