import type { StoredTable } from '../../artifacts/stored-table.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { CandidateSpace } from '../../risk/intruder/candidate-space.ts';
import { createPatternScorer } from '../../risk/scoring/pattern-scorer.ts';
import type { RatioScorer } from '../../risk/scoring/ratio-scorer.ts';
import { patternCounts, patternsOfRows } from '../../table/pattern-counts.ts';

/**
 * The scorer of a run whose classes are the patterns of its kept variables; null for other models.
 *
 * @param codes rows x variables, whose patterns the table has
 */
export function arealScorer(
  { config }: Plan,
  { combinations, sizes }: StoredTable,
  space: CandidateSpace,
  codes: Uint16Array,
): RatioScorer | null {
  if (config.model.name !== 'dp-areal') return null;
  const patterns = patternCounts(combinations, sizes, space.unknown);
  return createPatternScorer(space, codes, patternsOfRows(patterns, codes, sizes.length));
}
