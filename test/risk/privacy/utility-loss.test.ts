import { expect, it } from 'vitest';
import { addedCount } from '../../../shared/model/conjugate/added-count.ts';
import { utilityLoss } from '../../../shared/risk/privacy/evaluate-privacy.ts';

/** E((p0 - p)^2) under an unnormalised density of p, on a fine grid. */
function squaredError(p0: number, density: (p: number) => number): number {
  const points = 20_000;
  let [total, sum] = [0, 0];
  for (let k = 0; k < points; k++) {
    const p = (k + 0.5) / points;
    const weight = density(p);
    total += weight;
    sum += weight * (p - p0) ** 2;
  }
  return sum / total;
}

const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k);

it('is what integration over p and summation over tables give (McClure & Reiter 2012, eq. 4, Appendix B)', () => {
  const records = 12;
  const draws = 12;
  for (const { p0, epsilon, ones, syntheticOnes } of [
    { p0: 0.3, epsilon: 4, ones: 3, syntheticOnes: 5 },
    { p0: 0.05, epsilon: 40, ones: 0, syntheticOnes: 1 },
    { p0: 0.9, epsilon: 0.1, ones: 11, syntheticOnes: 7 },
  ]) {
    const alpha = addedCount(epsilon, draws);
    const given = (x: number, p: number) => choose(records, x) * p ** x * (1 - p) ** (records - x);
    const released = (x: number) => {
      const share = (x + alpha) / (records + 2 * alpha);
      return share ** syntheticOnes * (1 - share) ** (draws - syntheticOnes);
    };
    const fromDataset = squaredError(p0, (p) => {
      let density = 0;
      for (let x = 0; x <= records; x++) density += given(x, p) * released(x);
      return density;
    });
    const fromTable = squaredError(p0, (p) => given(ones, p));
    const found = utilityLoss(p0, { records, ones, draws, syntheticOnes, alpha });
    expect(found).toBeCloseTo(Math.log10(fromDataset / fromTable), 5);
  }
});

it('stays a number for thousands of records, of which each table alone is next to impossible', () => {
  const [records, ones, p0] = [4000, 1200, 0.3];
  const alpha = 2;
  const syntheticOnes = 1250;
  const logs = Array.from(
    { length: records + 1 },
    (_, x) => syntheticOnes * Math.log(x + alpha) + (records - syntheticOnes) * Math.log(records - x + alpha),
  );
  const most = Math.max(...logs);
  expect(most).toBeGreaterThan(1000);
  const ofTable = (x: number) => {
    const mean = (1 + x) / (2 + records);
    return (mean * (1 - mean)) / (3 + records) + (mean - p0) ** 2;
  };
  const weights = logs.map((value) => Math.exp(value - most));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const expected = weights.reduce((sum, weight, x) => sum + weight * ofTable(x), 0) / total / ofTable(ones);
  const found = utilityLoss(p0, { records, ones, draws: records, syntheticOnes, alpha });
  expect(found).toBeCloseTo(Math.log10(expected), 8);
});
