import { describe, expect, it } from 'vitest';
import { compositeSlopes, labelInformation } from '../../../bench/modes/composite-slopes.ts';
import { judgeTerms } from '../../../bench/modes/judge-terms.ts';
import { makeTable } from '../../../bench/modes/study-tables.ts';
import { LENGTHS, twoTables } from '../../../bench/modes/two-tables.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';

/** Log-odds of labels that are what they claim to be, times a power: normal, with variance twice their mean. */
function logOdds(count: number, power: number, label: 1 | -1, random: RandomStream): Float64Array {
  return Float64Array.from({ length: count }, () => {
    const normal = Math.sqrt(-2 * Math.log(1 - random.uniform())) * Math.cos(2 * Math.PI * random.uniform());
    return power * (0.5 * label + normal);
  });
}

describe('compositeSlopes()', () => {
  const random = new RandomStream(1, 'slopes');
  const pairs = (power: number) =>
    Array.from({ length: 16 }, () =>
      ([1, -1] as const).map((label) => ({
        terms: [logOdds(300, power, label, random), logOdds(300, 1, 1, random).map((value) => value - 0.5)],
        label,
      })),
    );

  it('is the power that would calibrate a term, and nothing for a term that tells nothing', () => {
    const { slopes, errors } = compositeSlopes(pairs(2));
    expect(Math.abs(slopes[0]! - 0.5) / errors[0]!).toBeLessThan(4);
    expect(Math.abs(slopes[1]!) / errors[1]!).toBeLessThan(4);
    expect(errors[0]).toBeGreaterThan(0.002);
    expect(errors[0]).toBeLessThan(0.03);
  });

  it('refuses one pair, which has no spread', () => {
    expect(() => compositeSlopes(pairs(1).slice(0, 1))).toThrow(RangeError);
  });
});

describe('labelInformation()', () => {
  it('is what log-odds achieve, and what they claim', () => {
    const odds = Math.log(3);
    const right = labelInformation([{ logOdds: Float64Array.of(odds), label: 1 }]);
    const wrong = labelInformation([{ logOdds: Float64Array.of(odds), label: -1 }]);
    expect(right.achieved).toBeCloseTo(1 + Math.log2(0.75), 12);
    expect(wrong.achieved).toBeCloseTo(1 + Math.log2(0.25), 12);
    const claimed = 1 + 0.75 * Math.log2(0.75) + 0.25 * Math.log2(0.25);
    expect(right.claimed).toBeCloseTo(claimed, 12);
    expect(wrong.claimed).toBeCloseTo(claimed, 12);
  });
});

describe('on a table whose modes are known', () => {
  it('modes tell nothing of single records, whatever they claim', { timeout: 120_000 }, () => {
    const found = twoTables({
      name: 'three-as-two',
      table: makeTable('three-as-two'),
      seed: 3,
      chains: 8,
      burnIn: 200,
      share: 0.05,
      mostTargets: 60,
    });
    expect(found.logMeans.length).toBe(2 * 8 * 2 * LENGTHS.length * found.typical.length);
    const judged = judgeTerms([found]).find(
      ({ length, datasets, targets }) => length === 150 && datasets === 1 && targets === 'all',
    )!;
    const { pooled, 'paired alone': paired } = judged.millibits;
    // Chains choose among three modes that differ much in what they say of a record.
    expect(pooled!.claimed).toBeGreaterThan(30);
    expect(pooled!.achieved).toBeLessThan(0);
    expect(Math.abs(judged.modes.slope)).toBeLessThan(0.3);
    expect(Math.abs(paired!.achieved - paired!.claimed)).toBeLessThan(10);
  });
});
