/**
 * The program of shared/risk/attribute/value-figures.ts: what is known of the values of a record in some variables
 * before and after the release, the others known. See there for the mathematics; the operations are the same in the
 * same order, so that the results are the same to the last bit.
 */
import { exp, log } from '../math/portable-math';

const LN2: f64 = 0.6931471805599453;

/** Figures of a value set in an evaluation. */
export const FIGURES: i32 = 9;

/** How far apart logarithms may be by rounding and tie; and by how many errors where they are simulated. */
export let tieRounding: f64 = 0;
/** See `tieRounding`. */
export let tieErrors: f64 = 0;
/** See `tieRounding`: no distance beyond it is a tie. */
export let tieMost: f64 = 0;
/** Resamples from which the error of a distance is taken; they are in the first block. */
export let tieResamples: i32 = 0;

/** values, f64: logarithms of their weights before and after the release, and room to add them up. */
let before: usize = 0;
let after: usize = 0;
let sums: usize = 0;

/** The set that is open: its entries and values; entries, u32: a candidate, and the value that it has. */
let entries: i32 = 0;
let values: i32 = 0;
let candidates: usize = 0;
let codes: usize = 0;

/** Takes room for sets of at most so many values; returns where it ends. */
export function layOut(from: usize, mostValues: i32): usize {
  before = from;
  after = before + (<usize>mostValues << 3);
  sums = after + (<usize>mostValues << 3);
  return sums + (<usize>mostValues << 3);
}

/** Opens a set that begins at an entry of two lists: `candidatesAt`, u32, and `codesAt`, u32, the value of each. */
export function openSet(entryCount: i32, valueCount: i32, candidatesAt: usize, codesAt: usize): void {
  entries = entryCount;
  values = valueCount;
  candidates = candidatesAt;
  codes = codesAt;
}

function at(array: usize, index: i32): f64 {
  return load<f64>(array + (<usize>index << 3));
}

function put(array: usize, index: i32, value: f64): void {
  store<f64>(array + (<usize>index << 3), value);
}

function whole(array: usize, index: i32): i32 {
  return load<u32>(array + (<usize>index << 2));
}

/** Adds up the weights of the candidates that have a value, in logarithms, for each value of a set. */
function addByValue(out: usize, prior: usize, row: usize): void {
  for (let v = 0; v < values; v++) {
    put(out, v, -Infinity);
    put(sums, v, 0);
  }
  for (let i = 0; i < entries; i++) {
    const v = whole(codes, i);
    put(out, v, max(at(out, v), logWeight(whole(candidates, i), prior, row)));
  }
  // A value of one candidate has its weight, exactly.
  if (entries == values) return;
  for (let i = 0; i < entries; i++) {
    const v = whole(codes, i);
    put(sums, v, at(sums, v) + exp(logWeight(whole(candidates, i), prior, row) - at(out, v)));
  }
  for (let v = 0; v < values; v++) put(out, v, at(out, v) + log(at(sums, v)));
}

/** Logarithm of a candidate's weight: its prior and, where there is a row of them, its log-likelihood. */
function logWeight(candidate: i32, prior: usize, row: usize): f64 {
  const weight = at(prior, candidate);
  return row == 0 ? weight : weight + at(row, candidate);
}

/**
 * How far each value of the open set may be from the truth before the release and tie, into `tolerances`.
 *
 * @param prior rows of candidates, `stride` bytes apart, f64: the estimate's, and those of so many resamples
 */
export function findTolerances(prior: usize, stride: usize, resamples: i32, tolerances: usize): void {
  // Distances of the estimate from its truth, in the room of what comes after the release.
  addByValue(before, prior, 0);
  for (let v = 0; v < values; v++) {
    put(after, v, at(before, v) - at(before, 0));
    put(tolerances, v, 0);
  }
  for (let b = 1; b <= resamples; b++) {
    addByValue(before, prior + <usize>b * stride, 0);
    for (let v = 0; v < values; v++) {
      const deviation = at(before, v) - at(before, 0) - at(after, v);
      put(tolerances, v, at(tolerances, v) + deviation * deviation);
    }
  }
  for (let v = 0; v < values; v++) {
    const tolerance = tieErrors * sqrt(at(tolerances, v) / <f64>resamples);
    put(tolerances, v, tolerance > tieRounding && tolerance < Infinity ? min(tieMost, tolerance) : tieRounding);
  }
}

/**
 * Figures of the open set in one evaluation.
 *
 * @param tolerances values, f64, as `findTolerances` has them
 * @param prior candidates, f64: logarithms; `row` the log-likelihoods
 * @param figures FIGURES, f64; `guesses` 2, u32, or 0 where they are not asked for
 */
export function weighSet(prior: usize, row: usize, tolerances: usize, figures: usize, guesses: usize): void {
  addByValue(before, prior, 0);
  addByValue(after, prior, row);
  let mostBefore = at(before, 0);
  let mostAfter = at(after, 0);
  let firstBefore = 0;
  let firstAfter = 0;
  let aboveBefore = 0;
  let aboveAfter = 0;
  let tiesBefore = 0;
  let tiesAfter = 0;
  const truthBefore = mostBefore;
  const truthAfter = mostAfter;
  for (let v = 1; v < values; v++) {
    const own = at(before, v);
    const then = at(after, v);
    const tolerance = at(tolerances, v);
    const gapBefore = own - truthBefore;
    const gapAfter = then - truthAfter;
    if (gapBefore > tolerance) aboveBefore++;
    else if (gapBefore >= -tolerance) tiesBefore++;
    if (gapAfter > tolerance) aboveAfter++;
    else if (gapAfter >= -tolerance) tiesAfter++;
    if (own > mostBefore) {
      mostBefore = own;
      firstBefore = v;
    }
    if (then > mostAfter) {
      mostAfter = then;
      firstAfter = v;
    }
  }
  let totalBefore: f64 = 0;
  let totalAfter: f64 = 0;
  let moment: f64 = 0;
  for (let v = 0; v < values; v++) {
    const weight = exp(at(after, v) - mostAfter);
    totalBefore += exp(at(before, v) - mostBefore);
    totalAfter += weight;
    moment += weight * (at(after, v) - at(before, v));
  }
  // Logarithms of the sums over values, and how far the release moved the whole.
  const allBefore = mostBefore + log(totalBefore);
  const allAfter = mostAfter + log(totalAfter);
  const shift = allAfter - allBefore;
  put(figures, 0, exp(truthBefore - allBefore));
  put(figures, 1, exp(truthAfter - allAfter));
  put(figures, 2, (truthAfter - truthBefore - shift) / LN2);
  put(figures, 3, max<f64>(0, (moment / totalAfter - shift) / LN2));
  put(figures, 4, 1 + <f64>aboveBefore + <f64>tiesBefore / 2);
  put(figures, 5, 1 + <f64>aboveAfter + <f64>tiesAfter / 2);
  put(figures, 6, aboveBefore == 0 ? 1 / (1 + <f64>tiesBefore) : 0);
  put(figures, 7, aboveAfter == 0 ? 1 / (1 + <f64>tiesAfter) : 0);
  put(figures, 8, max<f64>(0, (allBefore - truthBefore) / LN2));
  if (guesses == 0) return;
  store<u32>(guesses, aboveBefore == 0 ? 0 : firstBefore);
  store<u32>(guesses, aboveAfter == 0 ? 0 : firstAfter, 4);
}
