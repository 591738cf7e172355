import type { RandomSource } from '../random/random-source.ts';

/**
 * Records drawn without replacement, in the order of the table.
 *
 * @param share of the records, rounded to the nearest number of them, at least one
 */
export function sampleRecords(random: RandomSource, records: number, share: number): Uint32Array {
  const drawn = Math.max(1, Math.round(share * records));
  const order = Uint32Array.from({ length: records }, (_, record) => record);
  for (let place = 0; place < drawn; place++) {
    const other = place + random.below(records - place);
    [order[place], order[other]] = [order[other]!, order[place]!];
  }
  return order.slice(0, drawn).sort();
}
