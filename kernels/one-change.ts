/**
 * Scores every one-change candidate of a batch of combinations under one draw of the parameters, two classes
 * at a time (f64x2). The plain program is `oneChangeScorer` in shared/risk/likelihood-ratio-reference.ts, and the
 * results are the same to the last bit: the same products and sums in the same order, with one sum over the
 * even classes and one over the odd ones.
 */

let rows: i32 = 0;
let variables: i32 = 0;
/** Classes, rounded up to an even number; the host pads with classes of weight zero. */
let classes: i32 = 0;
let candidates: i32 = 0;
let prefixes: usize = 0;
let suffix: usize = 0;
let others: usize = 0;
let densities: usize = 0;

/** rows x variables, u16: category of each variable. */
export let codes: usize = 0;
/** variables, u32: number of categories. */
export let sizes: usize = 0;
/** classes, f64: pi. */
export let weights: usize = 0;
/** categories of all variables end to end x classes, f64: phi. */
export let probabilities: usize = 0;
/** rows x candidates, f64: the result. */
export let ratios: usize = 0;
/** rows, u8: 1 where a density fell below `safeDensity`, so that the row must be scored in logs. */
export let unsafeRows: usize = 0;

function aligned(at: usize): usize {
  return (at + 15) & ~15;
}

/** Lays the memory out; called once. */
export function prepare(
  rowCount: i32,
  variableCount: i32,
  classCount: i32,
  categoryCount: i32,
  largestSize: i32,
  candidateCount: i32,
): void {
  rows = rowCount;
  variables = variableCount;
  classes = classCount;
  candidates = candidateCount;
  const vector: usize = <usize>classes << 3;
  codes = aligned(__heap_base);
  sizes = aligned(codes + (<usize>rows * variables << 1));
  weights = aligned(sizes + (<usize>variables << 2));
  probabilities = weights + vector;
  prefixes = probabilities + <usize>categoryCount * vector;
  suffix = prefixes + <usize>variables * vector;
  others = suffix + vector;
  densities = others + vector;
  ratios = aligned(densities + (<usize>largestSize << 3));
  unsafeRows = ratios + (<usize>rows * candidates << 3);
  const end = unsafeRows + rows;
  const pages = <i32>((end + 0xffff) >> 16) - memory.size();
  if (pages > 0 && memory.grow(pages) < 0) unreachable();
}

/** out[f] = a[f] * b[f] over classes. */
function multiply(a: usize, b: usize, out: usize): void {
  const end = <usize>classes << 3;
  for (let f: usize = 0; f < end; f += 16) {
    v128.store(out + f, f64x2.mul(v128.load(a + f), v128.load(b + f)));
  }
}

function lanes(sum: v128): f64 {
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
}

/** densities[c] = sum over classes of others[f] times the probabilities of category c of one variable. */
function categoryDensities(from: usize, size: i32): void {
  const vector: usize = <usize>classes << 3;
  let c = 0;
  for (; c + 3 < size; c += 4) {
    const row0 = from + <usize>c * vector;
    const row1 = row0 + vector;
    const row2 = row1 + vector;
    const row3 = row2 + vector;
    let sum0 = f64x2.splat(0);
    let sum1 = f64x2.splat(0);
    let sum2 = f64x2.splat(0);
    let sum3 = f64x2.splat(0);
    for (let f: usize = 0; f < vector; f += 16) {
      const other = v128.load(others + f);
      sum0 = f64x2.add(sum0, f64x2.mul(other, v128.load(row0 + f)));
      sum1 = f64x2.add(sum1, f64x2.mul(other, v128.load(row1 + f)));
      sum2 = f64x2.add(sum2, f64x2.mul(other, v128.load(row2 + f)));
      sum3 = f64x2.add(sum3, f64x2.mul(other, v128.load(row3 + f)));
    }
    const out = densities + (<usize>c << 3);
    f64.store(out, lanes(sum0));
    f64.store(out, lanes(sum1), 8);
    f64.store(out, lanes(sum2), 16);
    f64.store(out, lanes(sum3), 24);
  }
  for (; c + 1 < size; c += 2) {
    const row0 = from + <usize>c * vector;
    const row1 = row0 + vector;
    let sum0 = f64x2.splat(0);
    let sum1 = f64x2.splat(0);
    for (let f: usize = 0; f < vector; f += 16) {
      const other = v128.load(others + f);
      sum0 = f64x2.add(sum0, f64x2.mul(other, v128.load(row0 + f)));
      sum1 = f64x2.add(sum1, f64x2.mul(other, v128.load(row1 + f)));
    }
    const out = densities + (<usize>c << 3);
    f64.store(out, lanes(sum0));
    f64.store(out, lanes(sum1), 8);
  }
  if (c < size) {
    const row = from + <usize>c * vector;
    let sum = f64x2.splat(0);
    for (let f: usize = 0; f < vector; f += 16) {
      sum = f64x2.add(sum, f64x2.mul(v128.load(others + f), v128.load(row + f)));
    }
    f64.store(densities + (<usize>c << 3), lanes(sum));
  }
}

/**
 * Scores every row: `ratios` and `unsafeRows`. Rows that begin with the categories of the row before them keep
 * its prefix products.
 */
export function score(safeDensity: f64): void {
  const vector: usize = <usize>classes << 3;
  memory.copy(prefixes, weights, vector);
  for (let row = 0; row < rows; row++) {
    const own = codes + (<usize>row * variables << 1);
    let first = probabilities;
    for (let k = 0; k < variables - 1; k++) {
      const from = prefixes + <usize>k * vector;
      multiply(from, first + <usize>load<u16>(own + (<usize>k << 1)) * vector, from + vector);
      first += <usize>load<u32>(sizes + (<usize>k << 2)) * vector;
    }
    let out = ratios + (<usize>(row + 1) * candidates << 3);
    let unsafe: u8 = 0;
    for (let k = variables - 1; k >= 0; k--) {
      const size = load<u32>(sizes + (<usize>k << 2));
      const code = <usize>load<u16>(own + (<usize>k << 1));
      const prefix = prefixes + <usize>k * vector;
      if (k == variables - 1) memory.copy(others, prefix, vector);
      else multiply(prefix, suffix, others);
      categoryDensities(first, size);
      const density = f64.load(densities + (code << 3));
      if (!(density > safeDensity)) unsafe = 1;
      const scale = 1 / density;
      for (let c = <i32>size - 1; c >= 0; c--) {
        if (c == <i32>code) continue;
        out -= 8;
        f64.store(out, f64.load(densities + (<usize>c << 3)) * scale);
      }
      const ownProbabilities = first + code * vector;
      if (k == variables - 1) memory.copy(suffix, ownProbabilities, vector);
      else multiply(suffix, ownProbabilities, suffix);
      if (k > 0) first -= <usize>load<u32>(sizes + (<usize>(k - 1) << 2)) * vector;
    }
    f64.store(out - 8, 1);
    store<u8>(unsafeRows + row, unsafe);
  }
}
