import type { StoredTable } from '../../artifacts/stored-table.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { CandidateSpace } from '../../risk/intruder/candidate-space.ts';
import type { RatioScorer } from '../../risk/scoring/ratio-scorer.ts';
import { synthesizerOf } from './synthesizers.ts';

/**
 * The scorer that the model of a run has of its own; null for those whose candidates are scored by the product over the
 * variables in each class.
 *
 * @param codes rows x variables, whose kept values the table has
 */
export const ownScorer = ({ config }: Plan, table: StoredTable, space: CandidateSpace, codes: Uint16Array): RatioScorer | null =>
  synthesizerOf(config).chains?.scorer?.(table, space, codes) ?? null;
