import { exp, LN2, log } from '../../numeric/portable-math.ts';
import { type AttributeRisk, emptyRisk, setTruth } from '../attribute/attribute-risk.ts';
import { NoEstimate } from '../attribute/posterior.ts';
import { type CellOrder, cellOf } from '../intruder/cell-order.ts';
import { CELL_EVALUATIONS, type CellSums, GUESSES, HALF_SAMPLES, halfOfCells } from './cell-sums.ts';

/** The most probable cells of each combination, in order; of equal ones the truth first, then the earlier cell. */
export interface CellGuesses {
  /** Guesses of each combination: GUESSES, or all cells when there are fewer. */
  readonly perCombination: number;
  /** combinations x guesses: the cell (see `cell-order.ts`), and its posterior probability. */
  readonly cells: Float64Array;
  readonly probabilities: Float64Array;
}

/** Attribute risk of a batch of combinations whose candidates are all cells. */
export interface CellRisk {
  readonly risk: AttributeRisk;
  readonly guesses: CellGuesses;
  /**
   * combinations x categories of all variables, or values of the sets of variables that are asked for: posterior
   * probability of each (Hu et al. 2014, eq. 17).
   */
  readonly marginals: Float64Array;
}

/** What the posterior of a batch of combinations is found from beside the sums over the cells. */
export interface CellBatch {
  readonly order: CellOrder;
  /** Combinations x variables. */
  readonly codes: Uint16Array;
  readonly counts: ArrayLike<number>;
  readonly effectiveDraws: Float64Array;
  readonly paretoK: Float64Array;
  /** Sums of the prior alone in the place of the posterior, where it is not uniform. */
  readonly prior?: CellSums | undefined;
}

/**
 * Posterior of a batch of combinations over all cells, with its Monte Carlo error, from the sums over the cells.
 *
 * @throws RangeError naming the combination (from 0 within the batch) when an estimate is not a number
 */
export function cellRisk(sums: CellSums, batch: CellBatch): CellRisk {
  const { order, codes, counts, effectiveDraws, paretoK, prior } = batch;
  const rows = counts.length;
  const variables = order.variables.length;
  const risk = emptyRisk(rows, HALF_SAMPLES);
  risk.effectiveDraws.set(effectiveDraws);
  risk.paretoK.set(paretoK);
  const perCombination = Math.min(GUESSES, order.cells);
  const guesses: CellGuesses = {
    perCombination,
    cells: new Float64Array(rows * perCombination),
    probabilities: new Float64Array(rows * perCombination),
  };
  const marginals = new Float64Array(rows * order.categories);
  for (let row = 0; row < rows; row++) {
    const evaluations = evaluateTruth(sums, row, order.cells, prior);
    setTruth(risk, row, counts[row]!, evaluations, { resamples: HALF_SAMPLES, halfOf: halfOfCells });
    const whole = row * CELL_EVALUATIONS;
    if (prior) setPrior(risk, row, prior);
    else {
      risk.priorProbability[row] = 1 / order.cells;
      risk.priorFirst[row] = 1 / order.cells;
    }
    const probabilityOf = (value: number) => exp(value - sums.largest[whole]!) / sums.sums[whole]!;
    const truth = cellOf(order, codes.subarray(row * variables, (row + 1) * variables));
    for (const [g, { cell, value }] of rankedGuesses(sums, row, truth).slice(0, perCombination).entries()) {
      guesses.cells[row * perCombination + g] = cell;
      guesses.probabilities[row * perCombination + g] = probabilityOf(value);
      if (g > 0) continue;
      risk.firstGuess[row] = cell === truth ? 0 : cell + 1;
      risk.firstGuessProbability[row] = probabilityOf(value);
      // From log-likelihoods, since the truth's own probability may round to zero; at most the largest double.
      const logLikelihood = cell === truth ? 0 : value - sums.firstPriorLogs[row]!;
      risk.priorOddsToFirst[row] = Math.min(exp(logLikelihood), Number.MAX_VALUE);
    }
    for (let c = row * order.categories; c < (row + 1) * order.categories; c++) {
      marginals[c] = sums.marginals[c]! / sums.sums[whole]!;
    }
  }
  return { risk, guesses, marginals };
}

function setPrior(risk: AttributeRisk, row: number, { largest, sums, above, equal }: CellSums): void {
  const at = row * CELL_EVALUATIONS;
  risk.priorProbability[row] = exp(-largest[at]!) / sums[at]!;
  risk.priorFirst[row] = above[at]! > 0 ? 0 : 1 / equal[at]!;
}

/** Least weight of all other cells together in a half-sample: single precision has none below. */
const LEAST_OTHERS = 1.1754943508222875e-38;

/** Logarithm of the sum of w_x over all cells but the truth: those not level with it, and those that are. */
function logOthers({ largest, others, equal }: CellSums, at: number): number {
  const weight = others[at]! + (equal[at]! - 1) * exp(-largest[at]!);
  return log(at % CELL_EVALUATIONS === 0 ? weight : Math.max(LEAST_OTHERS, weight));
}

/** Rank, probability and information of one combination's truth in every evaluation; its log-likelihood is 0. */
function evaluateTruth(posterior: CellSums, row: number, candidates: number, prior?: CellSums) {
  const { largest, sums, logSums, priorLogSums, above, equal } = posterior;
  const ranks = new Float64Array(CELL_EVALUATIONS);
  const probabilities = new Float64Array(CELL_EVALUATIONS);
  const informationBits = new Float64Array(CELL_EVALUATIONS);
  const logBayesFactors = new Float64Array(CELL_EVALUATIONS);
  for (let b = 0; b < CELL_EVALUATIONS; b++) {
    const at = row * CELL_EVALUATIONS + b;
    const weight = sums[at]!;
    if (!(weight > 0 && weight < Infinity && Math.abs(logSums[at]!) < Infinity)) {
      throw new NoEstimate(row);
    }
    ranks[b] = 1 + above[at]! + (equal[at]! - 1) / 2;
    probabilities[b] = exp(-largest[at]!) / weight;
    // Sum of p log(C p), with log p = l - largest - log(sum of weights).
    let nats = log(candidates / weight) + (logSums[at]! / weight - largest[at]!);
    let priorOthers = log(candidates - 1);
    if (prior) {
      // The same with log p - log q, where log q is the prior's own l - largest - log(sum of weights).
      const meanPriorLog = priorLogSums[at]! / weight;
      nats = log(prior.sums[at]! / weight) + (logSums[at]! / weight - largest[at]!) - (meanPriorLog - prior.largest[at]!);
      priorOthers = prior.largest[at]! + logOthers(prior, at);
    }
    informationBits[b] = Math.max(0, nats / LN2);
    logBayesFactors[b] = priorOthers - largest[at]! - logOthers(posterior, at);
  }
  // The least likely cell is not kept.
  const losses = new Float64Array(CELL_EVALUATIONS).fill(NaN);
  return { ranks, probabilities, informationBits, logBayesFactors, losses };
}

/** The guesses that were kept, with the truth before those that tie with it. */
function rankedGuesses({ guessValues, guessCells }: CellSums, row: number, truth: number) {
  const kept = Array.from({ length: GUESSES }, (_, g) => ({
    cell: guessCells[row * GUESSES + g]!,
    value: guessValues[row * GUESSES + g]!,
  }));
  const ahead = kept.filter(({ value }) => value > 0);
  const behind = kept.filter(({ cell, value }) => value <= 0 && cell !== truth);
  return [...ahead, { cell: truth, value: 0 }, ...behind];
}
