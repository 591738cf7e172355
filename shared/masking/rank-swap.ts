import { sortedOrder } from '../numeric/sorted-order.ts';
import type { RandomSource } from '../random/random-source.ts';

/** How many ranks p percent of the records are, rounded down. */
export function swapWindow(records: number, p: number): number {
  // 5 % of 1,080 must not become 53 by the rounding of binary numbers.
  return Math.floor((p * records) / 100 + 1e-9);
}

/**
 * Rank swapping (Moore 1996, as Winkler 2004, section 4): from the smallest value upwards each that has not been swapped trades
 * places with one drawn from those up to p percent of the records above it that have not been either. Where all of these
 * have been, as for the one that is left of an odd number, and at the upper end, a value that was swapped is swapped once
 * more: one from which neither goes farther than p percent if there is such a one, else the one next below.
 *
 * @param p of which {@link swapWindow} makes at least one rank
 * @returns the values in the places of others; the same ones, so that no marginal distribution changes
 */
export function rankSwapped(random: RandomSource, values: Float64Array, p: number): Float64Array {
  const order = sortedOrder(values);
  const { length } = values;
  const window = Math.min(swapWindow(length, p), length - 1);
  const rankAt = swappedRanks(random, length, window);
  const swapped = new Float64Array(length);
  for (const [rank, record] of order.entries()) swapped[record] = values[order[rankAt[rank]!]!]!;
  return swapped;
}

/** Draws among all ranks of a window before those that serve are listed: about a third of them serve. */
const TRIES = 16;

/** For each rank, the rank of the value that comes there. */
function swappedRanks(random: RandomSource, length: number, window: number): Uint32Array {
  const rankAt = Uint32Array.from({ length }, (_, rank) => rank);
  const isSwapped = new Uint8Array(length);
  for (let rank = 0; rank < length; rank++) {
    if (isSwapped[rank] === 1) continue;
    const most = Math.min(length - 1, rank + window);
    const stays = (other: number) => other !== rank && Math.abs(rankAt[other]! - rank) <= window;
    const other =
      draw(random, rank + 1, most, (above) => isSwapped[above] === 0) ?? draw(random, Math.max(0, rank - window), most, stays) ?? rank - 1;
    [rankAt[rank], rankAt[other]] = [rankAt[other]!, rankAt[rank]!];
    isSwapped[rank] = 1;
    isSwapped[other] = 1;
  }
  return rankAt;
}

/** One of the ranks from `from` to `to` that serve, all with the same probability; undefined where none does. */
function draw(random: RandomSource, from: number, to: number, serves: (rank: number) => boolean): number | undefined {
  if (to < from) return undefined;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const rank = from + random.below(to - from + 1);
    if (serves(rank)) return rank;
  }
  const serving: number[] = [];
  for (let rank = from; rank <= to; rank++) if (serves(rank)) serving.push(rank);
  return serving.length === 0 ? undefined : serving[random.below(serving.length)]!;
}
