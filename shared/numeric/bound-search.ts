/** Position of the first of ascending values that is not below a bound; how many there are if none is. */
export function lowerBound(sorted: Float64Array, bound: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Position of the first of ascending values that is above a bound; how many there are if none is. */
export function upperBound(sorted: Float64Array, bound: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! > bound) high = middle;
    else low = middle + 1;
  }
  return low;
}
