import type { ReleasedValues } from '../../../shared/risk/trees/tree-variables.ts';

/** How often each of so many classes was released from a node, by all datasets; null stands for nothing. */
export function countsByClass(released: ReleasedValues | null, classes: number): number[] {
  const counts = Array<number>(classes).fill(0);
  for (const [place, one] of released?.present.entries() ?? []) counts[one] = released!.counts[place]!;
  return counts;
}
