/**
 * Scores one-change and two-change candidates. A combination is cut in two halves of its variables, so that the density of a
 * candidate is a sum over classes of (left half, changed or not) x (right half, changed or not). The changed vectors of a
 * half are formed once for all rows that share its value.
 */
import { beginCrossed, leaveOutOfChanges, leaveOutOfCrossed } from './leave-out';
import { addRatios, setTruth } from './ratio-sums';
import {
  CAPACITY,
  clearPanel,
  densities,
  filled,
  multiplyCandidates,
  pushCandidate,
  pushCandidates,
  scoreOnce,
  scoreOne,
  scoreTwo,
  secondDensities,
} from './panel';
import { leftChanges, leftValues, leftVariables, rightValues, rows, twoChanges, variables } from './shape';
import { ValueGroups } from './value-groups';
import { EMPTY, multiply, phi, times, vector, weights } from './vectors';

/** The first variables, up to the cut. */
export let left: ValueGroups = changetype<ValueGroups>(0);
/** The others; none where there is one variable only. */
export let right: ValueGroups = changetype<ValueGroups>(0);
/** variables + 1, u32: first category of each variable. */
export let offsets: usize = 0;
/** variables + 1, u32: first of the one-change candidates of each variable. */
export let singles: usize = 0;
/** variables, u32: first of the two-change candidates whose first change is in the variable. */
export let pairs: usize = 0;

/** Changed vectors of the left half of the present value: candidates x classes; for two changes. */
let changedLeft: usize = 0;
/** Where the product up to the second of two changes is kept. */
let pathPlace: usize = 0;

/** The panel that is being filled: the half it changes, the value, its candidates, and the first of them. */
let half: ValueGroups = changetype<ValueGroups>(0);
let value: i32 = 0;
let first: i32 = 0;
/** Row whose right changes are to be joined with every left change, or -1: the panel serves all rows of its value. */
let crossedRow: i32 = -1;

/** Lays out what belongs to changes. */
export function prepareChanges(): void {
  left = new ValueGroups(rows, leftVariables, leftValues);
  right = new ValueGroups(rows, variables - leftVariables, rightValues);
  offsets = heap.alloc(<usize>(variables + 1) << 2);
  singles = heap.alloc(<usize>(variables + 1) << 2);
  pairs = heap.alloc(<usize>variables << 2);
  if (twoChanges) changedLeft = heap.alloc(<usize>leftChanges * vector);
  pathPlace = heap.alloc(vector);
}

function entry(list: usize, k: i32): i32 {
  return load<i32>(list + (<usize>k << 2));
}

/** Number of the first variable of a half. */
function firstVariable(side: ValueGroups): i32 {
  return side == left ? 0 : left.variables;
}

function open(side: ValueGroups, at: i32, candidate: i32): void {
  half = side;
  value = at;
  first = candidate;
}

/**
 * Adds the categories of a variable but its own, each with the vector over the other variables. Where its own is the one
 * beyond all categories, of a missing value, the last is left out in its place: there are always as many.
 */
function pushOthers(others: usize, variable: i32, own: u32): void {
  const end = <u32>entry(offsets, variable + 1);
  pushRange(others, <u32>entry(offsets, variable), min(own, end - 1));
  pushRange(others, own + 1, end);
}

function pushRange(others: usize, from: u32, end: u32): void {
  while (from < end) {
    const count = min<i32>(end - from, CAPACITY - filled);
    pushCandidates(others, phi(from), count);
    if (filled == CAPACITY) flush();
    from += count;
  }
}

/** Scores what the panel holds, and empties it. */
function flush(): void {
  if (filled == 0) return;
  if (crossedRow >= 0) crossPanel();
  else scoreRows();
  first += filled;
  clearPanel();
}

/** Scores the panel with the opposite half of every row of the value. */
function scoreRows(): void {
  const opposite = half == left ? right : left;
  const end = half.start(value + 1);
  let at = half.start(value);
  if (at + 1 == end) {
    const row = half.member(at);
    const other = opposite.fullOfRow(row);
    scoreOnce(other);
    add(row, other, densities);
    return;
  }
  multiplyCandidates();
  for (; at + 1 < end; at += 2) {
    const row = half.member(at);
    const next = half.member(at + 1);
    const other = opposite.fullOfRow(row);
    const second = opposite.fullOfRow(next);
    scoreTwo(other, second);
    add(row, other, densities);
    add(next, second, secondDensities);
  }
  if (at < end) {
    const row = half.member(at);
    const other = opposite.fullOfRow(row);
    scoreOne(other);
    add(row, other, densities);
  }
}

/** Adds what the panel and the vector at `other` give a row. */
function add(row: u32, other: usize, found: usize): void {
  leaveOutOfChanges(row, first, other, found);
  // The truth comes first of all, and gives the scale of what follows.
  if (first == 0) setTruth(row, f64.load(found));
  addRatios(row, first, filled, found);
}

/** Joins the right changes in the panel with every left change of the row. */
function crossPanel(): void {
  multiplyCandidates();
  const firstRight = entry(singles, left.variables);
  const rightChanges = entry(singles, variables) - firstRight;
  let changed = changedLeft;
  beginCrossed(crossedRow, first);
  for (let k = 0; k < left.variables; k++) {
    const later = entry(singles, variables) - entry(singles, k + 1);
    // The right changes come last among those that may follow a left one.
    let candidate = entry(pairs, k) + later - rightChanges + first - firstRight;
    let changes = entry(singles, k + 1) - entry(singles, k);
    for (; changes > 1; changes -= 2) {
      scoreTwo(changed, changed + vector);
      addCrossed(candidate, changed, densities);
      addCrossed(candidate + later, changed + vector, secondDensities);
      changed += vector << 1;
      candidate += later << 1;
    }
    if (changes > 0) {
      scoreOne(changed);
      addCrossed(candidate, changed, densities);
      changed += vector;
    }
  }
}

function addCrossed(candidate: i32, other: usize, found: usize): void {
  leaveOutOfCrossed(crossedRow, candidate, other, found);
  addRatios(crossedRow, candidate, filled, found);
}

/** Pushes every one-change of the half's value: each variable's other categories in turn. */
function pushChanges(): void {
  const base = firstVariable(half);
  for (let k = 0; k < half.variables; k++) {
    const own = half.category(value, k);
    const rest = half.complete(half.beforeOf(k), k);
    pushOthers(rest, base + k, own);
  }
}

/** Scores every pair of changes within the half: each change, then every change of a later variable. */
function scorePairs(): void {
  const base = firstVariable(half);
  for (let j = 0; j < half.variables - 1; j++) {
    const later = entry(singles, variables) - entry(singles, base + j + 1);
    let candidate = entry(pairs, base + j);
    const ownOfJ = half.category(value, j);
    const endOfJ = <u32>entry(offsets, base + j + 1);
    for (let changed = <u32>entry(offsets, base + j); changed < endOfJ; changed++) {
      if (changed == ownOfJ) continue;
      open(half, value, candidate);
      let path = times(half.beforeOf(j), phi(changed), pathPlace);
      for (let k = j + 1; k < half.variables; k++) {
        const own = half.category(value, k);
        const rest = half.complete(path, k);
        pushOthers(rest, base + k, own);
        if (k < half.variables - 1) path = times(path, phi(own), pathPlace);
      }
      flush();
      candidate += later;
    }
  }
}

/** Keeps the changed vectors of the left half, in the order of their candidates. */
function keepLeftChanges(): void {
  let out = changedLeft;
  for (let k = 0; k < left.variables; k++) {
    const own = left.category(value, k);
    const rest = left.complete(left.beforeOf(k), k);
    const end = <u32>entry(offsets, k + 1);
    for (let category = <u32>entry(offsets, k); category < end; category++) {
      if (category == own) continue;
      multiply(rest, phi(category), out);
      out += vector;
    }
  }
}

/** Scores the pairs of one change in each half, for every row of a left value. */
function scoreCrossed(leftValue: i32): void {
  const end = left.start(leftValue + 1);
  for (let at = left.start(leftValue); at < end; at++) {
    const row = left.member(at);
    const rightValue = load<i32>(right.valueOfRow + (<usize>row << 2));
    right.multiplyBefore(rightValue);
    right.multiplyAfter(rightValue);
    crossedRow = row;
    open(right, rightValue, entry(singles, left.variables));
    pushChanges();
    flush();
    crossedRow = -1;
  }
}

/** Adds the ratios of one draw to the sums of every row. */
export function scoreChanges(): void {
  left.beginDraw(weights);
  right.beginDraw(EMPTY);
  for (let v = 0; v < right.values; v++) right.multiplyBefore(v);
  for (let v = 0; v < left.values; v++) {
    left.multiplyBefore(v);
    left.multiplyAfter(v);
    open(left, v, 0);
    // The truth: what comes before the last variable, times that.
    pushCandidate(left.beforeOf(left.variables - 1), phi(left.category(v, left.variables - 1)));
    pushChanges();
    flush();
    if (!twoChanges) continue;
    scorePairs();
    keepLeftChanges();
    scoreCrossed(v);
  }
  for (let v = 0; v < right.values; v++) {
    right.multiplyBefore(v);
    right.multiplyAfter(v);
    open(right, v, entry(singles, left.variables));
    pushChanges();
    flush();
    if (twoChanges) scorePairs();
  }
}
