import { log } from '../../numeric/portable-math.ts';
import { factorizeSemidefinite, inverseDiagonal, solveSemidefinite } from '../../numeric/semidefinite.ts';
import type { Design } from './design.ts';
import { logistic } from './logistic.ts';
import { separatedColumns } from './separation.ts';

const NEWTON_STEPS = 60;

/** A step that changes the deviance by less than this share is the last one. */
const ARRIVED = 1e-11;

/** A probability that rounding made zero counts as this. */
const LEAST_PROBABILITY = 1e-300;

/** An ordered logistic regression by maximum likelihood, as MASS's `polr` has it: log odds of P(Y <= k) are zeta_k - x b. */
export interface OrderedFit {
  /** Slopes, 0 for a column that is left out, and after them the thresholds. */
  readonly coefficients: Float64Array;
  /** From the observed information; NaN for a column that is left out. */
  readonly standardErrors: Float64Array;
  readonly aliased: Uint8Array;
  /** Coefficients whose estimates are infinite. */
  readonly separated: Uint8Array;
  readonly deviance: number;
}

/**
 * Fits an ordered logistic regression by Newton's method.
 *
 * @param design without an intercept
 * @param codes category of each row, from 0
 * @param categories of the response, each of which some record has
 * @param near coefficients to begin with; null for slopes of 0
 * @throws RangeError where a category has no record
 */
export function fitOrdered(
  design: Design,
  counts: Float64Array,
  codes: ArrayLike<number>,
  categories: number,
  near: Float64Array | null = null,
): OrderedFit {
  const slopes = design.count;
  const size = slopes + categories - 1;
  const start = startingPoint(design, counts, codes, categories);
  // Without the intercept a design that is complete is dependent only together with it.
  const aliased = dependentColumns(design, counts, size);
  let coefficients = near?.map((value, f) => (aliased[f] === 1 ? 0 : value)) ?? start;
  let state = evaluate(design, counts, codes, categories, coefficients)!;
  let move = new Float64Array(size);
  let system = factorizeSemidefinite(state.information.slice(), size, aliased);
  for (let step = 0; step < NEWTON_STEPS; step++) {
    system = factorizeSemidefinite(state.information.slice(), size, aliased);
    move = state.gradient.slice();
    solveSemidefinite(system, move);
    let share = 1;
    let next = coefficients;
    let found: ReturnType<typeof evaluate> = null;
    while (share > 1e-6) {
      next = coefficients.map((value, f) => value + share * move[f]!);
      found = evaluate(design, counts, codes, categories, next);
      if (found !== null && found.deviance <= state.deviance * (1 + ARRIVED) + ARRIVED) break;
      share /= 2;
      found = null;
    }
    if (found === null) break;
    const gained = state.deviance - found.deviance;
    coefficients = next;
    state = found;
    if (Math.abs(gained) <= ARRIVED * (state.deviance + 0.1)) break;
  }
  system = factorizeSemidefinite(state.information.slice(), size, aliased);
  move = state.gradient.slice();
  solveSemidefinite(system, move);
  return {
    coefficients,
    standardErrors: inverseDiagonal(system).map(Math.sqrt),
    aliased,
    separated: separatedColumns(move, state.information, system, aliased, largestOfColumns(design, size)),
    deviance: state.deviance,
  };
}

/** Slopes of 0, and the thresholds that give every category its share. */
function startingPoint(design: Design, counts: Float64Array, codes: ArrayLike<number>, categories: number): Float64Array {
  const records = new Float64Array(categories);
  for (let row = 0; row < design.rows; row++) records[codes[row]!]! += counts[row]!;
  if (records.some((one) => one === 0)) throw new RangeError('a category of the response has no record');
  const start = new Float64Array(design.count + categories - 1);
  const all = records.reduce((sum, one) => sum + one, 0);
  let below = 0;
  for (let k = 0; k < categories - 1; k++) {
    below += records[k]!;
    start[design.count + k] = log(below / (all - below));
  }
  return start;
}

/** Columns that depend on the intercept and those before them. */
function dependentColumns(design: Design, counts: Float64Array, size: number): Uint8Array {
  const n = design.count + 1;
  const matrix = new Float64Array(n * n);
  const { starts, indices, values } = design;
  for (let row = 0; row < design.rows; row++) {
    const weight = counts[row]!;
    matrix[0]! += weight;
    for (let j = starts[row]!; j < starts[row + 1]!; j++) {
      const weighted = weight * (values === null ? 1 : values[j]!);
      const line = (indices[j]! + 1) * n;
      matrix[line]! += weighted;
      for (let l = starts[row]!; l <= j; l++) {
        matrix[line + indices[l]! + 1]! += weighted * (values === null ? 1 : values[l]!);
      }
    }
  }
  const aliased = new Uint8Array(size);
  aliased.set(factorizeSemidefinite(matrix, n).aliased.subarray(1));
  return aliased;
}

function largestOfColumns({ rows, starts, indices, values }: Design, size: number): Float64Array {
  const largest = new Float64Array(size).fill(1);
  if (values === null) return largest;
  for (let j = 0; j < starts[rows]!; j++) {
    largest[indices[j]!] = Math.max(largest[indices[j]!]!, Math.abs(values[j]!));
  }
  return largest;
}

/** Deviance, gradient of the log-likelihood and observed information; null where thresholds are out of order. */
function evaluate(
  { rows, count, starts, indices, values }: Design,
  counts: Float64Array,
  codes: ArrayLike<number>,
  categories: number,
  coefficients: Float64Array,
): { deviance: number; gradient: Float64Array; information: Float64Array } | null {
  const size = count + categories - 1;
  for (let k = 1; k < categories - 1; k++) {
    if (!(coefficients[count + k]! > coefficients[count + k - 1]!)) return null;
  }
  const gradient = new Float64Array(size);
  const information = new Float64Array(size * size);
  let deviance = 0;
  for (let row = 0; row < rows; row++) {
    let linear = 0;
    const [from, to] = [starts[row]!, starts[row + 1]!];
    for (let j = from; j < to; j++) {
      linear += coefficients[indices[j]!]! * (values === null ? 1 : values[j]!);
    }
    const code = codes[row]!;
    const weight = counts[row]!;
    const upper = code < categories - 1 ? coefficients[count + code]! - linear : Infinity;
    const lower = code > 0 ? coefficients[count + code - 1]! - linear : -Infinity;
    const a = cumulative(upper);
    const b = cumulative(lower);
    const p = Math.max(LEAST_PROBABILITY, lower > 0 ? cumulative(-lower) - cumulative(-upper) : a - b);
    deviance -= 2 * weight * log(p);
    const fa = a * cumulative(-upper);
    const fb = b * cumulative(-lower);
    const du = fa / p;
    const dl = -fb / p;
    const uu = (weight * fa * (1 - 2 * a)) / p - weight * du * du;
    const ll = (-weight * fb * (1 - 2 * b)) / p - weight * dl * dl;
    const ul = (weight * fa * fb) / (p * p);
    const upperAt = count + code;
    const lowerAt = count + code - 1;
    if (code < categories - 1) {
      gradient[upperAt]! += weight * du;
      information[upperAt * size + upperAt]! -= uu;
    }
    if (code > 0) {
      gradient[lowerAt]! += weight * dl;
      information[lowerAt * size + lowerAt]! -= ll;
    }
    if (code > 0 && code < categories - 1) information[upperAt * size + lowerAt]! -= ul;
    const curvature = uu + ll + 2 * ul;
    for (let j = from; j < to; j++) {
      const x = values === null ? 1 : values[j]!;
      const f = indices[j]!;
      gradient[f]! -= weight * (du + dl) * x;
      for (let l = from; l <= j; l++) {
        information[f * size + indices[l]!]! -= curvature * x * (values === null ? 1 : values[l]!);
      }
      if (code < categories - 1) information[upperAt * size + f]! += (uu + ul) * x;
      if (code > 0) information[lowerAt * size + f]! += (ll + ul) * x;
    }
  }
  return { deviance, gradient, information };
}

const cumulative = (x: number): number => (x === Infinity ? 1 : x === -Infinity ? 0 : logistic(x));
