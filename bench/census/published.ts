import { parse } from 'csv-parse/sync';

/** What Hu et al. (2014) say of their table and of their results (sections 4, 4.1 and 4.2). */
export const PUBLISHED = {
  records: 10_000,
  variables: 14,
  cells: 8_709_120,
  combinations: 3523,
  repeated: [2394, 474, 186],
  most: 233,
  candidates: 35,
  rankedFirst: 2,
  rankedTop: 31,
  /** Combinations whose truth has more than this probability. */
  high: { probability: 0.08, combinations: 16 },
} as const;

/** A coefficient of Hu et al.'s (2014) Table 2: of the original data, and of the synthetic data with its interval. */
export interface PublishedCoefficient {
  /** Hu et al.'s (2014) variable; the text of the paper has no names beside the numbers, which stand in the order that it lists. */
  readonly name: string;
  readonly original: number;
  readonly synthetic: number;
  readonly interval: readonly [low: number, high: number];
}

/** Hu et al. (2014), Table 2. */
export const PUBLISHED_COEFFICIENTS: readonly PublishedCoefficient[] = [
  { name: 'intercept', original: 2.212, synthetic: 2.108, interval: [1.523, 2.692] },
  { name: 'SEX', original: -0.25, synthetic: -0.221, interval: [-0.361, -0.081] },
  { name: 'MIL', original: 0.239, synthetic: 0.205, interval: [0.1255, 0.2854] },
  { name: 'MIG', original: 0.049, synthetic: 0.06, interval: [-0.0821, 0.2014] },
  { name: 'SCH', original: 1.09, synthetic: 0.961, interval: [0.6699, 1.2521] },
  { name: 'RACE1P', original: -0.078, synthetic: -0.065, interval: [-0.1147, -0.0145] },
  { name: 'LANX', original: -1.096, synthetic: -0.97, interval: [-1.401, -0.539] },
];

/** A row of Hu et al.'s (2014) Table 3. */
export interface PublishedRank {
  readonly records: number;
  readonly rank: number;
  readonly probability: number;
}

/**
 * Rows of Hu et al.'s (2014) Table 3 from a CSV file with the columns `reps`, `rank` and `prob`, whatever others there are.
 *
 * @throws RangeError when a row has no number there
 */
export function readPublishedRanks(bytes: Uint8Array): PublishedRank[] {
  const rows: Record<string, string>[] = parse(Buffer.from(bytes), { columns: true });
  return rows.map((row, place) => {
    const [records, rank, probability] = ['reps', 'rank', 'prob'].map((name) => Number(row[name]));
    if (!(records! > 0 && rank! > 0 && probability! > 0)) {
      throw new RangeError(`row ${place + 1} has no repetitions, rank and probability`);
    }
    return { records: records!, rank: rank!, probability: probability! };
  });
}
