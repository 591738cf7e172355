import { type CountedRows, withCounts } from '../table/counted-rows.ts';
import { isMissing } from '../table/table.ts';
import type { UtilityInput } from './utility-input.ts';

/**
 * A table and its datasets without records that lack a value in the table, where the model imputes them; of partially
 * synthetic datasets their rows go as well. Null where nothing is left.
 */
export function withoutMissing({ table, datasets }: UtilityInput, kind: 'full' | 'partial'): UtilityInput | null {
  const counts = completeCounts(table);
  if (counts === null) return { table, datasets };
  const left = withCounts(table, counts);
  if (left.rows === 0) return null;
  return { table: left, datasets: kind === 'full' ? datasets : datasets.map((dataset) => withCounts(dataset, counts)) };
}

/** Counts of rows, 0 for those with a missing value; null where there is none. */
function completeCounts(table: CountedRows): Float64Array | null {
  let complete: Float64Array | null = null;
  for (const v of table.columns.keys()) {
    for (let row = 0; row < table.rows; row++) {
      if (!isMissing(table, v, row)) continue;
      complete ??= table.counts.slice();
      complete[row] = 0;
    }
  }
  return complete;
}
