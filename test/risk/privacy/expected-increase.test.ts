import { describe, expect, it } from 'vitest';
import { finish } from '../../../shared/contracts/stepwise.ts';
import { addedCount } from '../../../shared/model/conjugate/added-count.ts';
import { expectedIncrease } from '../../../shared/risk/privacy/evaluate-privacy.ts';

const EPSILONS = [1000, 100, 10, 2, 0.2, 0.01];

/** Table 1 of McClure & Reiter (2012) as it is printed, by p0. */
const PUBLISHED: Readonly<Record<string, readonly string[]>> = {
  '0.001': ['.125', '.036', '.0101', '.00372', '.000578', '3.13e-05'],
  '0.3': ['.00718', '.00702', '.00578', '.00328', '.000576', '3.13e-05'],
  '0.5': ['.00655', '.00643', '.00543', '.00321', '.000575', '3.13e-05'],
  '0.999': ['.0983', '.0350', '.0100', '.00372', '.000578', '3.13e-05'],
};

/** One unit of the last digit of a printed number. */
function unitOf(printed: string): number {
  const [digits, exponent = '0'] = printed.split('e');
  return Number(`1e${Number(exponent) - digits!.split('.')[1]!.length}`);
}

const entries = Object.entries(PUBLISHED).flatMap(([p0, row]) =>
  row.map((printed, index) => ({ p0: Number(p0), epsilon: EPSILONS[index]!, printed })),
);

describe('expectedIncrease', () => {
  it.each(entries)('is the $printed of Table 1 of McClure & Reiter 2012 at p0 $p0 and epsilon $epsilon', (entry) => {
    const found = finish(expectedIncrease({ ...entry, n: 1000, prior: 0.5 }));
    const printed = Number(entry.printed);
    const unit = unitOf(entry.printed);
    // Some entries are rounded and some cut off after the last digit.
    expect(found).toBeGreaterThanOrEqual(printed - unit / 2);
    expect(found).toBeLessThan(printed + unit);
  });

  it('has all 24 entries of the table', () => {
    expect(entries).toHaveLength(24);
  });

  it.each([
    { p0: 0.2, epsilon: 3, n: 4, prior: 0.5 },
    { p0: 0.7, epsilon: 0.5, n: 5, prior: 0.1 },
    { p0: 0.05, epsilon: 20, n: 3, prior: 0.9 },
    // The added count is lost beside the ones of a table.
    { p0: 0.3, epsilon: 1000, n: 4, prior: 0.5 },
  ])('equals the sum over every table and dataset, record by record, %o', (scenario) => {
    const { p0, epsilon, n, prior } = scenario;
    const alpha = addedCount(epsilon, n);
    const shareOfOnes = (table: readonly number[]) => (table.reduce((sum, value) => sum + value, 0) + alpha) / (n + 2 * alpha);
    const likelihood = (dataset: readonly number[], table: readonly number[]) =>
      dataset.reduce((product, value) => product * (value ? shareOfOnes(table) : 1 - shareOfOnes(table)), 1);
    const vectors = Array.from({ length: 2 ** n }, (_, bits) => Array.from({ length: n }, (_, index) => (bits >> index) & 1));
    let expected = 0;
    for (const table of vectors) {
      const target = Math.max(0, table.indexOf(1));
      const truth = table[target]!;
      const other = table.with(target, 1 - truth);
      const weight = truth === 1 ? prior : 1 - prior;
      const probability = table.reduce((product, value) => product * (value ? p0 : 1 - p0), 1);
      for (const dataset of vectors) {
        const ofTruth = weight * likelihood(dataset, table);
        const risk = ofTruth / (ofTruth + (1 - weight) * likelihood(dataset, other));
        expected += probability * likelihood(dataset, table) * Math.max(0, risk - weight);
      }
    }
    expect(finish(expectedIncrease(scenario))).toBeCloseTo(expected, 12);
  });

  it('vanishes with epsilon', () => {
    expect(finish(expectedIncrease({ p0: 0.001, epsilon: 1e-9, n: 1000, prior: 0.5 }))).toBeLessThan(1e-11);
  });
});
