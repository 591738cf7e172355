/**
 * Scores every value of the unknown variables. The product over the known variables is formed once for all rows that share
 * their values. The unknown variables are cut in a head and a block: the head's values are walked as a tree, and each is
 * multiplied with all values of the block, which are the same for every row.
 */
import { leaveOutOfOwn, leaveOutOfValues } from './leave-out';
import { addRatios, setTruth } from './ratio-sums';
import {
  CAPACITY,
  clearPanel,
  densities,
  filled,
  multiplyCandidates,
  pushCandidate,
  scoreOne,
  secondDensities,
} from './panel';
import { blockValues, headVariables, knownValues, knownVariables, rows, unknownVariables } from './shape';
import { ValueGroups } from './value-groups';
import { dot, EMPTY, multiply, ones, phi, times, vector, weights } from './vectors';

/** The variables that the intruder knows. */
export let known: ValueGroups = changetype<ValueGroups>(0);
/** unknown variables, u32: first category of each. */
export let firsts: usize = 0;
/** unknown variables, u32: number of categories of each. */
export let sizes: usize = 0;
/** rows x unknown variables, u32: own categories, numbered through all variables. */
export let own: usize = 0;

/** head variables (at least one) x classes: products along the walk. */
let walk: usize = 0;
/** CAPACITY x classes: products over the block's variables but the last. */
let blockPrefixes: usize = 0;

/** The part of the block that is in the panel. */
let first: i32 = 0;
/** Value of the known variables, and the candidate that the walk has come to. */
let value: i32 = 0;
let candidate: i32 = 0;

/** Lays out what belongs to unknown variables. */
export function prepareUnknown(): void {
  known = new ValueGroups(rows, knownVariables, knownValues);
  firsts = heap.alloc(<usize>unknownVariables << 2);
  sizes = heap.alloc(<usize>unknownVariables << 2);
  own = heap.alloc(<usize>rows * unknownVariables << 2);
  walk = heap.alloc(<usize>max(1, headVariables) * vector);
  blockPrefixes = heap.alloc(<usize>CAPACITY * vector);
}

function entry(list: usize, k: i32): u32 {
  return load<u32>(list + (<usize>k << 2));
}

/** Density of a row's true values, added up as that of any candidate. */
function ownDensity(row: i32): f64 {
  const categories = own + (<usize>(row * unknownVariables) << 2);
  let head = known.fullOfRow(row);
  for (let k = 0; k < headVariables; k++) head = times(head, phi(entry(categories, k)), walk);
  let block = EMPTY;
  for (let k = headVariables; k < unknownVariables; k++) block = times(block, phi(entry(categories, k)), blockPrefixes);
  return leaveOutOfOwn(row, categories, block, head, dot(block, head));
}

/** Puts values of the block into the panel, from `first`. */
function fillPanel(): void {
  clearPanel();
  const last = unknownVariables - 1;
  const size = <i32>entry(sizes, last);
  const end = min(blockValues, first + CAPACITY);
  let place = blockPrefixes;
  let prefix = ones;
  for (let at = first; at < end; at++) {
    let rest = at / size;
    const code = at - rest * size;
    if (last > headVariables && (at == first || code == 0)) {
      prefix = EMPTY;
      // The digits of the value, from the first variable of the block to the last but one.
      let values = blockValues / size;
      for (let k = headVariables; k < last; k++) {
        values /= <i32>entry(sizes, k);
        const digit = rest / values;
        rest -= digit * values;
        prefix = times(prefix, phi(entry(firsts, k) + digit), place);
      }
      place += vector;
    }
    pushCandidate(prefix, phi(entry(firsts, last) + code));
  }
  multiplyCandidates();
}

/** Walks the values of the head's variables from `depth`, where the product is that at `from`. */
function descend(depth: i32, from: usize): void {
  if (depth == headVariables) {
    scoreOne(from);
    const end = known.start(value + 1);
    for (let at = known.start(value); at < end; at++) {
      const row = known.member(at);
      const value = candidate + first;
      addRatios(row, value, filled, leaveOutOfValues(row, value, from, densities, secondDensities));
    }
    candidate += blockValues;
    return;
  }
  const to = walk + <usize>depth * vector;
  const end = entry(firsts, depth) + entry(sizes, depth);
  for (let category = entry(firsts, depth); category < end; category++) {
    multiply(from, phi(category), to);
    descend(depth + 1, to);
  }
}

/** Adds the ratios of one draw to the sums of every row: all values of the unknown variables, the last fastest. */
export function scoreUnknown(): void {
  known.beginDraw(weights);
  for (let v = 0; v < known.values; v++) known.multiplyBefore(v);
  for (let row = 0; row < known.rows; row++) setTruth(row, ownDensity(row));
  for (first = 0; first < blockValues; first += CAPACITY) {
    fillPanel();
    for (value = 0; value < known.values; value++) {
      candidate = 0;
      descend(0, known.full(value));
    }
  }
}
