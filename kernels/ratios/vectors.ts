/**
 * Vectors over classes, f64, two classes at a time (f64x2). Their length is even: where the number of classes is odd, the
 * host adds a class of weight zero.
 */
import { lanes } from '../math/lanes';
import { categories, classes } from './shape';

/** Bytes of a vector. */
export let vector: usize = 0;
/** categories of all variables end to end x classes: phi. */
export let probabilities: usize = 0;
/** classes: pi. */
export let weights: usize = 0;
/** classes: a one for each, for where the empty product must be a vector. */
export let ones: usize = 0;

/** Lays out the parameters; what every class gives a missing value stands after the categories. */
export function prepareVectors(): void {
  vector = <usize>classes << 3;
  weights = heap.alloc(vector);
  probabilities = heap.alloc(<usize>(categories + 1) * vector);
  ones = heap.alloc(vector);
  for (let f: usize = 0; f < vector; f += 8) f64.store(ones + f, 1);
}

/** Says how many classes the next draw has: an even number. */
export function setClasses(count: i32): void {
  vector = <usize>count << 3;
}

/** Address of the probabilities of a category in every class. */
export function phi(category: u32): usize {
  return probabilities + <usize>category * vector;
}

/** out[f] = a[f] b[f]; `out` may be one of them. */
export function multiply(a: usize, b: usize, out: usize): void {
  const end = a + vector;
  // Four pairs at a time, since a loop costs as much as a pair.
  for (const last = end - 64; <isize>a <= <isize>last; a += 64) {
    const pair0 = f64x2.mul(v128.load(a), v128.load(b));
    const pair1 = f64x2.mul(v128.load(a, 16), v128.load(b, 16));
    const pair2 = f64x2.mul(v128.load(a, 32), v128.load(b, 32));
    const pair3 = f64x2.mul(v128.load(a, 48), v128.load(b, 48));
    v128.store(out, pair0);
    v128.store(out, pair1, 16);
    v128.store(out, pair2, 32);
    v128.store(out, pair3, 48);
    b += 64;
    out += 64;
  }
  for (; a < end; a += 16) {
    v128.store(out, f64x2.mul(v128.load(a), v128.load(b)));
    b += 16;
    out += 16;
  }
}

/** No vector: the empty product, by which nothing has to be multiplied. */
export const EMPTY: usize = 0;

/** Address of the product of two vectors, of which either may be `EMPTY`: `out`, or the other one. */
export function times(a: usize, b: usize, out: usize): usize {
  if (a == EMPTY) return b;
  if (b == EMPTY) return a;
  multiply(a, b, out);
  return out;
}

/** Sum of a[f] b[f]: the even classes, plus the odd ones. */
export function dot(a: usize, b: usize): f64 {
  const end = a + vector;
  let sum = f64x2.splat(0);
  while (a < end) {
    sum = f64x2.add(sum, f64x2.mul(v128.load(a), v128.load(b)));
    a += 16;
    b += 16;
  }
  return lanes(sum);
}
