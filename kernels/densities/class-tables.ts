/** What the classes of a draw give categories and values, of shared/risk/mixed/class-tables.ts; see there. */
import { addMasses } from './cell-masses';
import {
  besideValues,
  BLOCK,
  cellCounts,
  cellTables,
  CONSTANTS,
  constants,
  continuous,
  counts,
  densities,
  distinctCounts,
  distinctValues,
  floors,
  largest,
  least,
  offsets,
  paddedCells,
  paddedRows,
  parts,
  probabilities,
  rows,
  totals,
  valueSums,
  vector,
  withins,
} from './shape';
import { logNormalMass } from '../math/normal-mass';
import { exp } from '../math/portable-math';
import { eightStudents, location, openStudent, prepareStudent, scale } from './student';

/** Eight numbers. */
const block: usize = memory.data(64, 16);

function tableCategories(): void {
  const classes = <i32>(vector >> 3);
  for (let k = 0; k < parts; k++) {
    const first = load<u32>(offsets + (<usize>k << 2));
    const end = load<u32>(offsets + (<usize>(k + 1) << 2));
    for (let f = 0; f < classes; f++) {
      const at = <usize>f << 3;
      let total = <f64>(end - first);
      for (let c = first; c < end; c++) total += <f64>load<u32>(counts + ((<usize>c * vector + at) >> 1));
      store<f64>(totals + <usize>k * vector + at, total);
      for (let c = first; c < end; c++) {
        const held = <f64>load<u32>(counts + ((<usize>c * vector + at) >> 1));
        store<f64>(probabilities + <usize>c * vector + at, (held + 1) / total);
      }
    }
  }
}

/** The values that are taken: {@link takeValues}. */
let number: f64 = 0;
let average: f64 = 0;
let centred: f64 = 0;
/** The constants of their number; those without one record and two are before them, those with one more after them. */
let constantsAt: usize = 0;

/** Takes the values of a continuous part in a class, of which some may then be left out or added. */
export function takeValues(j: i32, f: usize): void {
  const sums = valueSums + <usize>(3 * j) * vector + f;
  number = load<f64>(sums);
  average = load<f64>(sums + vector);
  centred = load<f64>(sums + (vector << 1));
  constantsAt = constants + ((<usize>j * vector + f) * 4 + (2 << 3)) * <usize>CONSTANTS;
}

/** Leaves out one of the values; NaN is none. */
export function leaveOut(value: f64): void {
  if (value != value) return;
  constantsAt -= <usize>CONSTANTS << 3;
  if (number <= 1) {
    number = 0;
    average = 0;
    centred = 0;
    return;
  }
  const others = average - (value - average) / (number - 1);
  centred = max<f64>(0, centred - (value - average) * (value - others));
  average = others;
  number -= 1;
}

/** Opens the density of a further value, given those that are taken. */
export function openTaken(): void {
  openStudent(constantsAt, average, centred);
}

/** Opens the density of a continuous part in a class. */
export function openClass(j: i32, f: usize): void {
  takeValues(j, f);
  openTaken();
}

/** The same with a value that the class does not have. */
export function openWith(j: i32, f: usize, value: f64): void {
  takeValues(j, f);
  const all = average + (value - average) / (number + 1);
  openStudent(constantsAt + (<usize>CONSTANTS << 3), all, centred + (value - average) * (value - all));
}

/** Densities of the rows' distinct values of a part in the class that is open. */
function tableDensities(j: i32, f: usize): void {
  const first = <usize>j * paddedRows;
  const own = distinctValues + (first << 3);
  const count = load<i32>(distinctCounts + (<usize>j << 2));
  let to = densities + first * vector + f;
  const shift = f64x2.splat(location);
  for (let value = 0; value < count; value += BLOCK) {
    const from = own + (<usize>value << 3);
    for (let i: usize = 0; i < 64; i += 16) v128.store(block + i, f64x2.sub(v128.load(from + i), shift));
    eightStudents(block);
    for (let i: usize = 0; i < 64; i += 8, to += vector) store<f64>(to, load<f64>(block + i));
  }
}

/** Whether the dataset has a number beside any row: a class then loses two values, or has one more. */
function hasBeside(): bool {
  for (let j = 0; j < continuous; j++) {
    for (let row = 0; row < rows; row++) {
      const value = load<f64>(besideValues + (<usize>(j * paddedRows + row) << 3));
      if (value == value) return true;
    }
  }
  return false;
}

/** The table of a draw whose pi, counts and sums are in memory. */
export function tableDraw(): void {
  tableCategories();
  const besides = hasBeside();
  for (let j = 0; j < continuous; j++) {
    const cells = load<i32>(cellCounts + (<usize>j << 2));
    const padded = paddedCells(j);
    const floor = load<f64>(floors + (<usize>j << 3));
    let table = <usize>load<u32>(cellTables + (<usize>j << 2));
    memory.fill(table, 0, (vector >> 3) * (<usize>padded << 3));
    for (let f: usize = 0; f < vector; f += 8, table += <usize>padded << 3) {
      takeValues(j, f);
      for (let more = besides ? -2 : -1; more <= (besides ? 1 : 0); more++) {
        prepareStudent(constantsAt + <usize>(more * (CONSTANTS << 3)), max<f64>(0, number + <f64>more), floor);
      }
      openTaken();
      if (besides) store<f64>(withins + <usize>j * vector + f, exp(-logNormalMass(-location / scale, (1 - location) / scale)));
      tableDensities(j, f);
      if (cells == 0) continue;
      addMasses(table, cells, padded, 1, 0);
      let low = load<f64>(table);
      let high = low;
      for (let c: usize = 8; c < <usize>padded << 3; c += 8) {
        low = min(low, load<f64>(table + c));
        high = max(high, load<f64>(table + c));
      }
      store<f64>(least + <usize>j * vector + f, low);
      store<f64>(largest + <usize>j * vector + f, high);
    }
  }
}
