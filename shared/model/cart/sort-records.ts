import { lowerBound } from '../../numeric/bound-search.ts';

/**
 * Records in ascending order of their finite keys; those of one key stay in the order that they had. Sorts the keys
 * themselves, which an engine does without calls, and then puts each record into its key's place.
 */
export function sortRecords(keys: ArrayLike<number>, order: Uint32Array): Uint32Array {
  const sorted = Float64Array.from(keys).sort();
  let distinct = 0;
  for (let i = 0; i < sorted.length; i++) {
    if (i === 0 || sorted[i]! !== sorted[i - 1]!) sorted[distinct++] = sorted[i]!;
  }
  const distinctKeys = sorted.subarray(0, distinct);
  const places = new Uint32Array(keys.length);
  const next = new Uint32Array(distinct + 1);
  for (let record = 0; record < keys.length; record++) {
    const place = lowerBound(distinctKeys, keys[record]!);
    places[record] = place;
    next[place + 1]!++;
  }
  for (let place = 1; place <= distinct; place++) next[place]! += next[place - 1]!;
  const result = new Uint32Array(keys.length);
  for (const record of order) result[next[places[record]!]!++] = record;
  return result;
}
