import type { Combinations } from './combinations.ts';

/**
 * Combinations of which so many records are taken: those with none are left out.
 *
 * @param counts records that are taken, of each combination
 */
export function someCombinations({ codes, variables }: Combinations, counts: Uint32Array): Combinations {
  const taken = takenNumbers(counts);
  const own = new Uint16Array(taken.length * variables);
  for (const [row, combination] of taken.entries()) {
    own.set(codes.subarray(combination * variables, (combination + 1) * variables), row * variables);
  }
  return { variables, count: taken.length, codes: own, counts: Uint32Array.from(taken, (c) => counts[c]!) };
}

/** Numbers (from 0) of the combinations of which any record is taken. */
export function takenNumbers(counts: Uint32Array): Uint32Array {
  return Uint32Array.from(counts.keys()).filter((combination) => counts[combination]! > 0);
}

/** The records of each combination that are not among known ones. */
export function outside({ counts }: Combinations, known: Uint32Array): Uint32Array {
  return counts.map((count, combination) => count - known[combination]!);
}
