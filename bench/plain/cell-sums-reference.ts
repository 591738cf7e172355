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
import { expSingle, logSingle } from './single-math.ts';

const single = Math.fround;

/** Stands for the log-likelihood of no cell at all, in the estimate and in half-samples. */
const NONE = -1e300;
const NONE_SINGLE = single(-1e30);

/** Least share of its set's sum that a chain has in a half-sample. */
const LEAST_SHARE = 2 ** -23;

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

/** A cell's log-likelihood, and the logarithm of its prior against the truth's, in every evaluation. */
interface CellLogs {
  readonly values: Float64Array;
  readonly priors: Float64Array;
}

/** What a chain adds to half-samples: its share of its set's sum, or by how much its logarithm is above their mean. */
function contributions(own: Float64Array, isGeometric: boolean, sum: number): number[] {
  if (isGeometric) return Array.from(own, (log) => single(log - sum / own.length));
  const factor = 1 / sum;
  return Array.from(own, (mean) => {
    const share = single(mean * factor);
    return share > LEAST_SHARE ? share : LEAST_SHARE;
  });
}

/** The sum over those of a set's chains that are taken: groups of four chains are summed first. */
function groupedSum(values: readonly number[], taken: Uint32Array): number {
  const sums: number[] = [];
  for (let group = 0; group < values.length; group += 4) {
    const members = [...taken].filter((chain) => chain >= group && chain < group + 4);
    if (members.length > 0) sums.push(members.map((chain) => values[chain]!).reduce((sum, value) => single(sum + value)));
  }
  return sums.reduce((sum, value) => single(sum + value));
}

/**
 * Log-likelihood of one cell in every evaluation, to the power `slope`: the estimate in double precision, half-samples in
 * single precision, as what they add to it.
 *
 * @param means for every chain, the mean of r_x over its draws
 */
function logLikelihoods({ sets, commonPower }: PreparedSets, means: Float64Array, slope: number): CellLogs {
  const values = new Float64Array(CELL_EVALUATIONS);
  const priors = new Float64Array(CELL_EVALUATIONS);
  const added = sets.map(({ firstChain, chains, role, coefficient, isPrior }) => {
    const own = means.slice(firstChain, firstChain + chains);
    if (role === 'geometric') for (let c = 0; c < chains; c++) own[c] = log(own[c]!);
    const sum = own.reduce((total, value) => total + value, 0);
    const level = role === 'geometric' ? sum / chains : log(sum / chains);
    values[0]! += coefficient * level;
    if (isPrior) priors[0] = level;
    return contributions(own, role === 'geometric', sum);
  });
  values[0]! *= slope;
  const power = single(commonPower);
  for (let b = 1; b < CELL_EVALUATIONS; b++) {
    let products = { numerator: 1, denominator: 1, raised: 1 };
    let sum = 0;
    let prior = 1;
    const fold = () => {
      const ratio = logSingle(single(products.numerator / products.denominator));
      sum = single(sum + (commonPower === 0 ? ratio : single(ratio + single(power * logSingle(products.raised)))));
      products = { numerator: 1, denominator: 1, raised: 1 };
    };
    for (const [t, { role, coefficient, chains, subsets, choices, folds, isPrior }] of sets.entries()) {
      if (folds) fold();
      if (choices[b] === 0) continue;
      const taken = subsets[choices[b]!]!;
      const factor = single((role === 'geometric' ? coefficient : chains) / taken.length);
      const part = single(groupedSum(added[t]!, taken) * factor);
      if (role === 'geometric') sum = single(sum + part);
      else products[role] = single(products[role] * part);
      if (isPrior) prior = part;
    }
    fold();
    values[b] = single(single(values[0]!) + single(single(slope) * sum));
    if (sets.some(({ isPrior }) => isPrior)) priors[b] = single(single(priors[0]!) + logSingle(prior));
  }
  return { values, priors };
}

/** Puts a cell among the most probable of a combination; of equal ones the earlier goes first. */
function keepGuess(sums: CellSums, row: number, cell: number, value: number, prior: number): void {
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
  if (at === 0) sums.firstPriorLogs[row] = prior;
}

/** A chunk of cells: where it begins, the cells' codes, and CELL_EVALUATIONS x CELL_CHUNK logarithms, NONE where there is no cell. */
interface Chunk extends CellLogs {
  readonly from: number;
  readonly codes: readonly Uint16Array[];
}

/** Adds a chunk of cells to the sums of one combination. Every second cell is summed apart, of half-samples every fourth, as lanes are. */
function addChunk(sums: CellSums, row: number, { from, codes, values: all, priors: allPriors }: Chunk, order: CellOrder): void {
  const marginals = sums.marginals.subarray(row * order.categories, (row + 1) * order.categories);
  for (let b = 0; b < CELL_EVALUATIONS; b++) {
    const values = all.subarray(b * CELL_CHUNK, (b + 1) * CELL_CHUNK);
    const priors = allPriors.subarray(b * CELL_CHUNK, (b + 1) * CELL_CHUNK);
    const at = row * CELL_EVALUATIONS + b;
    const most = values.reduce((a, value) => Math.max(a, value), -Infinity);
    if (most > sums.largest[at]!) {
      const factor = exp(sums.largest[at]! - most);
      sums.largest[at] = most;
      for (const name of ['sums', 'others', 'logSums', 'priorLogSums'] as const) sums[name][at]! *= factor;
      if (b === 0) for (let c = 0; c < order.categories; c++) marginals[c]! *= factor;
    }
    const rounded = b === 0 ? (value: number) => value : single;
    const width = b === 0 ? 2 : 4;
    const weigh = b === 0 ? exp : expSingle;
    const lanes = { sums: [0, 0, 0, 0], others: [0, 0, 0, 0], logSums: [0, 0, 0, 0], priorLogSums: [0, 0, 0, 0] };
    const add = (name: keyof typeof lanes, x: number, value: number) => {
      lanes[name][x % width] = rounded(lanes[name][x % width]! + value);
    };
    for (const [x, value] of values.entries()) {
      const weight = weigh(rounded(value - sums.largest[at]!));
      add('sums', x, weight);
      add('logSums', x, rounded(weight * value));
      add('priorLogSums', x, rounded(weight * priors[x]!));
      if (value > 0) sums.above[at]!++;
      if (value === 0) sums.equal[at]!++;
      else add('others', x, weight);
      if (b > 0 || x >= codes.length) continue;
      keepGuess(sums, row, from + x, value, priors[x]!);
      for (const [digit, variable] of order.variables.entries()) {
        marginals[order.offsets[digit]! + codes[x]![variable]!]! += weight;
      }
    }
    for (const [name, [a, b, c, d]] of Object.entries(lanes) as [keyof typeof lanes, number[]][]) {
      sums[name][at]! += a! + b! + (c! + d!);
    }
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
    priorLogSums: table(),
    above: table(),
    equal: table(),
    guessValues: new Float64Array(rows * GUESSES).fill(NONE),
    guessCells: new Float64Array(rows * GUESSES),
    firstPriorLogs: new Float64Array(rows),
    marginals: new Float64Array(rows * order.categories),
  };
  const own = Array.from({ length: rows }, (_, row) => codes.subarray(row * variables, (row + 1) * variables));
  const truths = own.map((row) => cellOf(order, row));
  const weights = own.map((row) => chains.map((chain) => cellDensities(order, row, chain, classes).map((f) => 1 / f / chain.draws)));
  for (let from = 0; from < order.cells; from += CELL_CHUNK) {
    const cells = Array.from({ length: Math.min(CELL_CHUNK, order.cells - from) }, (_, x) => codesOf(order, from + x));
    const densities = cells.map((cell) => chains.map((chain) => cellDensities(order, cell, chain, classes)));
    for (let row = 0; row < rows; row++) {
      const values = new Float64Array(CELL_EVALUATIONS * CELL_CHUNK).fill(NONE);
      values.fill(NONE_SINGLE, CELL_CHUNK);
      const priors = new Float64Array(CELL_EVALUATIONS * CELL_CHUNK);
      for (const [x, ofChains] of densities.entries()) {
        // The ratio of the truth to itself is 1 in every draw, whatever rounding makes of it.
        let found: CellLogs = { values: new Float64Array(CELL_EVALUATIONS), priors: new Float64Array(CELL_EVALUATIONS) };
        if (from + x !== truths[row]) {
          const means = Float64Array.from(ofChains, (f, chain) =>
            f.reduce((sum, density, d) => sum + weights[row]![chain]![d]! * density, 0),
          );
          found = logLikelihoods(prepared, means, slope);
        }
        for (let b = 0; b < CELL_EVALUATIONS; b++) {
          values[b * CELL_CHUNK + x] = found.values[b]!;
          priors[b * CELL_CHUNK + x] = found.priors[b]!;
        }
      }
      addChunk(sums, row, { from, codes: cells, values, priors }, order);
    }
  }
  return sums;
}
