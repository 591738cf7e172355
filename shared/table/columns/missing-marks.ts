/** Texts, in lower case, that often stand for a missing value where a program does not leave the cell empty. */
export const MISSING_MARKS: ReadonlySet<string> = new Set([
  '.',
  '..',
  '?',
  '-',
  '--',
  '*',
  '#n/a',
  'n/a',
  'na',
  '<na>',
  'nan',
  'null',
  'missing',
]);

/** Negative numbers that questionnaires use for answers that are missing. */
const NEGATIVE_CODES: ReadonlySet<number> = new Set([
  -9, -8, -7, -6, -99, -98, -97, -88, -77, -66, -999, -998, -997, -888, -777, -9999, -9998, -9997,
]);

/** Runs of nines, of at least two, and what questionnaires put beside them: 98 (refused) and 97 (does not know). */
const HIGH_CODES: readonly number[] = [99, 999, 9999, 99_999, 999_999, 9_999_999];

/** A value is far from the next one when that is at most this share of it. */
const FAR = 0.9;

/** A code is frequent when it occurs this often, and this many times as often as the ten values below it. */
const FREQUENT = { least: 5, times: 5 };

/**
 * Numbers among those of a column that may stand for missing values: negative codes where no other number is
 * negative, and a highest value of nines that lies far from the others or is far more frequent than its neighbours.
 * A rule of thumb, for suggestions alone.
 *
 * @param occurring distinct numbers with how often they occur, or any number several times
 */
export function suspectedMissingCodes(occurring: () => Iterable<readonly [number, number]>): number[] {
  const negative = new Set<number>();
  let onlyCodes = true;
  let highest = -Infinity;
  let others = 0;
  for (const [value] of occurring()) {
    if (value >= 0) {
      others++;
      if (value > highest) highest = value;
    } else if (NEGATIVE_CODES.has(value)) negative.add(value);
    else onlyCodes = false;
  }
  const low = onlyCodes && others > 0 ? [...negative].sort((a, b) => a - b) : [];
  return HIGH_CODES.includes(highest) ? [...low, ...highCodes(occurring, highest)] : low;
}

/** The highest number, and one or two below it, where they stand apart. */
function highCodes(occurring: () => Iterable<readonly [number, number]>, highest: number): number[] {
  const beside = new Set([highest, highest - 1, highest - 2]);
  const found = new Map<number, number>();
  let next = -Infinity;
  let near = 0;
  for (const [value, count] of occurring()) {
    if (beside.has(value)) found.set(value, (found.get(value) ?? 0) + count);
    if (value < highest && value >= highest - 10) near += count;
    if (!beside.has(value) && value > next) next = value;
  }
  if (next >= 0 && next <= FAR * highest) return [...found.keys()].sort((a, b) => a - b);
  const own = found.get(highest)!;
  return own >= FREQUENT.least && own > (FREQUENT.times * near) / 10 ? [highest] : [];
}
