import type { KeyCounts } from '../../contracts/results/attack.ts';
import { exp, log, log1p } from '../../numeric/portable-math.ts';
import type { Table } from '../../table/table.ts';
import { RecordGroups } from '../matching/record-groups.ts';

/** Terms of the sum over sizes in the population, at least and at most. */
const [FEWEST_SIZES, MOST_SIZES] = [100, 10_000];

/** Cells that are grouped for subsets of keys, at most, where no size is asked for: a few seconds. */
const MOST_GROUPINGS = 2e7;

/** Subsets of keys that can be asked for. */
export const MOST_SUBSETS = 200_000;

/** How many subsets of so many keys have `size` of them at most; none that is empty. */
export function subsetCount(keys: number, size: number): number {
  let [subsets, ofSize] = [0, 1];
  for (let k = 1; k <= size; k++) {
    ofSize = (ofSize * (keys - k + 1)) / k;
    subsets += ofSize;
  }
  return subsets;
}

/** The most keys of a minimal sample unique that can be looked for in a few seconds. */
export function defaultSubsetSize(keys: number, records: number): number {
  let size = 1;
  while (size < keys && subsetCount(keys, size + 1) * records <= MOST_GROUPINGS) size++;
  return size;
}

/** Minimal sample uniques of the rows of a table: what SUDA finds (Elliot, Manning and Ford 2002; Manning et al. 2008). */
export interface MinimalUniques {
  readonly scores: Float64Array;
  /** How many there are of each size from 1 to the largest. */
  readonly bySize: number[];
}

/**
 * Finds every minimal sample unique of distinct rows: a set of keys on which a row is alone, while it is alone on no part
 * of them. Each of k keys adds the product of K - i over i from k to the largest size (at most K - 1), as sdcMicro's
 * `suda2` has it.
 *
 * @param rows distinct on their variables, all of which are keys; at most 30
 * @param counts records of each row: one of several is nowhere unique
 * @param largest keys of a minimal sample unique, at most
 */
export function minimalUniques(rows: Table, counts: Uint32Array, largest: number): MinimalUniques {
  const keys = rows.columns.length;
  const scores = new Float64Array(rows.records);
  const bySize: number[] = [];
  const masksByRow: number[][] = Array.from(counts, () => []);
  for (let size = 1; size <= largest; size++) {
    let weight = 1;
    for (let i = size; i <= Math.min(largest, keys - 1); i++) weight *= keys - i;
    let uniques = 0;
    for (const subset of subsetsOf(keys, size)) {
      const mask = subset.reduce((bits, key) => bits | (1 << key), 0);
      const groups = new RecordGroups(rows, subset);
      const records = new Float64Array(groups.count);
      for (let row = 0; row < counts.length; row++) records[groups.ofRecord[row]!]! += counts[row]!;
      for (let row = 0; row < counts.length; row++) {
        if (records[groups.ofRecord[row]!] !== 1) continue;
        const rowMasks = masksByRow[row]!;
        if (rowMasks.some((smaller) => (smaller & mask) === smaller)) continue;
        rowMasks.push(mask);
        scores[row]! += weight;
        uniques++;
      }
    }
    bySize.push(uniques);
  }
  return { scores, bySize };
}

function* subsetsOf(keys: number, size: number, from = 0): Generator<number[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let key = from; key <= keys - size; key++) {
    for (const rest of subsetsOf(keys, size - 1, key + 1)) yield [key, ...rest];
  }
}

/**
 * DIS: the probability that a record which alone has its keys in a sample has them alone in the population (Skinner and
 * Elliot 2002, eq. 6), from the records alone with their keys and those in pairs; null where there are neither.
 */
export function dataIntrusionSimulation(uniques: number, inPairs: number, fraction: number): number | null {
  const weighed = uniques * fraction;
  const all = weighed + inPairs * (1 - fraction);
  return all === 0 ? null : weighed / all;
}

/** DIS-SUDA scores: DIS shared out over all records by their SUDA scores (as sdcMicro's `suda2`; Elliot 2005). */
export function disScores(
  scores: Float64Array,
  keys: number,
  { uniques, inPairs, fraction }: { uniques: number; inPairs: number; fraction: number },
): Float64Array {
  const power = 1 + (8 - keys) / 20;
  const raised = scores.map((score) => (score > 0 ? exp(power * log(score)) : 0));
  const adjustment = raised.reduce((sum, one) => (one > 0 ? sum + 1 / one : sum), 0);
  const dis = dataIntrusionSimulation(uniques, inPairs, fraction);
  if (dis === null || dis === 0) return new Float64Array(scores.length);
  const others = uniques / dis - uniques;
  return raised.map((one) => (one > 0 ? 1 / (1 + others / (one * adjustment)) : 0));
}

/**
 * How probably a record that is alone with its keys in the file is alone with them in the population, by the three short formulas of
 * riskutility's `population_uniqueness` (`.pu_pitman`, `.pu_zayatz`, `.pu_snb`), which are simpler than what they are named after.
 *
 * @param counts records of each combination of keys that the file has, at least one
 * @param fraction of the population in the file, between 0 and 1
 */
export function populationUniqueness(counts: Uint32Array, fraction: number): KeyCounts['populationUniqueness'] {
  const records = counts.reduce((sum, count) => sum + count, 0);
  const uniques = counts.filter((count) => count === 1).length;
  const figures = (pUnique: number) => ({ pUnique, globalRisk: (uniques * pUnique) / records, populationUniques: uniques * pUnique });
  return {
    samplingFraction: fraction,
    pitman: figures(byPitman(counts, { records, uniques, fraction })),
    zayatz: figures(exp((1 / fraction - 1) * log1p(-fraction))),
    snb: figures(byNegativeBinomial(counts, fraction)),
  };
}

/** alpha / (alpha + n p), with alpha from the combinations of one and of two records. */
function byPitman(counts: Uint32Array, { records, uniques, fraction }: { records: number; uniques: number; fraction: number }): number {
  const pairs = counts.filter((count) => count === 2).length;
  const alpha = pairs > 0 ? (uniques * uniques) / (2 * pairs) : uniques > 0 ? uniques : 1;
  const bounded = Math.max(alpha, 0.01);
  return bounded / (bounded + records * fraction);
}

/**
 * The probability of size 1 among sizes j of a negative binomial distribution, each weighed by the chance j (1 - p)^(j - 1) that one
 * of its records is in the file. Its parameters are from mean and variance of the file's own counts.
 */
function byNegativeBinomial(counts: Uint32Array, fraction: number): number {
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  const variance = counts.reduce((sum, count) => sum + (count - mean) * (count - mean), 0) / (counts.length - 1);
  const ratio = variance / mean;
  // No variance is defined of a single combination.
  const q = Math.min(0.999, Math.max(0.001, ratio > 1 ? (ratio - 1) / (ratio + fraction) : 0.01));
  const r = Math.max(0.01, (mean * (1 - q)) / (fraction * q));
  const sizes = Math.min(MOST_SIZES, Math.max(FEWEST_SIZES, 5 * Math.ceil(r * q)));
  // Each term by the first, which may itself be too small for a double.
  let [term, sum] = [1, 0];
  for (let j = 1; j <= sizes && sum < Number.POSITIVE_INFINITY; j++) {
    sum += term;
    term *= ((j + r) / j) * (q / (1 + q)) * (1 - fraction);
  }
  return 1 / sum;
}
