/** Probabilities of cells in one class, of shared/risk/mixed/predictive.ts (`cellMasses`); see there. */
import { exp, log } from '../math/portable-math';
import { BLOCK } from './shape';
import { eightStudents, location, scale, student } from './student';

/** Steps of u in which a density that is narrower than a cell is added up, with value = location + scale sinh u. */
const STEP: f64 = 0.25;
/** Less than tanh(STEP / 2). */
const ONE_STEP: f64 = 0.124;

/** Eight numbers. */
const block: usize = memory.data(64, 16);
/** 0, 1; 2, 3; ...: places in a block. */
const places: usize = memory.data<f64>([0, 1, 2, 3, 4, 5, 6, 7], 16);

/** exp(u) of a value: sinh u is its distance from the location, in scales. */
function raised(value: f64): f64 {
  const sinh = (value - location) / scale;
  const root = sqrt<f64>(1 + sinh * sinh);
  return sinh < 0 ? 1 / (root - sinh) : root + sinh;
}

/** The open density times the slope of value(u), at exp(u). */
// @ts-ignore: decorator
@inline
function sloped(above: f64): f64 {
  const below = 1 / above;
  return student(scale * (above - below) * 0.5) * (above + below) * 0.5;
}

/** The probability between two values, given exp(u) of both. */
function narrowMass(from: f64, to: f64): f64 {
  // log(to / from) by its series in s, the rest of which is below 1e-14: a step at most.
  const s = (to - from) / (to + from);
  if (s < ONE_STEP) {
    const z = s * s;
    const series = 1 + z * (1 / 3.0 + z * (1 / 5.0 + z * (1 / 7.0 + z * (1 / 9.0 + z * (1 / 11.0 + z * (1 / 13.0))))));
    return sloped(sqrt<f64>(from * to)) * scale * (2 * s * series);
  }
  const length = log(to / from);
  const steps = max<i32>(1, <i32>ceil<f64>(length / STEP));
  const step = length / <f64>steps;
  const factor = exp(step);
  let above = from * sqrt<f64>(factor);
  let sum: f64 = 0;
  for (let i = 0; i < steps; i++) {
    sum += sloped(above);
    above *= factor;
  }
  return sum * scale * step;
}

/** Adds what a class narrower than a cell gives the cells, outwards from where it is. */
function addNarrow(target: usize, cells: i32, weight: f64, cut: f64, start: i32, width: f64): void {
  const middle = raised(<f64>start * width);
  let from = middle;
  for (let c = start; c < cells; c++) {
    const to = raised(<f64>(c + 1) * width);
    const mass = weight * narrowMass(from, to);
    const at = target + (<usize>c << 3);
    store<f64>(at, load<f64>(at) + mass);
    if (mass <= cut) break;
    from = to;
  }
  let to = middle;
  for (let c = start - 1; c >= 0; c--) {
    from = raised(<f64>c * width);
    const mass = weight * narrowMass(from, to);
    const at = target + (<usize>c << 3);
    store<f64>(at, load<f64>(at) + mass);
    if (mass <= cut) break;
    to = from;
  }
}

/** Adds the masses of a block's cells, which stay in `block`. */
function addBlock(target: usize, first: i32, weight: v128, width: f64): void {
  const shift = f64x2.splat((<f64>first + 0.5) * width - location);
  const widths = f64x2.splat(width);
  for (let i: usize = 0; i < 64; i += 16) {
    v128.store(block + i, f64x2.add(f64x2.mul(v128.load(places + i), widths), shift));
  }
  eightStudents(block);
  const at = target + (<usize>first << 3);
  for (let i: usize = 0; i < 64; i += 16) {
    const masses = f64x2.mul(v128.load(block + i), weight);
    v128.store(block + i, masses);
    v128.store(at + i, f64x2.add(v128.load(at + i), masses));
  }
}

/**
 * Adds what the open class gives the cells, outwards from where it is, until what it adds is no more than `cut`: farther away
 * it is less, since the density falls.
 *
 * @param cells on the unit scale; cells up to `padded` lie beyond it
 */
export function addMasses(target: usize, cells: i32, padded: i32, weight: f64, cut: f64): void {
  const width = 1 / <f64>cells;
  const start = <i32>max<f64>(0, min<f64>(<f64>(padded - 1), location * <f64>cells));
  if (scale < width) {
    addNarrow(target, padded, weight, cut, start, width);
    return;
  }
  const weights = f64x2.splat(weight * width);
  const own = start & -BLOCK;
  for (let c = own; c < padded; c += BLOCK) {
    addBlock(target, c, weights, width);
    if (load<f64>(block, 56) <= cut) break;
  }
  for (let c = own - BLOCK; c >= 0; c -= BLOCK) {
    addBlock(target, c, weights, width);
    if (load<f64>(block) <= cut) break;
  }
}
