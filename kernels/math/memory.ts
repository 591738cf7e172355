/** A kernel's memory: laid out once, from the end of what the compiler keeps there. */

/** Bytes of a vector of two numbers, f64x2. */
export const VECTOR: usize = 16;

/** The next place that is a multiple of a power of two. */
export function aligned(at: usize, bytes: usize): usize {
  return (at + bytes - 1) & ~(bytes - 1);
}

/** Sees to it that there is memory up to a place. */
export function reserve(end: usize): void {
  const pages = <i32>((<u64>end + 0xffff) >> 16) - memory.size();
  if (pages > 0 && memory.grow(pages) < 0) unreachable();
}
