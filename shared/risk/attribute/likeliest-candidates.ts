import { posterior } from './posterior.ts';

/** Candidates of a row that are kept by themselves: a person reads no more of them, and a page holds no more. */
export const LIKELIEST = 12;

/** What is kept of each: its number in its candidate space, its probability before the release, and after it. */
const NUMBERS = ['candidate', 'before', 'after'] as const;

/** Numbers that are kept of a row. */
export const LIKELIEST_NUMBERS = LIKELIEST * NUMBERS.length;

/** A candidate that is likely after the release, the truth being candidate 0. */
export type LikelyCandidate = Readonly<Record<(typeof NUMBERS)[number], number>>;

/** rows x LIKELIEST x NUMBERS, NaN where nothing is kept: a row has fewer candidates, or none was scored. */
export function emptyLikeliest(rows: number): Float64Array {
  return new Float64Array(rows * LIKELIEST_NUMBERS).fill(NaN);
}

/**
 * Fills in the likeliest candidates of a row, the likeliest first; of those that tie the first.
 *
 * @param likeliest to be filled, see {@link emptyLikeliest}
 * @param distribution probabilities of the row's candidates after the release
 * @param logPrior of the same candidates, up to a constant; null where it is uniform
 * @param considered their numbers in the candidate space; all of it if left out
 */
export function setLikeliest(
  likeliest: Float64Array,
  row: number,
  distribution: Float64Array,
  logPrior: Float64Array | null,
  considered?: Uint32Array,
): void {
  const count = distribution.length;
  const prior = logPrior && posterior(logPrior, 0, count);
  const first: number[] = [];
  for (let x = 0; x < count; x++) {
    const probability = distribution[x]!;
    if (first.length === LIKELIEST && probability <= distribution[first.at(-1)!]!) continue;
    let place = first.length;
    while (place > 0 && distribution[first[place - 1]!]! < probability) place--;
    first.splice(place, 0, x);
    if (first.length > LIKELIEST) first.pop();
  }
  for (const [place, x] of first.entries()) {
    const at = row * LIKELIEST_NUMBERS + place * NUMBERS.length;
    likeliest.set([considered?.[x] ?? x, prior?.[x] ?? 1 / count, distribution[x]!], at);
  }
}

/** What {@link setLikeliest} filled in of a row. */
export function likeliestOf(likeliest: Float64Array, row: number): LikelyCandidate[] {
  const candidates: LikelyCandidate[] = [];
  for (let place = 0; place < LIKELIEST; place++) {
    const at = row * LIKELIEST_NUMBERS + place * NUMBERS.length;
    const [candidate, before, after] = likeliest.subarray(at, at + NUMBERS.length);
    if (!Number.isNaN(candidate!)) candidates.push({ candidate: candidate!, before: before!, after: after! });
  }
  return candidates;
}
