/** The moves between labels of shared/model/chains/label-moves.ts, operation by operation. */
import { lgamma } from '../math/gamma-function';
import { log } from '../math/portable-math';
import { below, uniform } from '../random/stream';
import {
  at,
  classCounts,
  classes,
  holder,
  labelMoves,
  logRests,
  logSticks,
  logWeights,
  put,
  room,
} from './dpmpm-memory';

function swap(array: usize, j: i32, l: i32): void {
  const kept = at(array, j);
  put(array, j, at(array, l));
  put(array, l, kept);
}

function swapRecords(j: i32, l: i32): void {
  swap(classCounts, j, l);
  const first = holder + (<usize>j << 2);
  const second = holder + (<usize>l << 2);
  const kept = load<u32>(first);
  store<u32>(first, load<u32>(second));
  store<u32>(second, kept);
}

function accepts(logRatio: f64): bool {
  return logRatio >= 0 || log(uniform()) < logRatio;
}

/** Two classes swap their records with the sticks integrated out. */
export function swapWithoutSticks(alpha: f64): void {
  const counts = classCounts;
  // For each class the records of it and those after it.
  const after = room;
  let sum: f64 = 0;
  for (let f = classes - 1; f >= 0; f--) {
    sum += at(counts, f);
    put(after, f, sum);
  }
  for (let move = 0; move < labelMoves && classes > 1; move++) {
    const first = below(classes);
    const second = (first + 1 + below(classes - 1)) % classes;
    const j = min(first, second);
    const l = max(first, second);
    const own = at(counts, j);
    const other = at(counts, l);
    const change = own - other;
    if (change == 0) {
      swapRecords(j, l);
      continue;
    }
    let logRatio: f64 = 0;
    let product: f64 = 1;
    const end = min(l, classes - 2);
    for (let f = j + 1; f <= end; f++) {
      const rest = alpha + at(after, f);
      product *= rest / (rest + change);
      if (!(product > 1e-100 && product < 1e100)) {
        logRatio += log(product);
        product = 1;
      }
    }
    logRatio += log(product);
    if (l == classes - 1) {
      logRatio += lgamma(other + 1) - lgamma(own + 1) + (lgamma(alpha + own) - lgamma(alpha + other));
    }
    if (!accepts(logRatio)) continue;
    swapRecords(j, l);
    for (let f = j + 1; f <= l; f++) put(after, f, at(after, f) + change);
  }
}

/** Two classes swap their records, and neighbours their records and sticks. */
export function switchLabels(): void {
  const counts = classCounts;
  for (let move = 0; move < labelMoves && classes > 1; move++) {
    const j = below(classes);
    const l = (j + 1 + below(classes - 1)) % classes;
    const difference = at(counts, l) - at(counts, j);
    const logRatio = difference == 0 ? 0 : difference * (at(logWeights, j) - at(logWeights, l));
    if (accepts(logRatio)) swapRecords(j, l);
  }
  for (let move = 0; move < labelMoves && classes > 2; move++) {
    const j = below(classes - 2);
    const logRatio = at(counts, j) * at(logRests, j + 1) - at(counts, j + 1) * at(logRests, j);
    if (!accepts(logRatio)) continue;
    swapRecords(j, j + 1);
    const before = at(logWeights, j) - at(logSticks, j);
    swap(logSticks, j, j + 1);
    swap(logRests, j, j + 1);
    put(logWeights, j, before + at(logSticks, j));
    put(logWeights, j + 1, before + at(logRests, j) + at(logSticks, j + 1));
  }
}
