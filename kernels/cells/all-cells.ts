/**
 * Scores every cell of the cross-classification against a batch of combinations, a block of cells at a time, and
 * adds up what is asked of the cells. The plain program, with every layout and formula in words, is
 * bench/plain/cell-sums-reference.ts; the results are the same to the last bit.
 *
 * A block goes through two steps. `densities` finds f(x | Theta) of its cells under the draws of each chain, two
 * classes at a time. `addBlock` takes a few combinations at a time, so that what passes between its parts stays
 * near the processor: it turns the densities into each chain's mean of r_x, a matrix product in tiles of 4
 * combinations and 4 cells that stay in registers, and puts the estimator together for every cell and evaluation,
 * two cells at a time.
 */
import { evaluateTile } from './cell-evaluations';
import { multiply } from './cell-means';
import {
  CHUNK,
  GROUP_STRIPS,
  NONE,
  NONE_SINGLE,
  TILE,
  blockCells,
  chains,
  evaluations,
  halfLogs,
  logs,
  means,
  priorHalfLogs,
  priorLogs,
  rowStrips,
  rows,
  truths,
  values,
} from './cell-memory';
import { addChunk } from './cell-totals';

export { beginBlock, densities, densitiesOfListed, weigh } from './cell-densities';
export {
  above,
  blockCells,
  categories,
  chainDraws,
  chainFirst,
  chains,
  classes,
  codes,
  commonPower,
  draws,
  equal,
  evaluations,
  firstPriorLogs,
  groupSizes,
  groups,
  guessCells,
  guesses,
  guessValues,
  largest,
  lists,
  listWords,
  logSums,
  marginals,
  offsets,
  others,
  panel,
  parameters,
  prepare,
  priorLogSums,
  priorSet,
  rows,
  setChains,
  setCoefficients,
  setFirst,
  setFolds,
  setGroups,
  setRoles,
  sets,
  sizes,
  slope,
  start,
  sums,
  truths,
  values,
  variables,
  weights,
} from './cell-memory';

/** Gives cells `first` to `end` of a chunk a log-likelihood in every evaluation, and the truth's prior. */
function setCells(first: i32, end: i32, value: f64): void {
  for (let x = <usize>first; x < <usize>end; x++) {
    f64.store(logs + (x << 3), value);
    f64.store(priorLogs + (x << 3), 0);
    for (let b = 1, at = x << 2; b < evaluations; b++, at += CHUNK << 2) {
      f32.store(halfLogs + at, <f32>max(value, NONE_SINGLE));
      f32.store(priorHalfLogs + at, 0);
    }
  }
}

/** Puts the estimator together for a combination and the block's `count` cells, and adds them to its sums. */
function evaluate(row: i32, tiles: usize, from: f64, count: i32): void {
  const truth = f64.load(truths + (<usize>row << 3)) - from;
  for (let first = 0; first < count; first += CHUNK) {
    const cells = min<i32>(CHUNK, count - first);
    for (let x = 0; x < cells; x += TILE) evaluateTile(tiles + (<usize>(first + x) * chains << 3), x);
    // The ratio of the truth to itself is 1 in every draw, whatever rounding makes of it.
    const x = truth - <f64>first;
    if (x >= 0 && x < <f64>cells) setCells(<i32>x, <i32>x + 1, 0);
    setCells(cells, CHUNK, NONE);
    // Before weights take their place.
    memory.copy(values + (<usize>row * blockCells + first << 3), logs, <usize>cells << 3);
    addChunk(row, first, cells, from + <f64>first);
  }
}

/**
 * Adds the block's `count` cells, the first of which has the number `from`, to the sums of every combination.
 * The densities of every chain are there.
 */
export function addBlock(from: f64, count: i32): void {
  const rowBytes = <usize>blockCells * chains << 3;
  for (let strip = 0; strip < rowStrips; strip += GROUP_STRIPS) {
    const strips = min<i32>(GROUP_STRIPS, rowStrips - strip);
    for (let chain = 0; chain < chains; chain++) multiply(chain, strip, strips, count);
    const first = strip << 2;
    const end = min<i32>(first + (strips << 2), rows);
    for (let row = first; row < end; row++) {
      evaluate(row, means + <usize>(row - first) * rowBytes, from, count);
    }
  }
}
