import { exp } from '../../numeric/portable-math.ts';
import { type FoundCells, SEARCH_CHAINS } from './cell-search.ts';

/** Bytes of a cell that a search may score: in maps, in lists that grow, and in what they become. */
const BYTES_PER_CELL = 300;

/** Memory in bytes that a search takes beside the scorer: `fixed`, and `perRow` for each combination. */
export function searchBytes(most: number) {
  return { fixed: most * BYTES_PER_CELL, perRow: 2 * SEARCH_CHAINS * Float64Array.BYTES_PER_ELEMENT };
}

/** How much of a combination's posterior is outside of the cells that a search found. */
export interface MissedFigures {
  /** Share of the posterior. */
  readonly missed: number;
  readonly missedSe: number;
  /** Kish's effective number of visits, as weighted for the combination. */
  readonly effectiveVisits: number;
}

/**
 * The mass that a search missed, for every combination of a batch, after Good 1953 and Robbins 1968. Their estimate, of
 * independent draws from a distribution, is the share of draws of what was drawn once: what each draw finds that the
 * others did not. Visits of a chain are not independent, but chains are: here it is the share of its visits that a chain
 * pays to cells that no other chain scored, of all chains together. So it is the mass that is missed by all chains but
 * one, a little more than by all. Visits are weighted by the combination's posterior over the search's target.
 *
 * The error is that of a ratio of sums over chains, and no less than one over the effective number of visits, since what
 * none of them found is not nothing.
 */
export class MissedMass {
  readonly #found: FoundCells;
  /** Of each combination, the largest log weight so far. */
  readonly #largest: Float64Array;
  /** combinations x chains: weights of visits, and of those to cells that no other chain scored. */
  readonly #visited: Float64Array;
  readonly #alone: Float64Array;
  /** Of each combination, the sum of squares of the weights. */
  readonly #squares: Float64Array;

  constructor(rows: number, found: FoundCells) {
    this.#found = found;
    this.#largest = new Float64Array(rows).fill(-Infinity);
    this.#visited = new Float64Array(rows * SEARCH_CHAINS);
    this.#alone = new Float64Array(rows * SEARCH_CHAINS);
    this.#squares = new Float64Array(rows);
  }

  /**
   * Adds a block of the found cells for every combination.
   *
   * @param from position of its first cell
   * @param values combinations x `blockCells`: log-likelihoods of the cells, which come first in each row
   */
  add(from: number, values: Float64Array, blockCells: number): void {
    const to = Math.min(from + blockCells, this.#found.cells.length);
    for (let row = 0; row < this.#largest.length; row++) {
      for (let at = from; at < to; at++) this.#addCell(row, at, values[row * blockCells + at - from]!);
    }
  }

  #addCell(row: number, at: number, value: number): void {
    const { logTargets, scoredBy, visitStart, visitChain, visitSteps } = this.#found;
    if (visitStart[at] === visitStart[at + 1]) return;
    const logWeight = value - logTargets[at]!;
    if (logWeight > this.#largest[row]!) this.#rescale(row, logWeight);
    const weight = exp(logWeight - this.#largest[row]!);
    for (let visit = visitStart[at]!; visit < visitStart[at + 1]!; visit++) {
      const visitWeight = weight * visitSteps[visit]!;
      const chain = row * SEARCH_CHAINS + visitChain[visit]!;
      this.#visited[chain]! += visitWeight;
      if (scoredBy[at] === visitChain[visit]) this.#alone[chain]! += visitWeight;
      this.#squares[row]! += visitWeight * visitWeight;
    }
  }

  #rescale(row: number, largest: number): void {
    const factor = exp(this.#largest[row]! - largest);
    this.#largest[row] = largest;
    this.#squares[row]! *= factor * factor;
    for (let chain = row * SEARCH_CHAINS; chain < (row + 1) * SEARCH_CHAINS; chain++) {
      this.#visited[chain]! *= factor;
      this.#alone[chain]! *= factor;
    }
  }

  /**
   * The figures of a combination.
   *
   * @param cells of the whole cross-classification: where all are found, nothing is missed
   */
  figures(row: number, cells: number): MissedFigures {
    const visited = this.#visited.subarray(row * SEARCH_CHAINS, (row + 1) * SEARCH_CHAINS);
    const alone = this.#alone.subarray(row * SEARCH_CHAINS, (row + 1) * SEARCH_CHAINS);
    const total = visited.reduce((sum, weight) => sum + weight, 0);
    const effectiveVisits = total === 0 ? 0 : (total * total) / this.#squares[row]!;
    if (this.#found.cells.length === cells) return { missed: 0, missedSe: 0, effectiveVisits };
    const missed = alone.reduce((sum, weight) => sum + weight, 0) / total;
    const squares = alone.reduce((sum, weight, k) => {
      const residual = weight - missed * visited[k]!;
      return sum + residual * residual;
    }, 0);
    const betweenChains = Math.sqrt((SEARCH_CHAINS / (SEARCH_CHAINS - 1)) * squares) / total;
    return { missed, missedSe: Math.max(betweenChains, 1 / effectiveVisits), effectiveVisits };
  }
}
