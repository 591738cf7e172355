import { sortedOrder } from '../numeric/sorted-order.ts';

/**
 * Values of which those of the largest `top` percent of the records, at least one, are cut to the largest value below
 * them.
 *
 * @param top between 0 and 100
 */
export function topCoded(values: Float64Array, top: number): Float64Array {
  const { length } = values;
  const order = sortedOrder(values);
  const cut = Math.min(length - 1, Math.max(1, Math.round((top * length) / 100)));
  const threshold = values[order[length - cut - 1]!]!;
  return values.map((value) => Math.min(value, threshold));
}
