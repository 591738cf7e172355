import { drawDistinct } from '../random/draw-distinct.ts';
import type { RandomSource } from '../random/random-source.ts';

/**
 * Records drawn without replacement, in the order of the table.
 *
 * @param share of the records, rounded to the nearest number of them, at least one
 */
export function sampleRecords(random: RandomSource, records: number, share: number): Uint32Array {
  return drawDistinct(random, records, Math.max(1, Math.round(share * records))).sort();
}
