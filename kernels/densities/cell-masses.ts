/** Probabilities of cells in one class, of shared/risk/mixed/predictive.ts (`cellMasses`); see there. */
import { exp, log } from '../math/portable-math';
import { BLOCK } from './shape';
import { eightStudents, location, reachOf, scale } from './student';

/** Steps of u in which a density that is narrower than a cell is added up, with value = location + scale sinh u. */
const STEP: f64 = 0.25;
/** Less than tanh(STEP / 2). */
const ONE_STEP: f64 = 0.124;

/** Eight numbers. */
const block: usize = memory.data(64, 16);
/** Nodes that are listed, in `block` by their distances; what each counts for, and the bytes of its cell. */
let nodes: usize = 0;
const nodeWeights: usize = memory.data(64, 16);
const nodeCells: usize = memory.data(32, 16);
/** 0, 1; 2, 3; ...: places in a block. */
const places: usize = memory.data<f64>([0, 1, 2, 3, 4, 5, 6, 7], 16);

/** exp(u) of a value: sinh u is its distance from the location, in scales. */
function raised(value: f64): f64 {
  const sinh = (value - location) / scale;
  const root = sqrt<f64>(1 + sinh * sinh);
  return sinh < 0 ? 1 / (root - sinh) : root + sinh;
}

/** Adds the masses of the nodes that are listed to their cells. */
function addNodes(target: usize): void {
  eightStudents(block);
  for (let i: usize = 0; i < nodes; i++) {
    const at = target + load<usize>(nodeCells + (i << 2));
    store<f64>(at, load<f64>(at) + load<f64>(block + (i << 3)) * load<f64>(nodeWeights + (i << 3)));
  }
  nodes = 0;
}

/** Lists the node exp(u) of a cell: its distance from the location, and what its density counts for. */
function listNode(target: usize, cell: usize, above: f64, weight: f64): void {
  const below = 1 / above;
  store<f64>(block + (nodes << 3), scale * (above - below) * 0.5);
  store<f64>(nodeWeights + (nodes << 3), weight * (above + below) * 0.5);
  store<usize>(nodeCells + (nodes << 2), cell);
  nodes++;
  if (nodes == 8) addNodes(target);
}

/** Lists the nodes between two values, given exp(u) of both. */
function listNodes(target: usize, cell: usize, from: f64, to: f64, weight: f64): void {
  // log(to / from) by its series in s, the rest of which is below 1e-14: a step at most.
  const s = (to - from) / (to + from);
  if (s < ONE_STEP) {
    const z = s * s;
    const series = 1 + z * (1 / 3.0 + z * (1 / 5.0 + z * (1 / 7.0 + z * (1 / 9.0 + z * (1 / 11.0 + z * (1 / 13.0))))));
    listNode(target, cell, sqrt<f64>(from * to), weight * (2 * s * series));
    return;
  }
  const length = log(to / from);
  const steps = max<i32>(1, <i32>ceil<f64>(length / STEP));
  const step = length / <f64>steps;
  const factor = exp(step);
  let above = from * sqrt<f64>(factor);
  for (let i = 0; i < steps; i++) {
    listNode(target, cell, above, weight * step);
    above *= factor;
  }
}

/** Adds what a class narrower than a cell gives some cells. */
function addNarrow(target: usize, first: i32, end: i32, weight: f64, width: f64): void {
  let from = raised(<f64>first * width);
  for (let c = first; c < end; c++) {
    const to = raised(<f64>(c + 1) * width);
    listNodes(target, <usize>c << 3, from, to, weight * scale);
    from = to;
  }
  if (nodes > 0) addNodes(target);
}

/** Adds the density in the middle of each cell of a block. */
function addBlock(target: usize, first: i32, weight: v128, width: f64): void {
  const shift = f64x2.splat((<f64>first + 0.5) * width - location);
  const widths = f64x2.splat(width);
  for (let i: usize = 0; i < 64; i += 16) {
    v128.store(block + i, f64x2.add(f64x2.mul(v128.load(places + i), widths), shift));
  }
  eightStudents(block);
  const at = target + (<usize>first << 3);
  for (let i: usize = 0; i < 64; i += 16) {
    v128.store(at + i, f64x2.add(v128.load(at + i), f64x2.mul(v128.load(block + i), weight)));
  }
}

/**
 * Adds what the open class gives the cells, but for those to which it gives no more than `cut`: the density falls with the
 * distance from its location.
 *
 * @param cells on the unit scale; cells up to `padded` lie beyond it
 */
export function addMasses(target: usize, cells: i32, padded: i32, weight: f64, cut: f64): void {
  const width = 1 / <f64>cells;
  const reach = cut > 0 ? reachOf(cut / (weight * width)) : Infinity;
  const first = <i32>max<f64>(0, min<f64>(<f64>padded, (location - reach) * <f64>cells));
  const end = <i32>max<f64>(0, min<f64>(<f64>padded, (location + reach) * <f64>cells + 1));
  if (scale < width) {
    addNarrow(target, first, end, weight, width);
    return;
  }
  const weights = f64x2.splat(weight * width);
  for (let c = first & -BLOCK; c < end; c += BLOCK) addBlock(target, c, weights, width);
}
