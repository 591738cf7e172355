import type { StoredCalibration } from '../../shared/contracts/results/calibration.ts';

/** A calibration of three replicates, with a bin that holds no truth. */
export function storedCalibration(changes: Partial<StoredCalibration> = {}): StoredCalibration {
  const figures = {
    ...{ achievedBits: 0.371, achievedBitsSe: 0.018, claimedBits: 0.307, claimedBitsSe: 0.004 },
    ...{ excessBits: -0.064, excessBitsSe: 0.017, slope: 1.11, slopeSe: 0.03 },
  };
  const bin = (meanClaimed: number, truths: number, candidates: number) => ({
    ...{ from: meanClaimed / 2, to: 2 * meanClaimed, candidates, truths, meanClaimed },
    ...{ observedShare: truths / candidates, low: truths / candidates / 2, high: (truths + 2) / candidates },
  });
  const group = (g: number) => ({
    ...{ ...figures, claimedBits: g / 10, achievedBits: g / 12, excessBits: g / 60, group: g, targets: 300 },
    ...{ firstGuessClaimed: g / 20, firstGuessClaimedSe: 0.01, firstGuessRight: g / 24 },
    ...{ firstGuessRightSe: 0.02, firstGuessExcess: g / 120, firstGuessExcessSe: 0.02 },
  });
  return {
    ...{ version: '0.1.0', runId: 'b1946ac92492d234', seed: 1 },
    table: { records: 7_014, variables: 10, combinations: 2_513 },
    ...{ estimator: 'augmented', meaning: 'what an intruder learns', candidates: 'one-change' },
    ...{ candidatesPerTarget: 41, slopeApplied: 1, datasets: 5, synthesisChains: 'own' },
    ...{ targets: 1_000, replicates: 3, ...figures },
    byReplicate: [1, 2, 3].map((replicate) => ({ replicate, seed: 10 * replicate, ...figures })),
    byClaim: Array.from({ length: 10 }, (_, g) => group(g + 1)),
    riskiest: { ...group(12), targets: 150 },
    uniqueRecords: { ...group(6), targets: 600 },
    otherRecords: { ...group(5), targets: 2_400 },
    reliability: [bin(0.002, 0, 9_000), bin(0.02, 410, 20_000), bin(0.1, 1_200, 12_000)],
    verdict: { code: 'underclaims', message: 'The estimate underclaims.', moreTargets: null, suggestedSlope: 1.11 },
    warnings: [],
    ...changes,
  };
}
