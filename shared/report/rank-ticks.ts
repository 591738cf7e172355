/** Ranks to label on an axis: 1, the first guess, and about eight round ones up to the last. */
export function rankTicks(ranks: number): number[] {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((size) => ranks / size <= 8) ?? ranks;
  const ticks = [1];
  for (let rank = step; rank <= ranks; rank += step) if (rank > 1) ticks.push(rank);
  return ticks;
}
