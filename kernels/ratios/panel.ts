/**
 * A panel of candidates, each a product of two vectors over classes, to be multiplied with further vectors and summed over
 * classes: the inner loops of the scoring. Four candidates at a time keep their sums in registers.
 */
import { multiply, vector } from './vectors';

/** Candidates that a panel holds at most. At 40 classes they take 10 KiB, a part of the first-level cache. */
export const CAPACITY: i32 = 32;

/** Candidates in the panel. */
export let filled: i32 = 0;
/** CAPACITY + 3, two addresses each: the factors of each candidate. */
let factors: usize = 0;
/** CAPACITY x classes: the products of the factors. */
let products: usize = 0;
/** CAPACITY, f64: what the first vector of a scoring finds, one density a candidate. */
export let densities: usize = 0;
/** CAPACITY, f64: what the second one finds. */
export let secondDensities: usize = 0;

/** Lays out the panel. */
export function preparePanel(): void {
  factors = heap.alloc((CAPACITY + 3) << 3);
  products = heap.alloc(<usize>CAPACITY * vector);
  memory.fill(products, 0, <usize>CAPACITY * vector);
  densities = heap.alloc(CAPACITY << 3);
  secondDensities = heap.alloc(CAPACITY << 3);
}

/** Empties the panel. */
export function clearPanel(): void {
  filled = 0;
}

/** Adds the candidate a[f] b[f]. Both vectors must stay as they are until the panel is scored. */
export function pushCandidate(a: usize, b: usize): void {
  const at = factors + (<usize>filled << 3);
  store<u32>(at, a);
  store<u32>(at, b, 4);
  filled++;
}

/** Adds one candidate for each of `count` vectors from `b` on, its product with the one at `a`. */
export function pushCandidates(a: usize, b: usize, count: i32): void {
  let at = factors + (<usize>filled << 3);
  filled += count;
  for (; count > 0; count--) {
    store<u32>(at, a);
    store<u32>(at, b, 4);
    at += 8;
    b += vector;
  }
}

/** What the class at an offset in a vector gives a candidate. */
export function termOf(candidate: i32, lane: usize): f64 {
  const at = factors + (<usize>candidate << 3);
  return f64.load(load<u32>(at) + lane) * f64.load(load<u32>(at, 4) + lane);
}

/** The same after `multiplyCandidates`. */
export function productTerm(candidate: i32, lane: usize): f64 {
  return f64.load(products + <usize>candidate * vector + lane);
}

/** Where the factors of the candidates are, two addresses each. */
export function factorsOfPanel(): usize {
  return factors;
}

/** Forms the product of every candidate, for `scoreOne` and `scoreTwo`. */
export function multiplyCandidates(): void {
  for (let i = 0; i < filled; i++) {
    const at = factors + (<usize>i << 3);
    multiply(load<u32>(at), load<u32>(at, 4), products + <usize>i * vector);
  }
}

function storeSums(out: usize, a: v128, b: v128, c: v128, d: v128): void {
  v128.store(out, f64x2.add(v128.shuffle<f64>(a, b, 0, 2), v128.shuffle<f64>(a, b, 1, 3)));
  v128.store(out, f64x2.add(v128.shuffle<f64>(c, d, 0, 2), v128.shuffle<f64>(c, d, 1, 3)), 16);
}

/** Scores the panel with one vector, after `multiplyCandidates`. */
export function scoreOne(other: usize): void {
  for (let i = 0; i < filled; i += 4) {
    const p0 = products + <usize>i * vector;
    scoreFour(p0, other, densities + (<usize>i << 3));
  }
}

function scoreFour(at: usize, other: usize, out: usize): void {
  const end = other + vector;
  let p0 = at;
  let p1 = p0 + vector;
  let p2 = p1 + vector;
  let p3 = p2 + vector;
  let sum0 = f64x2.splat(0);
  let sum1 = f64x2.splat(0);
  let sum2 = f64x2.splat(0);
  let sum3 = f64x2.splat(0);
  while (other < end) {
    const x = v128.load(other);
    sum0 = f64x2.add(sum0, f64x2.mul(x, v128.load(p0)));
    sum1 = f64x2.add(sum1, f64x2.mul(x, v128.load(p1)));
    sum2 = f64x2.add(sum2, f64x2.mul(x, v128.load(p2)));
    sum3 = f64x2.add(sum3, f64x2.mul(x, v128.load(p3)));
    other += 16;
    p0 += 16;
    p1 += 16;
    p2 += 16;
    p3 += 16;
  }
  storeSums(out, sum0, sum1, sum2, sum3);
}

/** Scores the panel with two vectors, after `multiplyCandidates`. */
export function scoreTwo(other: usize, second: usize): void {
  for (let i = 0; i < filled; i += 4) {
    const out = <usize>i << 3;
    scoreFourByTwo(products + <usize>i * vector, other, second, densities + out, secondDensities + out);
  }
}

function scoreFourByTwo(at: usize, other: usize, second: usize, out: usize, secondOut: usize): void {
  const end = other + vector;
  let p0 = at;
  let p1 = p0 + vector;
  let p2 = p1 + vector;
  let p3 = p2 + vector;
  let sum0 = f64x2.splat(0);
  let sum1 = f64x2.splat(0);
  let sum2 = f64x2.splat(0);
  let sum3 = f64x2.splat(0);
  let second0 = f64x2.splat(0);
  let second1 = f64x2.splat(0);
  let second2 = f64x2.splat(0);
  let second3 = f64x2.splat(0);
  while (other < end) {
    const x = v128.load(other);
    const y = v128.load(second);
    const c0 = v128.load(p0);
    sum0 = f64x2.add(sum0, f64x2.mul(x, c0));
    second0 = f64x2.add(second0, f64x2.mul(y, c0));
    const c1 = v128.load(p1);
    sum1 = f64x2.add(sum1, f64x2.mul(x, c1));
    second1 = f64x2.add(second1, f64x2.mul(y, c1));
    const c2 = v128.load(p2);
    sum2 = f64x2.add(sum2, f64x2.mul(x, c2));
    second2 = f64x2.add(second2, f64x2.mul(y, c2));
    const c3 = v128.load(p3);
    sum3 = f64x2.add(sum3, f64x2.mul(x, c3));
    second3 = f64x2.add(second3, f64x2.mul(y, c3));
    other += 16;
    second += 16;
    p0 += 16;
    p1 += 16;
    p2 += 16;
    p3 += 16;
  }
  storeSums(out, sum0, sum1, sum2, sum3);
  storeSums(secondOut, second0, second1, second2, second3);
}

/** Scores the panel with one vector without keeping the products: the same densities, for a panel that is used once. */
export function scoreOnce(other: usize): void {
  // Candidates come in fours; the last one fills them up.
  const last = factors + (<usize>(filled - 1) << 3);
  for (let i = filled; i & 3; i++) store<u64>(factors + (<usize>i << 3), load<u64>(last));
  for (let i = 0; i < filled; i += 4) {
    scoreFourFactors(factors + (<usize>i << 3), other, densities + (<usize>i << 3));
  }
}

function scoreFourFactors(at: usize, other: usize, out: usize): void {
  const end = other + vector;
  let a0 = load<u32>(at);
  let b0 = load<u32>(at, 4);
  let a1 = load<u32>(at, 8);
  let b1 = load<u32>(at, 12);
  let a2 = load<u32>(at, 16);
  let b2 = load<u32>(at, 20);
  let a3 = load<u32>(at, 24);
  let b3 = load<u32>(at, 28);
  let sum0 = f64x2.splat(0);
  let sum1 = f64x2.splat(0);
  let sum2 = f64x2.splat(0);
  let sum3 = f64x2.splat(0);
  while (other < end) {
    const x = v128.load(other);
    sum0 = f64x2.add(sum0, f64x2.mul(x, f64x2.mul(v128.load(a0), v128.load(b0))));
    sum1 = f64x2.add(sum1, f64x2.mul(x, f64x2.mul(v128.load(a1), v128.load(b1))));
    sum2 = f64x2.add(sum2, f64x2.mul(x, f64x2.mul(v128.load(a2), v128.load(b2))));
    sum3 = f64x2.add(sum3, f64x2.mul(x, f64x2.mul(v128.load(a3), v128.load(b3))));
    other += 16;
    a0 += 16;
    b0 += 16;
    a1 += 16;
    b1 += 16;
    a2 += 16;
    b2 += 16;
    a3 += 16;
    b3 += 16;
  }
  storeSums(out, sum0, sum1, sum2, sum3);
}
