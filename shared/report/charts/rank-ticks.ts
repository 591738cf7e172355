/** Ranks to label on an axis: 1, the first guess, and about eight round ones up to the last. */
export function rankTicks(ranks: number): number[] {
  let step = 1;
  // 1, 2, 5, 10, 20, 50, ...
  for (let next = 0; ranks / step > 8; next++) step *= next % 3 === 1 ? 2.5 : 2;
  const ticks = [1];
  for (let rank = step; rank <= ranks; rank += step) if (rank > 1) ticks.push(rank);
  return ticks;
}
