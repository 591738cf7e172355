/**
 * Scores every cell of the cross-classification against a batch of combinations, a block of cells at a time, and
 * adds up what is asked of the cells. The plain program, with every layout and formula in words, is
 * shared/risk/cell-sums-reference.ts; the results are the same to the last bit.
 *
 * A block goes through two steps. `densities` finds f(x | Theta) of its cells under the draws of each chain, two
 * classes at a time. `addBlock` takes a few combinations at a time, so that what passes between its parts stays
 * near the processor: it turns the densities into each chain's mean of r_x, a matrix product in tiles of 4
 * combinations and 4 cells that stay in registers, and puts the estimator together for every cell and evaluation,
 * two cells at a time.
 */
import { exp, expLanes, logLanes } from './portable-math';

/** Cells that are added up together. Sums are merged chunk by chunk, so that blocks of any length agree. */
const CHUNK = 64;
/** Cells whose evaluations are formed together: four vectors of two. */
const TILE = 8;
/** Combinations, in strips of 4, whose means are in memory at a time. */
const GROUP_STRIPS = 4;
/** Stands for the log-likelihood of no cell at all: its exponential is 0. */
const NONE: f64 = -1e300;

/** How a set of chains enters an evaluation; the host's `CELL_ROLES` has the same order. */
const NUMERATOR: u32 = 0;
const DENOMINATOR: u32 = 1;
const POWER: u32 = 2;

let rows: i32 = 0;
let rowStrips: i32 = 0;
let variables: i32 = 0;
let categories: i32 = 0;
/** Classes, rounded up to an even number; the host pads with classes of weight zero. */
let classes: i32 = 0;
let chains: i32 = 0;
let draws: i32 = 0;
let sets: i32 = 0;
let subsets: i32 = 0;
let listWords: i32 = 0;
let blockCells: i32 = 0;
let evaluations: i32 = 0;
let guesses: i32 = 0;

/** variables, u32: number of categories, in the order of enumeration. */
export let sizes: usize = 0;
/** variables, u32: each variable's first category among all. */
export let offsets: usize = 0;
/** variables, u32: categories of the block's first cell; changed by `beginBlock`. */
export let start: usize = 0;
/** Combinations (or as many cells as a block has) x variables, u32: categories. */
export let codes: usize = 0;
/** Combinations, f64: number of the truth's cell. */
export let truths: usize = 0;
/** Chains, u32: draws before the chain's own. */
export let chainFirst: usize = 0;
/** Chains, u32: the chain's draws. */
export let chainDraws: usize = 0;
/** draws x (1 + categories) x classes, f64: pi, then phi. */
export let parameters: usize = 0;
/** For each chain: strips of 4 combinations x draws x 4, f64: 1 / f(x_i | Theta), divided by the draws. */
export let weights: usize = 0;
/** For each chain: strips of 4 cells x draws x 4, f64: f(x | Theta) of a block's cells. */
export let panel: usize = 0;
/** Sets, u32: first chain of each. */
export let setFirst: usize = 0;
/** Sets, u32: number of chains. */
export let setChains: usize = 0;
/** Sets, u32: role. */
export let setRoles: usize = 0;
/** Sets, u32: number of subsets. */
export let setSubsets: usize = 0;
/** Sets, f64: coefficient. */
export let setCoefficients: usize = 0;
/** For every set and subset: how many chains, then where a tile has their means, in bytes (u32). */
export let lists: usize = 0;
/** evaluations x sets, u32: where the subset that is taken is in `parts`, in bytes. */
export let choices: usize = 0;
/** evaluations, f64: added to the logarithm of the products. */
export let constants: usize = 0;
/** combinations x evaluations, f64: largest log-likelihood of a cell so far. */
export let largest: usize = 0;
/** combinations x evaluations, f64: sum of exp(log-likelihood - largest). */
export let sums: usize = 0;
/** combinations x evaluations, f64: the same sum with each term times the log-likelihood. */
export let logSums: usize = 0;
/** combinations x evaluations, f64: cells above the truth. */
export let above: usize = 0;
/** combinations x evaluations, f64: cells level with the truth. */
export let equal: usize = 0;
/** combinations x guesses, f64: log-likelihoods of the most probable cells, in order. */
export let guessValues: usize = 0;
/** combinations x guesses, f64: the cells themselves. */
export let guessCells: usize = 0;
/** combinations x categories, f64: sums of exp(log-likelihood - largest) over the cells of a category. */
export let marginals: usize = 0;

let prefixes: usize = 0;
/** Cells of a block x variables, u32: their categories among all. */
let cellCategories: usize = 0;
/** For each run of cells that differ in the last variable alone, u32: cells, and the first variable that changed. */
let runs: usize = 0;
let runsEnd: usize = 0;
/** combinations of a group x tiles of a block x chains x TILE, f64: means of r_x, those of a tile side by side. */
let means: usize = 0;
/** evaluations x CHUNK, f64. */
let logs: usize = 0;
/** subsets x TILE, f64: shares that subsets have of their set's sum, or their geometric term. */
let parts: usize = 0;

let free: usize = 0;

function allocate(count: usize, bytes: usize): usize {
  const at = free;
  free = (at + count * bytes + 15) & ~15;
  return at;
}

/** First of three calls that lay the memory out: the table. */
export function prepareTable(rowCount: i32, variableCount: i32, categoryCount: i32, classCount: i32): void {
  rows = rowCount;
  rowStrips = (rowCount + 3) >> 2;
  variables = variableCount;
  categories = categoryCount;
  classes = classCount;
}

/** Second: the chains, all draws together, sets of chains, their subsets, and the words of `lists`. */
export function prepareChains(chainCount: i32, drawCount: i32, setCount: i32, subsetCount: i32, words: i32): void {
  chains = chainCount;
  draws = drawCount;
  sets = setCount;
  subsets = subsetCount;
  listWords = words;
}

/** Last: cells of a block (a multiple of 64), evaluations, and guesses to keep. */
export function prepareCells(cells: i32, evaluationCount: i32, guessCount: i32): void {
  blockCells = cells;
  evaluations = evaluationCount;
  guesses = guessCount;
  const padded = <usize>(rowStrips << 2);
  const table = <usize>rows * evaluations;
  free = (__heap_base + 15) & ~15;
  sizes = allocate(variables, 4);
  offsets = allocate(variables, 4);
  start = allocate(variables, 4);
  codes = allocate(max<usize>(padded, cells) * variables, 4);
  truths = allocate(rows, 8);
  chainFirst = allocate(chains, 4);
  chainDraws = allocate(chains, 4);
  setFirst = allocate(sets, 4);
  setChains = allocate(sets, 4);
  setRoles = allocate(sets, 4);
  setSubsets = allocate(sets, 4);
  setCoefficients = allocate(sets, 8);
  lists = allocate(listWords, 4);
  choices = allocate(<usize>evaluations * sets, 4);
  constants = allocate(evaluations, 8);
  prefixes = allocate(<usize>variables * classes, 8);
  cellCategories = allocate(<usize>cells * variables, 4);
  runs = allocate(cells, 8);
  logs = allocate(<usize>evaluations * CHUNK, 8);
  parts = allocate(<usize>subsets * TILE, 8);
  largest = allocate(table, 8);
  sums = allocate(table, 8);
  logSums = allocate(table, 8);
  above = allocate(table, 8);
  equal = allocate(table, 8);
  guessValues = allocate(<usize>rows * guesses, 8);
  guessCells = allocate(<usize>rows * guesses, 8);
  marginals = allocate(<usize>rows * categories, 8);
  panel = allocate(<usize>cells * draws, 8);
  means = allocate(<usize>(GROUP_STRIPS << 2) * chains * cells, 8);
  weights = allocate(padded * draws, 8);
  parameters = allocate(<usize>draws * (1 + categories) * classes, 8);
  const pages = <i32>((<u64>free + 0xffff) >> 16) - memory.size();
  if (pages > 0 && memory.grow(pages) < 0) unreachable();
  for (let at: usize = 0; at < <usize>rows * guesses; at++) f64.store(guessValues + (at << 3), NONE);
}

/** out[f] = a[f] * b[f] over classes. */
function multiplyClasses(a: usize, b: usize, out: usize): void {
  const end = <usize>classes << 3;
  for (let f: usize = 0; f < end; f += 16) {
    v128.store(out + f, f64x2.mul(v128.load(a + f), v128.load(b + f)));
  }
}

function lanes(sum: v128): f64 {
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
}

/** Address of a draw's probabilities of variable k. */
function variableAt(draw: usize, k: i32): usize {
  return draw + ((<usize>load<u32>(offsets + (<usize>k << 2)) + 1) * classes << 3);
}

/** Where strips of 4 items, from `base` on and with `count` draws, hold an item under a draw. */
function stripAt(base: usize, item: usize, draw: usize, count: usize): usize {
  return base + ((((item >> 2) * count + draw) << 2) + (item & 3) << 3);
}

function parametersOf(chain: i32): usize {
  const before = <usize>load<u32>(chainFirst + (<usize>chain << 2));
  return parameters + (before * (1 + categories) * classes << 3);
}

/**
 * Densities of listed cells, or of combinations, under every draw of a chain: the first `count` rows of `codes`.
 *
 * @param out strips of 4 items x draws x 4
 */
function densitiesOfCodes(chain: i32, count: i32, out: usize): void {
  const drawCount = <usize>load<u32>(chainDraws + (<usize>chain << 2));
  const vector = <usize>classes << 3;
  let draw = parametersOf(chain);
  for (let d: usize = 0; d < drawCount; d++) {
    for (let item = 0; item < count; item++) {
      const own = codes + (<usize>item * variables << 2);
      let from = draw;
      for (let k = 0; k < variables - 1; k++) {
        const category = variableAt(draw, k) + <usize>load<u32>(own + (<usize>k << 2)) * vector;
        multiplyClasses(from, category, prefixes);
        from = prefixes;
      }
      const last = variables - 1;
      const category = variableAt(draw, last) + <usize>load<u32>(own + (<usize>last << 2)) * vector;
      let sum = f64x2.splat(0);
      for (let f: usize = 0; f < vector; f += 16) {
        sum = f64x2.add(sum, f64x2.mul(v128.load(from + f), v128.load(category + f)));
      }
      f64.store(stripAt(out, item, d, drawCount), lanes(sum));
    }
    draw += (1 + <usize>categories) * vector;
  }
}

function panelOf(chain: i32): usize {
  return panel + ((<usize>blockCells * load<u32>(chainFirst + (<usize>chain << 2))) << 3);
}

/** Densities of the first `count` rows of `codes` under a chain, into `panel`: at most as many as a block has cells. */
export function densitiesOfListed(chain: i32, count: i32): void {
  densitiesOfCodes(chain, count, panelOf(chain));
}

function weightsOf(chain: i32): usize {
  return weights + (<usize>(rowStrips << 2) * load<u32>(chainFirst + (<usize>chain << 2)) << 3);
}

/** The `weights` of a chain whose parameters are there, with the combinations in `codes`. */
export function weigh(chain: i32): void {
  const padded = rowStrips << 2;
  const own = weightsOf(chain);
  densitiesOfCodes(chain, padded, own);
  const drawCount = load<u32>(chainDraws + (<usize>chain << 2));
  const count = <f64>drawCount;
  const end = own + (<usize>padded * drawCount << 3);
  for (let at = own; at < end; at += 8) f64.store(at, 1 / f64.load(at) / count);
}

/**
 * Begins a block of `count` cells whose first one has the categories in `start`: their categories, and the runs
 * of cells that differ in the last variable alone.
 */
export function beginBlock(count: i32): void {
  const last = variables - 1;
  let at = cellCategories;
  let run = runs;
  let changed = 0;
  store<u32>(run, 0);
  for (let x = 0; x < count; x++) {
    for (let k: usize = 0; k < <usize>variables; k++) {
      store<u32>(at, load<u32>(offsets + (k << 2)) + load<u32>(start + (k << 2)));
      at += 4;
    }
    store<u32>(run, load<u32>(run) + 1);
    store<u32>(run, changed, 4);
    // The next cell: the last variable that has a category left takes it, and those after it begin anew.
    let k = last;
    for (; k >= 0; k--) {
      const digit = start + (<usize>k << 2);
      store<u32>(digit, load<u32>(digit) + 1);
      if (load<u32>(digit) < load<u32>(sizes + (<usize>k << 2))) break;
      store<u32>(digit, 0);
    }
    if (k < last && x + 1 < count) {
      changed = k;
      run += 8;
      store<u32>(run, 0);
    }
  }
  runsEnd = run + 8;
}

/**
 * Densities of `count` neighbouring categories of one variable, whose probabilities begin at `from`: cells
 * `x` and after of a chain's panel, under draw `d`.
 */
function categoryDensities(
  prefix: usize,
  from: usize,
  count: i32,
  out: usize,
  x: usize,
  d: usize,
  drawCount: usize,
): void {
  const vector = <usize>classes << 3;
  let c = 0;
  for (; c + 3 < count; c += 4) {
    const row0 = from + <usize>c * vector;
    const row1 = row0 + vector;
    const row2 = row1 + vector;
    const row3 = row2 + vector;
    let sum0 = f64x2.splat(0);
    let sum1 = f64x2.splat(0);
    let sum2 = f64x2.splat(0);
    let sum3 = f64x2.splat(0);
    for (let f: usize = 0; f < vector; f += 16) {
      const other = v128.load(prefix + f);
      sum0 = f64x2.add(sum0, f64x2.mul(other, v128.load(row0 + f)));
      sum1 = f64x2.add(sum1, f64x2.mul(other, v128.load(row1 + f)));
      sum2 = f64x2.add(sum2, f64x2.mul(other, v128.load(row2 + f)));
      sum3 = f64x2.add(sum3, f64x2.mul(other, v128.load(row3 + f)));
    }
    f64.store(stripAt(out, x + c, d, drawCount), lanes(sum0));
    f64.store(stripAt(out, x + c + 1, d, drawCount), lanes(sum1));
    f64.store(stripAt(out, x + c + 2, d, drawCount), lanes(sum2));
    f64.store(stripAt(out, x + c + 3, d, drawCount), lanes(sum3));
  }
  for (; c + 1 < count; c += 2) {
    const row0 = from + <usize>c * vector;
    const row1 = row0 + vector;
    let sum0 = f64x2.splat(0);
    let sum1 = f64x2.splat(0);
    for (let f: usize = 0; f < vector; f += 16) {
      const other = v128.load(prefix + f);
      sum0 = f64x2.add(sum0, f64x2.mul(other, v128.load(row0 + f)));
      sum1 = f64x2.add(sum1, f64x2.mul(other, v128.load(row1 + f)));
    }
    f64.store(stripAt(out, x + c, d, drawCount), lanes(sum0));
    f64.store(stripAt(out, x + c + 1, d, drawCount), lanes(sum1));
  }
  if (c < count) {
    const row = from + <usize>c * vector;
    let sum = f64x2.splat(0);
    for (let f: usize = 0; f < vector; f += 16) {
      sum = f64x2.add(sum, f64x2.mul(v128.load(prefix + f), v128.load(row + f)));
    }
    f64.store(stripAt(out, x + c, d, drawCount), lanes(sum));
  }
}

/** Densities of the block's `count` cells under every draw of a chain; those that fill its last tile up are 1. */
export function densities(chain: i32, count: i32): void {
  const drawCount = <usize>load<u32>(chainDraws + (<usize>chain << 2));
  const vector = <usize>classes << 3;
  const last = variables - 1;
  const filled = (count + TILE - 1) & ~(TILE - 1);
  const out = panelOf(chain);
  let draw = parametersOf(chain);
  for (let d: usize = 0; d < drawCount; d++) {
    const probabilities = draw + vector;
    let x = 0;
    for (let run = runs; run < runsEnd; run += 8) {
      const neighbours = <i32>load<u32>(run);
      const cell = cellCategories + (<usize>x * variables << 2);
      // prefixes hold the products of pi with the probabilities of the first variables, one more in each.
      for (let k = <i32>load<u32>(run, 4); k < last; k++) {
        const to = prefixes + <usize>k * vector;
        const category = <usize>load<u32>(cell + (<usize>k << 2));
        multiplyClasses(k == 0 ? draw : to - vector, probabilities + category * vector, to);
      }
      const first = probabilities + <usize>load<u32>(cell + (<usize>last << 2)) * vector;
      const prefix = last == 0 ? draw : prefixes + <usize>(last - 1) * vector;
      categoryDensities(prefix, first, neighbours, out, x, d, drawCount);
      x += neighbours;
    }
    for (; x < filled; x++) f64.store(stripAt(out, x, d, drawCount), 1);
    draw += (1 + <usize>categories) * vector;
  }
}

/** Means of r_x over a chain's draws, for strips of combinations from `firstStrip` and the block's `count` cells. */
function multiply(chain: i32, firstStrip: i32, strips: i32, count: i32): void {
  const drawCount = <usize>load<u32>(chainDraws + (<usize>chain << 2));
  const depth = drawCount << 5;
  const tileStride = <usize>chains * TILE << 3;
  const rowStride = <usize>blockCells * chains << 3;
  const cellStrips = ((count + TILE - 1) & ~(TILE - 1)) >> 2;
  let strip = weightsOf(chain) + <usize>firstStrip * depth;
  let out = means + (<usize>chain * TILE << 3);
  for (let i = 0; i < strips; i++) {
    let cells = panelOf(chain);
    for (let j = 0; j < cellStrips; j++) {
      let sum00 = f64x2.splat(0);
      let sum01 = f64x2.splat(0);
      let sum10 = f64x2.splat(0);
      let sum11 = f64x2.splat(0);
      let sum20 = f64x2.splat(0);
      let sum21 = f64x2.splat(0);
      let sum30 = f64x2.splat(0);
      let sum31 = f64x2.splat(0);
      for (let d: usize = 0; d < depth; d += 32) {
        const cells0 = v128.load(cells + d);
        const cells1 = v128.load(cells + d, 16);
        let weight = v128.load64_splat(strip + d);
        sum00 = f64x2.add(sum00, f64x2.mul(weight, cells0));
        sum01 = f64x2.add(sum01, f64x2.mul(weight, cells1));
        weight = v128.load64_splat(strip + d, 8);
        sum10 = f64x2.add(sum10, f64x2.mul(weight, cells0));
        sum11 = f64x2.add(sum11, f64x2.mul(weight, cells1));
        weight = v128.load64_splat(strip + d, 16);
        sum20 = f64x2.add(sum20, f64x2.mul(weight, cells0));
        sum21 = f64x2.add(sum21, f64x2.mul(weight, cells1));
        weight = v128.load64_splat(strip + d, 24);
        sum30 = f64x2.add(sum30, f64x2.mul(weight, cells0));
        sum31 = f64x2.add(sum31, f64x2.mul(weight, cells1));
      }
      let at = out + <usize>(j >> 1) * tileStride + (<usize>(j & 1) << 5);
      v128.store(at, sum00);
      v128.store(at, sum01, 16);
      at += rowStride;
      v128.store(at, sum10);
      v128.store(at, sum11, 16);
      at += rowStride;
      v128.store(at, sum20);
      v128.store(at, sum21, 16);
      at += rowStride;
      v128.store(at, sum30);
      v128.store(at, sum31, 16);
      cells += depth;
    }
    strip += depth;
    out += rowStride << 2;
  }
}

/** Replaces the means of neighbouring chains of a tile by their logarithms. */
function takeLogs(chain: usize, count: u32): void {
  const end = chain + (<usize>count * TILE << 3);
  for (; chain < end; chain += 16) v128.store(chain, logLanes(v128.load(chain)));
}

/** part = the sum over the chains of a tile that a list names, times factors; returns the end of the list. */
function addSubset(tile: usize, list: usize, part: usize, factor0: v128, factor1: v128, factor2: v128, factor3: v128): usize {
  const end = list + (<usize>load<u32>(list) + 1 << 2);
  let chain = tile + <usize>load<u32>(list, 4);
  let sum0 = v128.load(chain);
  let sum1 = v128.load(chain, 16);
  let sum2 = v128.load(chain, 32);
  let sum3 = v128.load(chain, 48);
  for (list += 8; list < end; list += 4) {
    chain = tile + <usize>load<u32>(list);
    sum0 = f64x2.add(sum0, v128.load(chain));
    sum1 = f64x2.add(sum1, v128.load(chain, 16));
    sum2 = f64x2.add(sum2, v128.load(chain, 32));
    sum3 = f64x2.add(sum3, v128.load(chain, 48));
  }
  v128.store(part, f64x2.mul(sum0, factor0));
  v128.store(part, f64x2.mul(sum1, factor1), 16);
  v128.store(part, f64x2.mul(sum2, factor2), 32);
  v128.store(part, f64x2.mul(sum3, factor3), 48);
  return end;
}

/**
 * Log-likelihoods of 8 cells in every evaluation, from the means of all chains in `tile`, of which those of
 * geometric sets become logarithms.
 *
 * @param out where the cells stand in `logs`
 * @param power coefficient of the sets whose role is POWER
 */
function evaluateTile(tile: usize, out: usize, power: f64, slope: f64): void {
  const zero = f64x2.splat(0);
  const one = f64x2.splat(1);
  const raised = f64x2.splat(slope);
  const powers = f64x2.splat(power);
  // The sum over arithmetic sets, each as a whole.
  let whole0 = zero;
  let whole1 = zero;
  let whole2 = zero;
  let whole3 = zero;
  let list = lists;
  let part = parts;
  for (let t: usize = 0; t < <usize>sets; t++) {
    const first = <usize>load<u32>(setFirst + (t << 2));
    const count = load<u32>(setChains + (t << 2));
    const geometric = load<u32>(setRoles + (t << 2)) > POWER;
    const coefficient = f64.load(setCoefficients + (t << 3));
    if (geometric) takeLogs(tile + (first * TILE << 3), count);
    let factor0 = one;
    let factor1 = one;
    let factor2 = one;
    let factor3 = one;
    for (let subset: u32 = 0; subset < load<u32>(setSubsets + (t << 2)); subset++) {
      if (geometric) {
        factor0 = f64x2.splat(coefficient / <f64>load<u32>(list));
        factor1 = factor0;
        factor2 = factor0;
        factor3 = factor0;
      }
      list = addSubset(tile, list, part, factor0, factor1, factor2, factor3);
      // The first subset is the whole set: the others become shares of its sum.
      if (subset == 0 && !geometric) {
        const number = f64x2.splat(<f64>count);
        const times = f64x2.splat(coefficient);
        const sum0 = v128.load(part);
        const sum1 = v128.load(part, 16);
        const sum2 = v128.load(part, 32);
        const sum3 = v128.load(part, 48);
        whole0 = f64x2.add(whole0, f64x2.mul(times, logLanes(f64x2.div(sum0, number))));
        whole1 = f64x2.add(whole1, f64x2.mul(times, logLanes(f64x2.div(sum1, number))));
        whole2 = f64x2.add(whole2, f64x2.mul(times, logLanes(f64x2.div(sum2, number))));
        whole3 = f64x2.add(whole3, f64x2.mul(times, logLanes(f64x2.div(sum3, number))));
        factor0 = f64x2.div(one, sum0);
        factor1 = f64x2.div(one, sum1);
        factor2 = f64x2.div(one, sum2);
        factor3 = f64x2.div(one, sum3);
        v128.store(part, one);
        v128.store(part, one, 16);
        v128.store(part, one, 32);
        v128.store(part, one, 48);
      }
      part += <usize>TILE << 3;
    }
  }
  let choice = choices;
  for (let b: usize = 0; b < <usize>evaluations; b++) {
    let product0 = one;
    let product1 = one;
    let product2 = one;
    let product3 = one;
    let power0 = one;
    let power1 = one;
    let power2 = one;
    let power3 = one;
    let pooled0 = zero;
    let pooled1 = zero;
    let pooled2 = zero;
    let pooled3 = zero;
    for (let t: usize = 0; t < <usize>sets; t++) {
      part = parts + <usize>load<u32>(choice);
      choice += 4;
      const role = load<u32>(setRoles + (t << 2));
      if (role == NUMERATOR) {
        product0 = f64x2.mul(product0, v128.load(part));
        product1 = f64x2.mul(product1, v128.load(part, 16));
        product2 = f64x2.mul(product2, v128.load(part, 32));
        product3 = f64x2.mul(product3, v128.load(part, 48));
      } else if (role == DENOMINATOR) {
        product0 = f64x2.div(product0, v128.load(part));
        product1 = f64x2.div(product1, v128.load(part, 16));
        product2 = f64x2.div(product2, v128.load(part, 32));
        product3 = f64x2.div(product3, v128.load(part, 48));
      } else if (role == POWER) {
        power0 = f64x2.mul(power0, v128.load(part));
        power1 = f64x2.mul(power1, v128.load(part, 16));
        power2 = f64x2.mul(power2, v128.load(part, 32));
        power3 = f64x2.mul(power3, v128.load(part, 48));
      } else {
        pooled0 = f64x2.add(pooled0, v128.load(part));
        pooled1 = f64x2.add(pooled1, v128.load(part, 16));
        pooled2 = f64x2.add(pooled2, v128.load(part, 32));
        pooled3 = f64x2.add(pooled3, v128.load(part, 48));
      }
    }
    const constant = f64x2.splat(f64.load(constants + (b << 3)));
    storeLogs(out, raised, f64x2.add(whole0, pooled0), constant, product0, powers, power0);
    storeLogs(out + 16, raised, f64x2.add(whole1, pooled1), constant, product1, powers, power1);
    storeLogs(out + 32, raised, f64x2.add(whole2, pooled2), constant, product2, powers, power2);
    storeLogs(out + 48, raised, f64x2.add(whole3, pooled3), constant, product3, powers, power3);
    out += CHUNK << 3;
  }
}

/** Puts the logarithm of a product together from its parts, for two cells in one evaluation. */
function storeLogs(
  out: usize,
  raised: v128,
  sets: v128,
  constant: v128,
  product: v128,
  powers: v128,
  power: v128,
): void {
  // The logarithm of 1 is 0, and many products are 1: without sets of a power, or with such sets as a whole.
  if (v128.any_true(v128.xor(product, f64x2.splat(1)))) constant = f64x2.add(constant, logLanes(product));
  if (v128.any_true(v128.xor(power, f64x2.splat(1)))) {
    constant = f64x2.add(constant, f64x2.mul(powers, logLanes(power)));
  }
  v128.store(out, f64x2.mul(raised, f64x2.add(sets, constant)));
}

/** Adds a chunk's cells, whose log-likelihoods are in `logs`, to the sums of a combination. */
function addChunk(row: i32, first: usize, cells: i32, from: f64): void {
  const own = <usize>row * evaluations << 3;
  for (let b: usize = 0; b < <usize>evaluations; b++) {
    const values = logs + (b * CHUNK << 3);
    const end = values + (CHUNK << 3);
    let most = v128.load(values);
    for (let at = values + 16; at < end; at += 16) most = f64x2.max(most, v128.load(at));
    const chunkLargest = max(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1));
    const sumAt = sums + own + (b << 3);
    const logSumAt = logSums + own + (b << 3);
    const largestAt = largest + own + (b << 3);
    let scale = f64.load(largestAt);
    if (chunkLargest > scale) {
      const factor = exp(scale - chunkLargest);
      scale = chunkLargest;
      f64.store(largestAt, scale);
      f64.store(sumAt, f64.load(sumAt) * factor);
      f64.store(logSumAt, f64.load(logSumAt) * factor);
      if (b == 0) {
        const start = marginals + (<usize>row * categories << 3);
        for (let at = start; at < start + (<usize>categories << 3); at += 8) {
          f64.store(at, f64.load(at) * factor);
        }
      }
    }
    const shift = f64x2.splat(scale);
    const zero = f64x2.splat(0);
    let sum = zero;
    let logSum = zero;
    let larger = zero;
    let same = zero;
    if (b == 0) keepGuesses(row, cells, from);
    for (let at = values; at < end; at += 16) {
      const value = v128.load(at);
      const weight = expLanes(f64x2.sub(value, shift));
      sum = f64x2.add(sum, weight);
      logSum = f64x2.add(logSum, f64x2.mul(weight, value));
      larger = i64x2.sub(larger, f64x2.gt(value, zero));
      same = i64x2.sub(same, f64x2.eq(value, zero));
      // The first evaluation's log-likelihoods are not needed again: its weights take their place.
      if (b == 0) v128.store(at, weight);
    }
    f64.store(sumAt, f64.load(sumAt) + lanes(sum));
    f64.store(logSumAt, f64.load(logSumAt) + lanes(logSum));
    addCount(above + own + (b << 3), larger);
    addCount(equal + own + (b << 3), same);
  }
  const ownMarginals = marginals + (<usize>row * categories << 3);
  let category = cellCategories + (first * variables << 2);
  for (let x: usize = 0; x < <usize>cells; x++) {
    const weight = f64.load(logs + (x << 3));
    for (let k = 0; k < variables; k++) {
      const at = ownMarginals + (<usize>load<u32>(category) << 3);
      f64.store(at, f64.load(at) + weight);
      category += 4;
    }
  }
}

function addCount(at: usize, counts: v128): void {
  const count = i64x2.extract_lane(counts, 0) + i64x2.extract_lane(counts, 1);
  f64.store(at, f64.load(at) + <f64>count);
}

/** Puts cells of the chunk among the most probable of a combination; of equal ones the earlier cell goes first. */
function keepGuesses(row: i32, cells: i32, from: f64): void {
  const values = guessValues + (<usize>row * guesses << 3);
  const numbers = guessCells + (<usize>row * guesses << 3);
  const last = <usize>(guesses - 1) << 3;
  for (let x = 0; x < cells; x++) {
    const value = f64.load(logs + (<usize>x << 3));
    if (!(value > f64.load(values + last))) continue;
    let at = last;
    while (at > 0 && value > f64.load(values + at - 8)) {
      f64.store(values + at, f64.load(values + at - 8));
      f64.store(numbers + at, f64.load(numbers + at - 8));
      at -= 8;
    }
    f64.store(values + at, value);
    f64.store(numbers + at, from + <f64>x);
  }
}

/** Puts the estimator together for a combination and the block's `count` cells, and adds them to its sums. */
function evaluate(row: i32, tiles: usize, from: f64, count: i32, power: f64, slope: f64): void {
  const truth = f64.load(truths + (<usize>row << 3)) - from;
  for (let first = 0; first < count; first += CHUNK) {
    const cells = min<i32>(CHUNK, count - first);
    for (let x = 0; x < cells; x += TILE) {
      evaluateTile(tiles + (<usize>(first + x) * chains << 3), logs + (<usize>x << 3), power, slope);
    }
    // The ratio of the truth to itself is 1 in every draw, whatever rounding makes of it.
    const x = truth - <f64>first;
    const hasTruth = x >= 0 && x < <f64>cells;
    for (let b: usize = 0; b < <usize>evaluations; b++) {
      const values = logs + (b * CHUNK << 3);
      if (hasTruth) f64.store(values + (<usize>x << 3), 0);
      for (let none = cells; none < CHUNK; none++) f64.store(values + (<usize>none << 3), NONE);
    }
    addChunk(row, first, cells, from + <f64>first);
  }
}

/**
 * Adds the block's `count` cells, the first of which has the number `from`, to the sums of every combination.
 * The densities of every chain are there.
 */
export function addBlock(from: f64, count: i32, power: f64, slope: f64): void {
  const rowBytes = <usize>blockCells * chains << 3;
  for (let strip = 0; strip < rowStrips; strip += GROUP_STRIPS) {
    const strips = min<i32>(GROUP_STRIPS, rowStrips - strip);
    for (let chain = 0; chain < chains; chain++) multiply(chain, strip, strips, count);
    const first = strip << 2;
    const end = min<i32>(first + (strips << 2), rows);
    for (let row = first; row < end; row++) {
      evaluate(row, means + <usize>(row - first) * rowBytes, from, count, power, slope);
    }
  }
}
