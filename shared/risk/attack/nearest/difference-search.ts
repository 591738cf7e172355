import { DifferenceCounter, MOST_DIFFERENCES } from './difference-counter.ts';
import { type CandidateRows, NearestRow } from './nearest-row.ts';

/**
 * Looks for the nearest rows by the number of categorical variables in which they differ: a row is at least as far as that
 * number, so that what differs in more variables than the nearest are far is never looked at.
 */
export class DifferenceSearch {
  readonly #counter: DifferenceCounter;
  readonly #categorical: readonly number[];
  readonly #nearest: NearestRow;

  /** @param rows at least one, with at least one categorical variable */
  constructor(rows: CandidateRows) {
    const { points, ranges, counts } = rows;
    const width = ranges.length;
    this.#categorical = [...ranges.keys()].filter((d) => ranges[d] === null);
    const columns = this.#categorical.map((d) => Float64Array.from(counts, (_, row) => points[row * width + d]!));
    this.#counter = new DifferenceCounter(counts.length, columns);
    this.#nearest = new NearestRow(rows);
  }

  /** The nearest row of the point at `targets[offset ...]`; overwritten by the next call. */
  find(targets: Float64Array, offset: number): NearestRow {
    this.#nearest.clear();
    const least = this.#counter.count(this.#categorical.map((d) => targets[offset + d]!));
    for (let differences = least; differences <= MOST_DIFFERENCES; differences++) {
      if (!this.#nearest.isOpenTo(differences)) break;
      for (const row of this.#counter.rowsWith(differences)) this.#nearest.look(targets, offset, row);
    }
    return this.#nearest;
  }
}
