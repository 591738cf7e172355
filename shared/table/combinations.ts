/**
 * Distinct rows of categorical codes and how often each occurs, in order of first appearance. `codes` is `count` x
 * `variables`, row-major, as in {@link Column}, so that a missing value has a code of its own; `counts[c]` is at least
 * 1 and sums to the records.
 */
export type Combinations = { variables: number; count: number; codes: Uint16Array; counts: Uint32Array };

/** Combinations, and for each record the combination that it is one of. */
export type CombinationsOfRecords = { combinations: Combinations; combinationOfRecord: Uint32Array };

/** Combinations of which so many records are taken, `counts` of each: those with none are left out. */
export function someCombinations({ codes, variables }: Combinations, counts: Uint32Array): Combinations {
  const taken = takenNumbers(counts);
  const own = new Uint16Array(taken.length * variables);
  for (const [row, combination] of taken.entries()) {
    own.set(codes.subarray(combination * variables, (combination + 1) * variables), row * variables);
  }
  return { variables, count: taken.length, codes: own, counts: Uint32Array.from(taken, (c) => counts[c]!) };
}

/** Numbers (from 0) of the combinations, or of other rows, of which any record is taken. */
export function takenNumbers(counts: Uint32Array): Uint32Array {
  return Uint32Array.from(counts.keys()).filter((combination) => counts[combination]! > 0);
}

/** The records of each row that are not among known ones. */
export const outside = (counts: Uint32Array, known: Uint32Array): Uint32Array => counts.map((count, row) => count - known[row]!);

/** Counts of rows each of which is one record. */
export const singles = (rows: number): Uint32Array => new Uint32Array(rows).fill(1);
