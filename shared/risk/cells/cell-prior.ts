import type { Prior } from '../../contracts/config/config.ts';
import { exp, log } from '../../numeric/portable-math.ts';
import { CELL_EVALUATIONS, type CellSet, type CellSums } from './cell-sums.ts';

/**
 * By how much the prior's power is changed to find its mean logarithm under the posterior as a derivative: half of it times
 * the variance of that logarithm is the error, in nats, and rounding less than a millionth of them.
 */
const STEP = 1 / 1_048_576;

/** How often the cells are walked under a prior: one that is not uniform takes a pass more, for the derivative. */
export const cellPasses = (prior: Prior) => (prior === 'uniform' ? 1 : 2);

/** The sets of a posterior: those of the likelihood, which is raised to the slope, and that of the prior, which is not. */
export const posteriorSets = (likelihood: readonly CellSet[], prior: CellSet, slope: number): CellSet[] => [
  ...likelihood,
  { ...prior, coefficient: 1 / slope },
];

/** The same with the prior to a power a little above 1. */
export const tiltedSets = (likelihood: readonly CellSet[], prior: CellSet, slope: number): CellSet[] => [
  ...likelihood,
  { ...prior, coefficient: (1 + STEP) / slope },
];

/** Logarithm of the sum of weights against that of the truth, in every evaluation of every combination. */
const logTotals = ({ largest, sums }: Pick<CellSums, 'largest' | 'sums'>) => largest.map((most, at) => most + log(sums[at]!));

/** What a prior that is not uniform says of the cells, for each combination of a batch. */
export interface CellPriorSums {
  /** Of the prior alone, in the place of the posterior. */
  readonly prior: CellSums;
  /** combinations x CELL_EVALUATIONS: mean under the posterior of log q_x - log q_t, with q the prior and t the truth. */
  readonly meanLogs: Float64Array;
  /** Of each combination, log q_x - log q_t of the most probable cell under the posterior. */
  readonly firstGuessLogs: Float64Array;
}

/**
 * Gathers {@link CellPriorSums} block after block. In the estimate itself the mean is a sum over cells; in other
 * evaluations it is the derivative of the logarithm of the posterior's total by the power of the prior, from the totals
 * of {@link tiltedSets}: they enter no more than the error of a mean over a whole file.
 */
export class CellPriorMoments {
  readonly #tilted: Float64Array;
  readonly #largest: Float64Array;
  readonly #totals: Float64Array;
  readonly #moments: Float64Array;
  readonly #firstGuessLogs: Float64Array;

  /** @param tilted sums over all cells with the prior to a power a little above 1 */
  constructor(tilted: Pick<CellSums, 'largest' | 'sums'>) {
    this.#tilted = logTotals(tilted);
    const rows = tilted.largest.length / CELL_EVALUATIONS;
    // The truth is where both logarithms are 0; until a cell comes before it, it is the first.
    this.#largest = new Float64Array(rows);
    this.#totals = new Float64Array(rows);
    this.#moments = new Float64Array(rows);
    this.#firstGuessLogs = new Float64Array(rows);
  }

  /**
   * Adds a block's cells for every combination (combinations x `stride`, cells first): logarithms of the posterior
   * against the truth's, and the same of the prior.
   */
  add(count: number, values: Float64Array, priors: Float64Array, stride: number): void {
    for (let row = 0; row < this.#largest.length; row++) {
      for (let at = row * stride; at < row * stride + count; at++) {
        this.#addCell(row, values[at]!, priors[at]!);
      }
    }
  }

  #addCell(row: number, value: number, prior: number): void {
    if (value > this.#largest[row]!) {
      const factor = exp(this.#largest[row]! - value);
      this.#totals[row]! *= factor;
      this.#moments[row]! *= factor;
      this.#largest[row] = value;
      this.#firstGuessLogs[row] = prior;
    }
    const weight = exp(value - this.#largest[row]!);
    this.#totals[row]! += weight;
    this.#moments[row]! += weight * prior;
  }

  /**
   * @param posterior sums over all cells
   * @param prior of the prior alone
   */
  sums(posterior: CellSums, prior: CellSums): CellPriorSums {
    const totals = logTotals(posterior);
    const meanLogs = this.#tilted.map((tilted, at) => (tilted - totals[at]!) / STEP);
    for (let row = 0; row < this.#largest.length; row++) {
      meanLogs[row * CELL_EVALUATIONS] = this.#moments[row]! / this.#totals[row]!;
    }
    return { prior, meanLogs, firstGuessLogs: this.#firstGuessLogs };
  }
}
