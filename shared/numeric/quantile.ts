/**
 * Quantile by linear interpolation of the order statistics: type 7 of Hyndman and Fan (1996), R's default.
 *
 * @param sorted ascending, at least one value
 * @param probability from 0 to 1
 */
export function quantile(sorted: Float64Array, probability: number): number {
  const index = (sorted.length - 1) * probability;
  const low = sorted[Math.floor(index)]!;
  const high = sorted[Math.ceil(index)]!;
  const share = index - Math.floor(index);
  // Between equal values nothing is interpolated: rounding could put the result beside the tie.
  return low === high ? low : (1 - share) * low + share * high;
}
