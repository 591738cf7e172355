import type { AttributeRiskRow } from '../../contracts/results/attribute-risk-row.ts';

/** Records by their number of candidates: records with equal candidate counts are guessed equally well. */
function recordsByCandidates(rows: readonly AttributeRiskRow[]): Map<number, number> {
  const records = new Map<number, number>();
  for (const row of rows) records.set(row.candidates, (records.get(row.candidates) ?? 0) + row.count);
  return records;
}

/**
 * Records expected to have a rank of the truth from `first` to `last` (both included) if the candidates were
 * put in a random order: every rank up to a record's number of candidates is equally likely.
 */
export function recordsExpectedAtRanks(
  rows: readonly AttributeRiskRow[],
  first: number,
  last: number,
): number {
  let expected = 0;
  for (const [candidates, records] of recordsByCandidates(rows)) {
    const ranks = Math.max(0, Math.min(last, candidates) - first + 1);
    expected += (records * ranks) / candidates;
  }
  return expected;
}
