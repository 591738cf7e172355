import { instantiateKernel, type KernelGlobal } from '../../../numeric/kernel.ts';
import { type CandidateRows, categoryWeights, NearestRow } from './nearest-row.ts';

/** What kernels/neighbours/differences.ts exports; globals are addresses in its memory. */
interface DifferencesKernel extends Record<'codes' | 'point' | 'listed', KernelGlobal> {
  readonly memory: WebAssembly.Memory;
  layOut(rows: number, variables: number): void;
  countDifferences(): number;
  listRows(differences: number): number;
}

/** Differences that are distinguished: rows with more count as having so many. */
export const MOST_DIFFERENCES = 255;

/**
 * Counts in how many categorical variables rows differ from a point, by the lowest byte of their codes: of a variable
 * with more than 256 categories a difference may be missed, so that a count is never too large.
 */
export class DifferenceCounter {
  readonly #kernel: DifferencesKernel;
  readonly #point: Uint8Array;

  /**
   * @param rows at least one
   * @param columns codes of each variable, an element a row
   */
  constructor(rows: number, columns: readonly ArrayLike<number>[]) {
    this.#kernel = instantiateKernel<DifferencesKernel>('differences');
    this.#kernel.layOut(rows, columns.length);
    const { memory, codes, point } = this.#kernel;
    const padded = Math.ceil(rows / 16) * 16;
    for (const [v, column] of columns.entries()) {
      new Uint8Array(memory.buffer, codes.value + v * padded, rows).set(column);
    }
    this.#point = new Uint8Array(memory.buffer, point.value, columns.length);
  }

  /** Counts the differences of every row from a point, and gives the least of the counts, {@link MOST_DIFFERENCES} at most. */
  count(codes: ArrayLike<number>): number {
    this.#point.set(codes);
    return this.#kernel.countDifferences();
  }

  /** The rows that were counted with so many differences, in their order; overwritten by the next call. */
  rowsWith(differences: number): Uint32Array {
    const { memory, listed, listRows } = this.#kernel;
    return new Uint32Array(memory.buffer, listed.value, listRows(differences));
  }
}

/** Looks for the nearest rows by the number of categorical variables in which they differ: a row is at least as far as that. */
export class DifferenceSearch {
  readonly #counter: DifferenceCounter;
  readonly #categorical: readonly number[];
  readonly #leastWeight: number;
  readonly #nearest: NearestRow;

  /** @param rows at least one, with at least one categorical variable */
  constructor(rows: CandidateRows) {
    const { points, ranges, counts } = rows;
    const width = ranges.length;
    this.#categorical = [...ranges.keys()].filter((d) => ranges[d] === null);
    const columns = this.#categorical.map((d) => Float64Array.from(counts, (_, row) => points[row * width + d]!));
    this.#counter = new DifferenceCounter(counts.length, columns);
    const weights = categoryWeights(rows);
    this.#leastWeight = Math.min(...this.#categorical.map((d) => weights[d]!));
    this.#nearest = new NearestRow(rows);
  }

  /** The nearest row of the point at `targets[offset ...]`; overwritten by the next call. */
  find(targets: Float64Array, offset: number): NearestRow {
    this.#nearest.clear();
    const least = this.#counter.count(this.#categorical.map((d) => targets[offset + d]!));
    for (let differences = least; differences <= MOST_DIFFERENCES; differences++) {
      if (!this.#nearest.isOpenTo(differences * this.#leastWeight)) break;
      for (const row of this.#counter.rowsWith(differences)) this.#nearest.look(targets, offset, row);
    }
    return this.#nearest;
  }
}
