/**
 * Distinct rows of categorical codes and how often each occurs, in order of first appearance. `codes` is `count` x
 * `variables`, row-major, as in {@link Column}, so that a missing value has a code of its own; `counts[c]` is at least
 * 1 and sums to the records.
 */
export type Combinations = { variables: number; count: number; codes: Uint16Array; counts: Uint32Array };

/** Combinations, and for each record the combination that it is one of. */
export type CombinationsOfRecords = { combinations: Combinations; combinationOfRecord: Uint32Array };
