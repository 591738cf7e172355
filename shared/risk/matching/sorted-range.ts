/** Of ascending values, position of the first in [from, to) that is at most `width` below `centre`; `to` if none is. */
export function rangeStart(sorted: Float64Array, centre: number, width: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (centre - sorted[middle]! > width) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Of ascending values, position of the first in [from, to) that is more than `width` above `centre`; `to` if none is. */
export function rangeEnd(sorted: Float64Array, centre: number, width: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! - centre > width) high = middle;
    else low = middle + 1;
  }
  return low;
}
