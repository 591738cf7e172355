import type { RandomSource } from '../random/random-source.ts';
import type { CountedRows } from '../table/counted-rows.ts';

/**
 * Draws some of the records of rows by chance, without replacement (Knuth's algorithm S): for each row how many of its
 * records are chosen.
 */
export function drawRecords(rows: CountedRows, size: number, random: RandomSource): Float64Array {
  const chosen = new Float64Array(rows.rows);
  let [needed, left] = [size, rows.records];
  for (let row = 0; row < rows.rows && needed > 0; row++) {
    for (let i = rows.counts[row]!; i > 0; i--) {
      if (random.uniform() * left-- < needed) {
        chosen[row]!++;
        needed--;
      }
    }
  }
  return chosen;
}
