/** One number, or the smallest and the largest of several that differ. */
export function formatRange(values: readonly number[], format: (value: number) => string): string {
  const [low, high] = [Math.min(...values), Math.max(...values)].map(format);
  return low === high ? low! : `${low} to ${high}`;
}
