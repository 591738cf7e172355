/** Every set of so many of some elements, in lexicographic order. */
export function* subsets(elements: readonly number[], size: number): Generator<number[]> {
  if (size === 0) return yield [];
  for (const [place, first] of elements.entries()) {
    for (const rest of subsets(elements.slice(place + 1), size - 1)) yield [first, ...rest];
  }
}
