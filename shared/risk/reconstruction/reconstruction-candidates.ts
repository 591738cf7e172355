import type { Combinations } from '../../table/combinations.ts';
import { countsOfRows, stackCombinations } from '../../table/distinct-rows.ts';

/** Cells up to this number are candidates one and all; where there are more, so many are chosen at most. */
export const MOST_CANDIDATES = 10_000;

/** Records that are drawn from the posterior predictive to find candidates, at least, where not all cells are. */
export const DRAWN_RECORDS = 50_000;

/** The combinations that are ranked: none of them is taken from the confidential table. */
export interface ReconstructionCandidates {
  /** Candidates x variables, in the order of their codes. */
  readonly codes: Uint16Array;
  readonly count: number;
  /** How many records of each dataset are each candidate. */
  readonly released: readonly Uint32Array[];
  /** The most records, released and drawn together, that a combination has which is no candidate. */
  readonly leftOut: number;
}

const cellsOf = (sizes: readonly number[]) => sizes.reduce((product, size) => product * size, 1);

/** Whether all cells are candidates. */
export const hasAllCells = (sizes: readonly number[]): boolean => cellsOf(sizes) <= MOST_CANDIDATES;

/** Candidates of a table at most. */
export const candidatesAtMost = (sizes: readonly number[]): number => Math.min(MOST_CANDIDATES, cellsOf(sizes));

/** The codes of every cell, cells x variables, the last variable running fastest. */
function everyCell(sizes: readonly number[]): Uint16Array {
  const cells = cellsOf(sizes);
  const codes = new Uint16Array(cells * sizes.length);
  let stride = cells;
  for (const [k, size] of sizes.entries()) {
    stride /= size;
    for (let cell = 0; cell < cells; cell++) codes[cell * sizes.length + k] = Math.floor(cell / stride) % size;
  }
  return codes;
}

/** The codes of the combinations of most records, in the order of their codes, by which ties are settled as well. */
function mostFrequent({ codes, counts, count, variables }: Combinations): Pick<ReconstructionCandidates, 'codes' | 'leftOut'> {
  const byCodes = (a: number, b: number) => {
    for (let k = 0; k < variables; k++) {
      const difference = codes[a * variables + k]! - codes[b * variables + k]!;
      if (difference !== 0) return difference;
    }
    return 0;
  };
  const order = Uint32Array.from({ length: count }, (_, c) => c).sort((a, b) => counts[b]! - counts[a]! || byCodes(a, b));
  const chosen = order.slice(0, MOST_CANDIDATES).sort(byCodes);
  const rows = new Uint16Array(chosen.length * variables);
  for (const [row, c] of chosen.entries()) rows.set(codes.subarray(c * variables, (c + 1) * variables), row * variables);
  return { codes: rows, leftOut: counts[order[MOST_CANDIDATES] ?? -1] ?? 0 };
}

/**
 * The candidates of a release: all cells, or else the combinations that are most frequent among its records and those drawn from
 * the posterior predictive, counted together.
 *
 * @param drawn records from the posterior predictive; null where all cells are candidates
 */
export function reconstructionCandidates(
  sizes: readonly number[],
  datasets: readonly Combinations[],
  drawn: Combinations | null,
): ReconstructionCandidates {
  const { codes, leftOut } =
    drawn === null ? { codes: everyCell(sizes), leftOut: 0 } : mostFrequent(datasets.reduce(stackCombinations, drawn));
  return { codes, leftOut, count: codes.length / sizes.length, released: datasets.map((dataset) => countsOfRows(dataset, codes)) };
}
