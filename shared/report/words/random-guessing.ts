import type { AttributeRiskTable } from '../../contracts/results/attribute-risk-table.ts';

/** Records by their number of candidates: records with equal candidate counts are guessed equally well. */
function recordsByCandidates({ columns }: AttributeRiskTable): Map<number, number> {
  const records = new Map<number, number>();
  columns.candidates.forEach((candidates, row) => {
    records.set(candidates, (records.get(candidates) ?? 0) + columns.count[row]!);
  });
  return records;
}

/**
 * Records expected to have a rank of the truth from `first` to `last` (both included) if the candidates were
 * put in a random order: every rank up to a record's number of candidates is equally likely.
 */
export function recordsExpectedAtRanks(table: AttributeRiskTable, first: number, last: number): number {
  let expected = 0;
  for (const [candidates, records] of recordsByCandidates(table)) {
    const ranks = Math.max(0, Math.min(last, candidates) - first + 1);
    expected += (records * ranks) / candidates;
  }
  return expected;
}
