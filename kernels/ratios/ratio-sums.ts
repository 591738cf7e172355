/** Sums over draws of the likelihood ratios and of their squares, for every candidate of every row. */

import { isSafe } from './leave-out';
import { candidates, rows } from './shape';

/** rows x candidates, f64: sums of r_x over the draws since the host cleared them. */
export let sums: usize = 0;
/** rows x candidates, f64: sums of r_x squared. */
export let squares: usize = 0;
/** rows, f64: 1 / f(x_i) under the present draw, or 0 where that density is unsafe. */
export let scales: usize = 0;
/** Rows whose density is unsafe under the present draw. Nothing is added to their sums: the host does it. */
export let unsafeCount: i32 = 0;

let safeDensity: f64 = 0;

/** Lays out the sums. */
export function prepareSums(): void {
  const bytes = <usize>rows * candidates << 3;
  sums = heap.alloc(bytes);
  squares = heap.alloc(bytes);
  scales = heap.alloc(<usize>rows << 3);
}

/** Begins a draw. */
export function beginDraw(safe: f64): void {
  safeDensity = safe;
  unsafeCount = 0;
}

/** Takes the density of a row's true values, by which the densities of its candidates are divided. */
export function setTruth(row: u32, density: f64): void {
  const safe = density > safeDensity && isSafe(row);
  if (!safe) unsafeCount++;
  f64.store(scales + (<usize>row << 3), safe ? 1 / density : 0);
}

/** Adds the ratios of `count` densities to the candidates of a row from `first`. */
export function addRatios(row: u32, first: i32, count: i32, densities: usize): void {
  const scale = f64.load(scales + (<usize>row << 3));
  if (scale == 0) return;
  const scalePair = f64x2.splat(scale);
  const offset = (<usize>row * candidates + first) << 3;
  let sum = sums + offset;
  let square = squares + offset;
  let density = densities;
  const end = density + (<usize>(count & ~1) << 3);
  while (density < end) {
    const ratio = f64x2.mul(v128.load(density), scalePair);
    v128.store(sum, f64x2.add(v128.load(sum), ratio));
    v128.store(square, f64x2.add(v128.load(square), f64x2.mul(ratio, ratio)));
    density += 16;
    sum += 16;
    square += 16;
  }
  if (count & 1) {
    const ratio = f64.load(density) * scale;
    f64.store(sum, f64.load(sum) + ratio);
    f64.store(square, f64.load(square) + ratio * ratio);
  }
}
