import { exp, log } from '../../shared/numeric/portable-math.ts';
import {
  CELL_CHUNK,
  CELL_EVALUATIONS,
  type CellDraws,
  type CellProblem,
  type CellSums,
  DENSITY_SCALE,
  GUESSES,
  type PreparedSets,
  prepareCellSets,
} from '../../shared/risk/cells/cell-sums.ts';
import { type CellOrder, cellOf, cellOrder, codesOf } from '../../shared/risk/intruder/cell-order.ts';

/** Stands for the log-likelihood of no cell at all. */
const NONE = -1e300;

/** f(x | Theta), scaled, of a cell under every draw of a chain. Even and odd classes are summed apart. */
function cellDensities(order: CellOrder, codes: Uint16Array, chain: CellDraws, classes: number): Float64Array {
  const last = order.variables.length - 1;
  return Float64Array.from({ length: chain.draws }, (_, d) => {
    const weights = chain.weights.subarray(d * classes, (d + 1) * classes);
    const product = weights.map((weight) => weight * DENSITY_SCALE);
    let even = 0;
    let odd = 0;
    for (const [digit, variable] of order.variables.entries()) {
      const category = d * order.categories + order.offsets[digit]! + codes[variable]!;
      for (let f = 0; f < classes; f++) {
        const value = product[f]! * chain.probabilities[category * classes + f]!;
        if (digit < last) product[f] = value;
        else if (f % 2 === 0) even += value;
        else odd += value;
      }
    }
    return even + odd;
  });
}

/**
 * Log-likelihood of one cell in every evaluation, to the power `slope`.
 *
 * @param means for every chain, the mean of r_x over its draws
 */
function logLikelihoods({ sets, commonPower, constants }: PreparedSets, means: Float64Array, slope: number): Float64Array {
  let whole = 0;
  // What each subset of each set is: the share of its set's sum, or the term of a geometric set.
  const parts = sets.map(({ firstChain, chains, role, coefficient, subsets }) => {
    const own = means.slice(firstChain, firstChain + chains);
    if (role === 'geometric') for (let c = 0; c < chains; c++) own[c] = log(own[c]!);
    const sums = subsets.map((subset) => subset.reduce((sum, chain) => sum + own[chain]!, 0));
    if (role === 'geometric') return sums.map((sum, i) => sum * (coefficient / subsets[i]!.length));
    whole += coefficient * log(sums[0]! / chains);
    const factor = 1 / sums[0]!;
    return sums.map((sum, i) => (i === 0 ? 1 : sum * factor));
  });
  return Float64Array.from({ length: CELL_EVALUATIONS }, (_, b) => {
    let product = 1;
    let raised = 1;
    let pooled = 0;
    for (const [t, { role, choices }] of sets.entries()) {
      const part = parts[t]![choices[b]!]!;
      if (role === 'numerator') product *= part;
      else if (role === 'denominator') product /= part;
      else if (role === 'raised') raised *= part;
      else pooled += part;
    }
    return slope * (whole + pooled + (constants[b]! + log(product) + commonPower * log(raised)));
  });
}

/** Puts a cell among the most probable of a combination; of equal ones the earlier goes first. */
function keepGuess(sums: CellSums, row: number, cell: number, value: number): void {
  const values = sums.guessValues.subarray(row * GUESSES, (row + 1) * GUESSES);
  const cells = sums.guessCells.subarray(row * GUESSES, (row + 1) * GUESSES);
  if (!(value > values[GUESSES - 1]!)) return;
  let at = GUESSES - 1;
  for (; at > 0 && value > values[at - 1]!; at--) {
    values[at] = values[at - 1]!;
    cells[at] = cells[at - 1]!;
  }
  values[at] = value;
  cells[at] = cell;
}

/**
 * Adds a chunk of cells to the sums of one combination. Even and odd cells are summed apart, as lanes are.
 *
 * @param logs CELL_EVALUATIONS x CELL_CHUNK; NONE where there is no cell
 */
function addChunk(sums: CellSums, row: number, from: number, codes: readonly Uint16Array[], logs: Float64Array, order: CellOrder): void {
  const marginals = sums.marginals.subarray(row * order.categories, (row + 1) * order.categories);
  for (let b = 0; b < CELL_EVALUATIONS; b++) {
    const values = logs.subarray(b * CELL_CHUNK, (b + 1) * CELL_CHUNK);
    const at = row * CELL_EVALUATIONS + b;
    const most = values.reduce((a, value) => Math.max(a, value), -Infinity);
    if (most > sums.largest[at]!) {
      const factor = exp(sums.largest[at]! - most);
      sums.largest[at] = most;
      sums.sums[at]! *= factor;
      sums.others[at]! *= factor;
      sums.logSums[at]! *= factor;
      if (b === 0) for (let c = 0; c < order.categories; c++) marginals[c]! *= factor;
    }
    const weightSums = [0, 0];
    const otherSums = [0, 0];
    const logSums = [0, 0];
    for (const [x, value] of values.entries()) {
      const weight = exp(value - sums.largest[at]!);
      weightSums[x % 2]! += weight;
      logSums[x % 2]! += weight * value;
      if (value > 0) sums.above[at]!++;
      if (value === 0) sums.equal[at]!++;
      else otherSums[x % 2]! += weight;
      if (b > 0 || x >= codes.length) continue;
      keepGuess(sums, row, from + x, value);
      for (const [digit, variable] of order.variables.entries()) {
        marginals[order.offsets[digit]! + codes[x]![variable]!]! += weight;
      }
    }
    sums.sums[at]! += weightSums[0]! + weightSums[1]!;
    sums.others[at]! += otherSums[0]! + otherSums[1]!;
    sums.logSums[at]! += logSums[0]! + logSums[1]!;
  }
}

/**
 * The sums over all cells in plain TypeScript: the program to read, and the oracle of the kernel behind
 * `createCellScorer`. For each combination i, cell x and chain, the mean of r_x = f(x | Theta) / f(x_i | Theta)
 * over the chain's draws; from these the estimator's log-likelihood in every evaluation; and from that the sums.
 *
 * @param chains draws of all chains, set after set
 */
export function referenceCellSums(problem: CellProblem, chains: readonly CellDraws[]): CellSums {
  const { sizes, codes, classes, streams, slope } = problem;
  const order = cellOrder(sizes);
  const prepared = prepareCellSets(problem.sets, streams);
  const variables = sizes.length;
  const rows = codes.length / variables;
  const table = () => new Float64Array(rows * CELL_EVALUATIONS);
  const sums: CellSums = {
    largest: table(),
    sums: table(),
    others: table(),
    logSums: table(),
    above: table(),
    equal: table(),
    guessValues: new Float64Array(rows * GUESSES).fill(NONE),
    guessCells: new Float64Array(rows * GUESSES),
    marginals: new Float64Array(rows * order.categories),
  };
  const own = Array.from({ length: rows }, (_, row) => codes.subarray(row * variables, (row + 1) * variables));
  const truths = own.map((row) => cellOf(order, row));
  const weights = own.map((row) => chains.map((chain) => cellDensities(order, row, chain, classes).map((f) => 1 / f / chain.draws)));
  for (let from = 0; from < order.cells; from += CELL_CHUNK) {
    const cells = Array.from({ length: Math.min(CELL_CHUNK, order.cells - from) }, (_, x) => codesOf(order, from + x));
    const densities = cells.map((cell) => chains.map((chain) => cellDensities(order, cell, chain, classes)));
    for (let row = 0; row < rows; row++) {
      const logs = new Float64Array(CELL_EVALUATIONS * CELL_CHUNK).fill(NONE);
      for (const [x, ofChains] of densities.entries()) {
        // The ratio of the truth to itself is 1 in every draw, whatever rounding makes of it.
        let values: Float64Array = new Float64Array(CELL_EVALUATIONS);
        if (from + x !== truths[row]) {
          const means = Float64Array.from(ofChains, (f, chain) =>
            f.reduce((sum, density, d) => sum + weights[row]![chain]![d]! * density, 0),
          );
          values = logLikelihoods(prepared, means, slope);
        }
        for (let b = 0; b < CELL_EVALUATIONS; b++) logs[b * CELL_CHUNK + x] = values[b]!;
      }
      addChunk(sums, row, from, cells, logs, order);
    }
  }
  return sums;
}
