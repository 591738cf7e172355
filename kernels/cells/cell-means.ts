/** Each chain's means of r_x: a matrix product in tiles of 4 combinations and 4 cells that stay in registers. */
import { TILE, blockCells, chainDraws, chains, means, panelOf, weightsOf } from './cell-memory';

/** Means of r_x over a chain's draws, for strips of combinations from `firstStrip` and the block's `count` cells. */
export function multiply(chain: i32, firstStrip: i32, strips: i32, count: i32): void {
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
