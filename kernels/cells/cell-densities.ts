/** Densities f(x | Theta) of cells and combinations under the draws of each chain, two classes at a time. */
import { lanes } from '../math/lanes';
import {
  TILE,
  categories,
  cellCategories,
  chainDraws,
  classes,
  codes,
  offsets,
  panelOf,
  parametersOf,
  prefixes,
  rowStrips,
  runs,
  sizes,
  start,
  stripAt,
  variables,
  weightsOf,
} from './cell-memory';

let runsEnd: usize = 0;

/** out[f] = a[f] * b[f] over classes. */
function multiplyClasses(a: usize, b: usize, out: usize): void {
  const end = <usize>classes << 3;
  for (let f: usize = 0; f < end; f += 16) {
    v128.store(out + f, f64x2.mul(v128.load(a + f), v128.load(b + f)));
  }
}

/** Address of a draw's probabilities of variable k. */
function variableAt(draw: usize, k: i32): usize {
  return draw + ((<usize>load<u32>(offsets + (<usize>k << 2)) + 1) * classes << 3);
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

/** Densities of the first `count` rows of `codes` under a chain, into `panel`: at most as many as a block has cells. */
export function densitiesOfListed(chain: i32, count: i32): void {
  densitiesOfCodes(chain, count, panelOf(chain));
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
