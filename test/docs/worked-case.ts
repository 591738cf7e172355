import { expect } from 'vitest';
import type { WorkedCase } from '../../bench/case/worked-case.ts';

/** Holds what the reviewer of the worked case says to what its runs found. */
export function holdCase(found: WorkedCase): void {
  const { planned, released } = found;
  const [all, income] = planned.attributeRisk;
  const [allAfter, incomeAfter] = released.attributeRisk;
  // Most combinations have a single record behind them.
  expect(planned.table.sampleUniques).toBeGreaterThan(planned.table.combinations / 2);
  // Two rules are met, and that of all values is not; then all are.
  expect(planned.acceptance.map(({ met }) => met)).toEqual([false, true, true]);
  expect(released.acceptance.map(({ met }) => met)).toEqual([true, true, true]);
  for (const risk of [all!, income!]) {
    expect(risk.rankReproducibility).toBeGreaterThan(0.95);
    expect(risk.gainBitsMean).toBeGreaterThan(risk.gainBitsClaimed!);
  }
  // Every variable tells something, and none stands out by more than its error.
  const gains = all!.variables.map(({ gainBitsMean }) => gainBitsMean).sort((a, b) => b - a);
  expect(gains.at(-1)).toBeGreaterThan(0);
  const largest = all!.variables.find(({ gainBitsMean }) => gainBitsMean === gains[0])!;
  expect(gains[0]! - gains[1]!).toBeLessThan(largest.gainBitsMeanSe!);
  // The gain is less than half, and utility is as it was, or somewhat less.
  for (const risk of [allAfter!, incomeAfter!]) expect(risk.rankReproducibility).toBeGreaterThan(0.97);
  expect(allAfter!.gainBitsMean).toBeLessThan(all!.gainBitsMean! / 2);
  expect(incomeAfter!.gainBitsMean).toBeLessThan(income!.gainBitsMean! / 2);
  const [before, after] = [planned.utility!.figures, released.utility!.figures];
  expect(Math.abs(after.twoWayTotalVariation! - before.twoWayTotalVariation!)).toBeLessThan(0.005);
  expect(before.intervalOverlapMean! - after.intervalOverlapMean!).toBeGreaterThan(0.02);
  // How sure it is.
  expect(planned.warnings.map(({ code }) => code)).toEqual(['heavy-tails']);
  expect(released.warnings).toEqual([]);
  expect((0.6 - allAfter!.firstGuessRightAfter!) / allAfter!.firstGuessRightAfterSe!).toBeGreaterThan(1);
  expect((0.1 - incomeAfter!.gainBitsMean!) / incomeAfter!.gainBitsMeanSe!).toBeGreaterThan(5);
  // The noise is larger than what the release adds, which is bounded.
  const added = allAfter!.probabilityTrueAfter! - allAfter!.probabilityTrueBefore!;
  const [guessed] = found.public.attributeRisk;
  expect(guessed!.probabilityTrueAfter.value).toBeNull();
  expect(added).toBeLessThan(guessed!.probabilityTrueAdded.atMost!);
  // No figure of the public page is off by more than three of its errors.
  for (const [told, exact] of [
    [guessed!.probabilityTrueBefore, allAfter!.probabilityTrueBefore!],
    [found.public.twoWayTotalVariation, after.twoWayTotalVariation!],
  ] as const) {
    expect(Math.abs(told.value! - exact)).toBeLessThan(3 * told.error!);
  }
}
