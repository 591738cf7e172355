/**
 * Takes a row's record out of the class that it is allocated to, where phi is integrated out given an allocation: what the
 * records of a class say of phi must not be said by the record itself (docs/explanation/estimators.md, phi integrated out). A class
 * without the record gives a candidate what it gives with it, times a factor that depends only on which values of the
 * candidate are those that the record has.
 */
import { CAPACITY, factorsOfPanel, filled, productTerm, termOf } from './panel';
import { candidates, categories, rows, unknownVariables, variables } from './shape';
import { probabilities, vector } from './vectors';

/** A factor below this would leave fewer than seven digits of a density from which the class is taken: such rows are scored in logs. */
const SAFE_FACTOR: f64 = 1e-9;

/** categories x classes, u32: records of each class that have each category. */
export let counts: usize = 0;
/** rows, u32: class of the record of each row. */
export let classOfRow: usize = 0;
/** rows x variables, u32: what the record of each row has, numbered through; the number after all categories if missing. */
export let held: usize = 0;
/** rows x variables, u32: what the candidates of each row are changes of; of unknown variables no category. */
export let centres: usize = 0;
/** variables + 1, u32: first category of each variable. */
export let firstCategories: usize = 0;
/**
 * What candidates are, u32. Of changes: candidates x 2 x 2, the variable (the number after all variables for none) and the
 * place of its category among the others. Of unknown variables: candidates x unknown variables, their categories.
 */
export let changed: usize = 0;
/** unknown variables, u32: which they are. */
export let unknown: usize = 0;

/** Whether the present draw has an allocation. */
let allocated: bool = false;

/** (categories + 1) x classes, f64: the factor of a class for a value that the record has; 1 for a missing one. */
let owned: usize = 0;
/** (categories + 1) x classes, f64: by how much that factor is larger for another value. */
let gained: usize = 0;
/** classes, f64: records of each class that have any value of a variable, and the number of its categories. */
let totals: usize = 0;
/** rows, f64: the factor of what the candidates are changes of. */
let factors: usize = 0;
/** rows x (variables + 1), f64: by how much the factor is larger where a variable is changed; 1 in the last place. */
let changes: usize = 0;
/** CAPACITY, f64: what the class of a row's record gives each change in the panel, and by how much that makes its factor larger. */
let panelTerms: usize = 0;
let panelGains: usize = 0;
/** rows, u8: whether the record has another value than its candidates are changes of. */
let replaced: usize = 0;

/** Lays the memory out. */
export function prepareLeaveOut(): void {
  const cells = <usize>categories * (vector >> 3);
  counts = heap.alloc(cells << 2);
  classOfRow = heap.alloc(<usize>rows << 2);
  held = heap.alloc(<usize>(rows * variables) << 2);
  centres = heap.alloc(<usize>(rows * variables) << 2);
  firstCategories = heap.alloc(<usize>(variables + 1) << 2);
  changed = heap.alloc(<usize>(candidates * (unknownVariables > 0 ? unknownVariables : 4)) << 2);
  unknown = heap.alloc(<usize>unknownVariables << 2);
  owned = heap.alloc((<usize>categories + 1) * vector);
  gained = heap.alloc((<usize>categories + 1) * vector);
  totals = heap.alloc(vector);
  factors = heap.alloc(<usize>rows << 3);
  changes = heap.alloc(<usize>(rows * (variables + 1)) << 3);
  panelTerms = heap.alloc(CAPACITY << 3);
  panelGains = heap.alloc(CAPACITY << 3);
  replaced = heap.alloc(<usize>rows);
}

function category(list: usize, row: i32, k: i32): u32 {
  return load<u32>(list + (<usize>(row * variables + k) << 2));
}

function laneOf(row: u32): usize {
  return <usize>load<u32>(classOfRow + (<usize>row << 2)) << 3;
}

/** phi of every class in the mean given the allocation, without leaving anybody out; and what leaving one out does. */
function integrate(): void {
  const half = vector >> 1;
  for (let k = 0; k < variables; k++) {
    const from = load<u32>(firstCategories + (<usize>k << 2));
    const end = load<u32>(firstCategories + (<usize>(k + 1) << 2));
    for (let f: usize = 0; f < vector; f += 8) f64.store(totals + f, <f64>(end - from));
    for (let c = from; c < end; c++) {
      const own = counts + <usize>c * half;
      for (let f: usize = 0; f < vector; f += 8) {
        f64.store(totals + f, f64.load(totals + f) + <f64>load<u32>(own + (f >> 1)));
      }
    }
    for (let c = from; c < end; c++) {
      const own = counts + <usize>c * half;
      const place = <usize>c * vector;
      for (let f: usize = 0; f < vector; f += 8) {
        const records = <f64>load<u32>(own + (f >> 1));
        const total = f64.load(totals + f);
        f64.store(probabilities + place + f, (records + 1) / total);
        // Of a class without the value nobody is taken out who has it.
        if (records == 0) continue;
        f64.store(gained + place + f, (records + 1) / records);
        f64.store(owned + place + f, (records / (records + 1)) * (total / (total - 1)));
      }
    }
  }
  const missing = <usize>categories * vector;
  for (let f: usize = 0; f < vector; f += 8) {
    f64.store(owned + missing + f, 1);
    f64.store(gained + missing + f, 1);
  }
}

/**
 * Begins a draw.
 *
 * @param withAllocation whether phi is to be integrated out given `counts` and `classOfRow`; else it is given
 */
export function beginLeaveOut(withAllocation: bool): void {
  allocated = withAllocation;
  if (!allocated) return;
  integrate();
  for (let row = 0; row < rows; row++) {
    const lane = laneOf(row);
    const larger = changes + (<usize>(row * (variables + 1)) << 3);
    let factor: f64 = 1;
    let differs: u8 = 0;
    for (let k = 0; k < variables; k++) {
      const own = category(held, row, k);
      const place = <usize>own * vector + lane;
      const gain = f64.load(gained + place);
      factor *= f64.load(owned + place);
      if (category(centres, row, k) == own) {
        f64.store(larger + (<usize>k << 3), gain);
      } else {
        factor *= gain;
        differs = 1;
        f64.store(larger + (<usize>k << 3), 1);
      }
    }
    f64.store(larger + (<usize>variables << 3), 1);
    f64.store(factors + (<usize>row << 3), factor);
    store<u8>(replaced + row, differs);
  }
}

/** Whether a row's record can be taken out of densities by subtraction. */
export function isSafe(row: u32): bool {
  return !allocated || f64.load(factors + (<usize>row << 3)) > SAFE_FACTOR;
}

/** The share of a row's factor that remains where a variable has some category: less than 1 where the record has that one. */
function shareOf(row: u32, k: i32, candidateCategory: u32): f64 {
  const own = category(held, row, k);
  return own == candidateCategory ? 1 / f64.load(gained + <usize>own * vector + laneOf(row)) : 1;
}

/** The share for one change: a variable (the number after all for none), and the place of its category among the others. */
function shareOfChange(row: u32, change: usize): f64 {
  const k = load<u32>(change);
  if (<i32>k == variables) return 1;
  const first = load<u32>(firstCategories + (<usize>k << 2));
  const place = first + load<u32>(change, 4);
  return shareOf(row, k, place < category(centres, row, k) ? place : place + 1);
}

/** The factor of what has some categories of the unknown variables, which are at `own`. */
function factorOfValues(row: u32, own: usize): f64 {
  let factor = f64.load(factors + (<usize>row << 3));
  for (let j = 0; j < unknownVariables; j++) {
    const at = <usize>j << 2;
    factor *= shareOf(row, load<u32>(unknown + at), load<u32>(own + at));
  }
  return factor;
}

/** What a density becomes without the record, given what its class gives it with it. */
function without(density: f64, term: f64, factor: f64): f64 {
  return density + term * (factor - 1);
}

/** By how much the factor of a row is larger where its candidates change a variable. */
function largerOf(row: u32): usize {
  return changes + (<usize>(row * (variables + 1)) << 3);
}

/** Takes the record of a row out of the densities of the panel's changes, the first of which is `first`, joined with a vector. */
export function leaveOutOfChanges(row: u32, first: i32, other: usize, densities: usize): void {
  if (!allocated) return;
  const lane = laneOf(row);
  const joined = f64.load(other + lane);
  const larger = largerOf(row);
  const factor = f64.load(factors + (<usize>row << 3));
  const isReplaced = load<u8>(replaced + row) != 0;
  const count = filled;
  let change = changed + (<usize>first << 4);
  let product = factorsOfPanel();
  for (let i = 0; i < count; i++) {
    const at = densities + (<usize>i << 3);
    const term = joined * (f64.load(load<u32>(product) + lane) * f64.load(load<u32>(product, 4) + lane));
    let own =
      factor *
      f64.load(larger + (<usize>load<u32>(change) << 3)) *
      f64.load(larger + (<usize>load<u32>(change, 8) << 3));
    if (isReplaced) own = own * shareOfChange(row, change) * shareOfChange(row, change + 8);
    f64.store(at, without(f64.load(at), term, own));
    change += 16;
    product += 8;
  }
}

/**
 * Prepares for `leaveOutOfCrossed`: what the class of a row's record gives each change in the panel, of which the products
 * are formed, and by how much each makes the factor larger. `first` is the candidate of the first change by itself.
 */
export function beginCrossed(row: u32, first: i32): void {
  if (!allocated) return;
  const lane = laneOf(row);
  const larger = largerOf(row);
  let change = changed + (<usize>first << 4);
  for (let i = 0; i < filled; i++) {
    const at = <usize>i << 3;
    f64.store(panelTerms + at, productTerm(i, lane));
    f64.store(panelGains + at, f64.load(larger + (<usize>load<u32>(change) << 3)));
    change += 16;
  }
}

/** `leaveOutOfChanges` for a change of the left half, joined with those that `beginCrossed` has seen: two at a time. */
export function leaveOutOfCrossed(row: u32, first: i32, other: usize, densities: usize): void {
  if (!allocated) return;
  if (load<u8>(replaced + row) != 0) {
    leaveOutOfChanges(row, first, other, densities);
    return;
  }
  const variable = load<u32>(changed + (<usize>first << 4));
  const joined = f64x2.splat(f64.load(other + laneOf(row)));
  const factor = f64x2.splat(f64.load(factors + (<usize>row << 3)) * f64.load(largerOf(row) + (<usize>variable << 3)));
  const one = f64x2.splat(1);
  // What lies beyond the last of an odd number is never read.
  const bytes = <usize>filled << 3;
  for (let at: usize = 0; at < bytes; at += 16) {
    const term = f64x2.mul(joined, v128.load(panelTerms + at));
    const own = f64x2.mul(factor, v128.load(panelGains + at));
    const density = v128.load(densities + at);
    v128.store(densities + at, f64x2.add(density, f64x2.mul(term, f64x2.sub(own, one))));
  }
}

/** The same for the panel's values of unknown variables: finds them in `out`, since other rows have the same densities. */
export function leaveOutOfValues(row: u32, first: i32, other: usize, densities: usize, out: usize): usize {
  if (!allocated) return densities;
  const lane = laneOf(row);
  const joined = f64.load(other + lane);
  for (let i = 0; i < filled; i++) {
    const at = <usize>i << 3;
    const values = changed + (<usize>((first + i) * unknownVariables) << 2);
    const term = joined * termOf(i, lane);
    f64.store(out + at, without(f64.load(densities + at), term, factorOfValues(row, values)));
  }
  return out;
}

/** The same for one density, of the categories at `own` of the unknown variables and of two vectors. */
export function leaveOutOfOwn(row: u32, own: usize, a: usize, b: usize, density: f64): f64 {
  if (!allocated) return density;
  const lane = laneOf(row);
  return without(density, f64.load(a + lane) * f64.load(b + lane), factorOfValues(row, own));
}
