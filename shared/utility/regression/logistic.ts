import { exp, log1p } from '../../numeric/portable-math.ts';
import { factorizeSemidefinite, type SemidefiniteFactor, solveSemidefinite } from '../../numeric/semidefinite.ts';
import { addCrossProducts, addTransposed, type Design, times } from './design.ts';
import { separatedColumns } from './separation.ts';

/** Newton's steps at most; where estimates are finite they end after ten, where some are not they have no end. */
const NEWTON_STEPS = 40;

/** A step that changes the deviance by less than this share is the last one. */
const ARRIVED = 1e-11;

/** With more coefficients than this the matrix of second derivatives is not factorized in each of Newton's steps, but now and then. */
export const MOST_FACTORIZED = 200;

/** The same share where there are as many, as R's `glm` has it: with infinite estimates the deviance falls for long. */
const ARRIVED_LARGE = 1e-8;

/** Steps of conjugate gradients for one of Newton's, and by which share of its size they leave the gradient at most. */
const CONJUGATE_STEPS = 30;
const CONJUGATE_REST = 0.01;

/**
 * A factor takes as long as one such step for each so many coefficients. When steps with one have taken as long, the next is found:
 * where estimates are infinite, the first is soon of no help (1,092 steps in place of 136 on a table of 723 coefficients).
 */
const STEP_COEFFICIENTS = 20;

/** Rows of a regression: how many records each has, and how many of them respond with 1. */
export interface BinomialRows {
  readonly design: Design;
  readonly counts: Float64Array;
  readonly successes: Float64Array;
}

/** A logistic regression by maximum likelihood. */
export interface LogisticFit {
  /** 0 for a column that is left out. */
  readonly coefficients: Float64Array;
  /** Columns that depend on others, which are left out. */
  readonly aliased: Uint8Array;
  /** Coefficients whose estimates are infinite: some values of the predictors decide the response. Null if not informed. */
  readonly separated: Uint8Array | null;
  readonly rank: number;
  readonly deviance: number;
  /** The factor of the information matrix; null if not informed. */
  readonly information: SemidefiniteFactor | null;
}

/** The probability whose log odds are given. */
export const logistic = (logOdds: number): number => probability(logOdds, exp(-Math.abs(logOdds)));

/** The same of log odds x, from exp(-|x|). */
const probability = (x: number, decay: number): number => (x >= 0 ? 1 / (1 + decay) : 1 - 1 / (1 + decay));

/**
 * Fits a logistic regression by Newton's method (Fisher scoring, as R's `glm`), halving steps that do not help.
 *
 * @param blocks rows of designs with the same columns, of which the first is an intercept or none
 * @param informed whether the information matrix is needed, and which estimates are infinite
 * @param near coefficients to begin with, such as those of rows that are much alike; zeros for none
 * @throws RangeError where there are no records, or all have the same response
 */
export function fitLogistic(blocks: readonly BinomialRows[], informed = false, near: Float64Array | null = null): LogisticFit {
  const { count } = blocks[0]!.design;
  const totals = blocks.map(({ counts, successes }) => [sum(counts), sum(successes)] as const);
  const records = totals.reduce((all, [one]) => all + one, 0);
  const ones = totals.reduce((all, [, one]) => all + one, 0);
  if (!(ones > 0 && ones < records)) throw new RangeError('a response of one value has no regression');
  const start = crossProducts(blocks.map(({ design, counts }) => [design, counts]));
  // Indicators are of size 1 however rare they are; other columns are measured by their root mean square.
  const scales = Float64Array.from({ length: count }, (_, f) => Math.max(1, Math.sqrt(start[f * count + f]! / records)));
  let preconditioner = factorizeSemidefinite(start, count);
  const { aliased, rank } = preconditioner;
  let steps = 0;
  const small = informed || count <= MOST_FACTORIZED;
  const arrived = small ? ARRIVED : ARRIVED_LARGE;

  const linear = blocks.map(({ design }) => new Float64Array(design.rows));
  const chances = linear.map((one) => one.slice());
  const curvatures = linear.map((one) => one.slice());
  const residuals = linear.map((one) => one.slice());
  let coefficients = near?.map((value, f) => (aliased[f] === 1 ? 0 : value)) ?? new Float64Array(count);
  const devianceOf = (vector: Float64Array) =>
    blocks.reduce((all, block, b) => all + blockDeviance(block, times(block.design, vector, linear[b]!), chances[b]!), 0);
  let deviance = devianceOf(coefficients);
  let weighted: Float64Array | null = null;
  let factor: SemidefiniteFactor | null = null;
  /** Newton's move from where `chances` were found. */
  const findMove = () => {
    const move = new Float64Array(count);
    for (const [b, { design, counts, successes }] of blocks.entries()) {
      for (let row = 0; row < design.rows; row++) {
        const p = chances[b]![row]!;
        curvatures[b]![row] = counts[row]! * p * (1 - p);
        residuals[b]![row] = successes[row]! - counts[row]! * p;
      }
      addTransposed(design, residuals[b]!, move);
    }
    if (small) {
      weighted = crossProducts(blocks.map(({ design }, b) => [design, curvatures[b]!]));
      factor = factorizeSemidefinite(weighted.slice(), count, aliased);
      solveSemidefinite(factor, move);
      return move;
    }
    const found = conjugateMove(move, preconditioner, (vector, out) => {
      for (const [b, { design }] of blocks.entries()) {
        const along = times(design, vector);
        for (let row = 0; row < design.rows; row++) along[row]! *= curvatures[b]![row]!;
        addTransposed(design, along, out);
      }
    });
    steps += found.steps;
    if (steps * STEP_COEFFICIENTS > count) {
      steps = 0;
      preconditioner = factorizeSemidefinite(crossProducts(blocks.map(({ design }, b) => [design, curvatures[b]!])), count, aliased);
    }
    return found.move;
  };
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const move = findMove();
    let share = 1;
    let next = coefficients.map((value, f) => value + move[f]!);
    let found = devianceOf(next);
    while (!(found <= deviance * (1 + arrived) + arrived) && share > 1e-6) {
      share /= 2;
      next = coefficients.map((value, f) => value + share * move[f]!);
      found = devianceOf(next);
    }
    const gained = deviance - found;
    coefficients = next;
    deviance = found;
    if (Math.abs(gained) <= arrived * (deviance + 0.1)) break;
  }
  if (!informed) return { coefficients, aliased, separated: null, rank, deviance, information: null };
  const separated = separatedColumns(findMove(), weighted!, factor!, aliased, scales);
  return { coefficients, aliased, separated, rank, deviance, information: factor };
}

function sum(values: Float64Array): number {
  let all = 0;
  for (let i = 0; i < values.length; i++) all += values[i]!;
  return all;
}

function crossProducts(parts: readonly (readonly [Design, Float64Array])[]): Float64Array {
  const { count } = parts[0]![0];
  const matrix = new Float64Array(count * count);
  for (const [design, weights] of parts) addCrossProducts(design, weights, matrix);
  return matrix;
}

/** Twice the negative log-likelihood of rows at their log odds, and in `chances` their probabilities. */
function blockDeviance({ counts, successes }: BinomialRows, linear: Float64Array, chances: Float64Array): number {
  let deviance = 0;
  for (let row = 0; row < linear.length; row++) {
    const x = linear[row]!;
    const decay = exp(-Math.abs(x));
    chances[row] = probability(x, decay);
    // s log p + (n - s) log (1 - p) = s x - n log(1 + exp(x)).
    deviance += counts[row]! * ((x > 0 ? x : 0) + log1p(decay)) - successes[row]! * x;
  }
  return 2 * deviance;
}

function dot(u: Float64Array, v: Float64Array): number {
  let all = 0;
  for (let i = 0; i < u.length; i++) all += u[i]! * v[i]!;
  return all;
}

/** Solves H x = b by conjugate gradients, preconditioned by a factor of what H is about proportional to. */
function conjugateMove(
  b: Float64Array,
  factor: SemidefiniteFactor,
  addProduct: (vector: Float64Array, out: Float64Array) => void,
): { readonly move: Float64Array; readonly steps: number } {
  const x = new Float64Array(b.length);
  const residual = b.map((value, f) => (factor.aliased[f] === 1 ? 0 : value));
  const precondition = () => {
    const vector = residual.slice();
    solveSemidefinite(factor, vector);
    return vector;
  };
  let direction = precondition();
  let size = dot(residual, direction);
  const enough = CONJUGATE_REST * CONJUGATE_REST * size;
  let steps = 0;
  for (; steps < CONJUGATE_STEPS && size > enough; steps++) {
    const image = new Float64Array(b.length);
    addProduct(direction, image);
    const curvature = dot(direction, image);
    if (!(curvature > 0)) break;
    const length = size / curvature;
    for (let f = 0; f < x.length; f++) {
      x[f]! += length * direction[f]!;
      residual[f] = factor.aliased[f] === 1 ? 0 : residual[f]! - length * image[f]!;
    }
    const preconditioned = precondition();
    const next = dot(residual, preconditioned);
    const kept = next / size;
    direction = direction.map((value, f) => preconditioned[f]! + kept * value);
    size = next;
  }
  return { move: x, steps };
}
