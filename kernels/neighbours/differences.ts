/**
 * In how many variables rows differ from a point, 16 rows at a time; shared/risk/attack/nearest/difference-counter.ts says what for.
 */
import { aligned, reserve, VECTOR } from '../math/memory';

/** Rows of a vector. */
const LANES: i32 = 16;

let rows: i32 = 0;
/** Rows, rounded up to whole vectors. */
let padded: i32 = 0;
let variables: i32 = 0;

/** variables x padded rows, u8. */
export let codes: usize = 0;
/** variables, u8. */
export let point: usize = 0;
/** padded rows, u8: differences, 255 at most. */
let counts: usize = 0;
/** rows, u32: what `listRows` found. */
export let listed: usize = 0;
/** LANES, u8: the largest count where the last vector has no row. */
let absent: usize = 0;
/** LANES, u8. */
let least: usize = 0;

/** Lays the memory out. */
export function layOut(rowCount: i32, variableCount: i32): void {
  rows = rowCount;
  padded = (rowCount + LANES - 1) & ~(LANES - 1);
  variables = variableCount;
  absent = aligned(__heap_base, VECTOR);
  least = absent + VECTOR;
  codes = least + VECTOR;
  counts = codes + <usize>padded * variables;
  listed = counts + padded;
  point = listed + (<usize>padded << 2);
  reserve(point + variables);
  for (let lane = 0; lane < LANES; lane++) {
    store<u8>(absent + lane, padded - LANES + lane < rows ? 0 : 255);
  }
}

/** Counts the differences of every row from the point, and gives the least count. */
export function countDifferences(): i32 {
  const one = i8x16.splat(1);
  let lowest = i8x16.splat(-1);
  for (let row = 0; row < padded; row += LANES) {
    let count = row + LANES < padded ? i8x16.splat(0) : v128.load(absent);
    let at = codes + row;
    for (let v = 0; v < variables; v++) {
      const differs = i8x16.ne(v128.load(at), v128.load8_splat(point + v));
      count = i8x16.add_sat_u(count, v128.and(differs, one));
      at += padded;
    }
    v128.store(counts + row, count);
    lowest = i8x16.min_u(lowest, count);
  }
  v128.store(least, lowest);
  let smallest: i32 = 255;
  for (let lane = 0; lane < LANES; lane++) smallest = min(smallest, <i32>load<u8>(least + lane));
  return smallest;
}

/** Lists the rows with so many differences, in their order, and gives their number. */
export function listRows(differences: i32): i32 {
  const wanted = i8x16.splat(<i8>differences);
  let found: i32 = 0;
  for (let row = 0; row < rows; row += LANES) {
    let lanes = i8x16.bitmask(i8x16.eq(v128.load(counts + row), wanted));
    while (lanes != 0) {
      const at = row + ctz(lanes);
      // Rows that are not there have the largest count.
      if (at < rows) {
        store<u32>(listed + (<usize>found << 2), at);
        found++;
      }
      lanes &= lanes - 1;
    }
  }
  return found;
}
