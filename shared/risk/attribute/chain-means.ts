import { log } from '../../numeric/portable-math.ts';
import type { HalvedMeans } from '../scoring/ratio-scorer.ts';
import type { ScoredChains } from './attribute-estimators.ts';
import type { ExpectationTerm } from './expectation.ts';

/**
 * Puts a set of chains together one after the other: of each only the means of r_x are kept, since squares and half
 * lengths are asked of all of them at once.
 */
export class ChainMeans {
  readonly #means: Float64Array[] = [];
  readonly #squares: Float64Array;
  /** Sums over the chains so far, of r_x or of its logarithm, from the first draws of each; null where these are too few. */
  #halves: Float64Array | null = null;

  /**
   * @param chains how many will be added
   * @param length combinations x candidates
   */
  constructor(
    private readonly chains: number,
    length: number,
    private readonly pool: ExpectationTerm['pool'],
  ) {
    this.#squares = new Float64Array(length);
  }

  /** Adds a chain, whose means are kept as they are. */
  add({ mean, meanSquare, firstHalf }: HalvedMeans): void {
    this.#means.push(mean);
    const squares = this.#squares;
    for (let at = 0; at < squares.length; at++) squares[at]! += meanSquare[at]! / this.chains;
    if (firstHalf === null) return;
    this.#halves ??= new Float64Array(squares.length);
    const halves = this.#halves;
    const geometric = this.pool === 'geometric';
    for (let at = 0; at < halves.length; at++) halves[at]! += geometric ? log(firstHalf[at]!) : firstHalf[at]!;
  }

  /** What all of them say. */
  scored(): Pick<ScoredChains, 'means' | 'meanSquares' | 'halfLength'> {
    const halfLength = this.#halves?.map((sum) => (this.pool === 'geometric' ? sum / this.chains : log(sum / this.chains)));
    return { means: this.#means, meanSquares: this.#squares, ...(halfLength ? { halfLength } : {}) };
  }
}
