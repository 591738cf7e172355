import { describe, expect, it } from 'vitest';
import { compositeSlopes, labelInformation } from '../../../bench/modes/composite-slopes.ts';
import { judgeTerms } from '../../../bench/modes/judge-terms.ts';
import { LENGTHS } from '../../../bench/modes/paired-sides.ts';
import { makeTable, someRecords } from '../../../bench/modes/study-tables.ts';
import { type Made, type TwoTables, twoTables } from '../../../bench/modes/two-tables.ts';
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

describe('judgeTerms()', () => {
  /** Both sides of a dataset by its terms: on two of three targets, of either kind, the paired one is right. */
  const dataset = (paired: number, alone: number) => [
    ...[1, 1, 1, 1, -1, -1].map((sign) => alone + sign * paired),
    ...new Array<number>(6).fill(alone),
  ];
  const typical = [true, false, true, false, true, false];
  const head = { name: 'known', burnIn: 100, lengths: [150], typical };
  const claimed = (odds: number) => 1000 * labelInformation([{ logOdds: Float64Array.of(odds), label: 1 }]).claimed;
  const judged = (made: Made, chains: number, logMeans: number[], datasets: number) =>
    judgeTerms([{ ...head, made, chains, logMeans: Float32Array.from(logMeans) }]).find(
      (one) => one.datasets === datasets && one.targets === 'all',
    )!;

  it('compares modes with the chains of the first table that did not make the release', () => {
    // Two releases of two datasets each: in one mode the first, in another the second.
    const ofTable = (sign: 1 | -1) => [1, 1, -1, -1].flatMap((mode) => dataset(0.1 * sign, mode));
    const { millibits, releases } = judged({ by: 'own' }, 4, [...ofTable(-1), ...ofTable(1)], 2);
    expect(releases).toBe(2);
    expect(millibits['paired alone']!.claimed).toBeCloseTo(claimed(0.2), 3);
    // Terms of a target go with its label or against it; each mode is 2 away from the other, twice.
    expect(millibits['one mode term']!.claimed).toBeCloseTo((claimed(2.2) + claimed(1.8)) / 2, 3);
    expect(millibits.pooled!.claimed).toBeCloseTo((claimed(4.2) + claimed(3.8)) / 2, 3);
  });

  it('takes the first datasets of each chain that makes several, and chains of the first table one by one', () => {
    const ofChain = (sign: 1 | -1, mode: number) => [0.1, 0.1, 5].flatMap((paired) => dataset(paired * sign, mode));
    const ofTable = (sign: 1 | -1) => [...ofChain(sign, 1), ...ofChain(sign, -1)];
    const made = { by: 'one', datasets: 3 } as const;
    const { millibits, releases } = judged(made, 2, [...ofTable(-1), ...ofTable(1)], 2);
    expect(releases).toBe(2);
    expect(millibits['paired alone']!.claimed).toBeCloseTo(claimed(0.2), 3);
    expect(millibits.pooled!.claimed).toBeCloseTo((claimed(4.2) + claimed(3.8)) / 2, 3);
    expect(judged(made, 2, [...ofTable(-1), ...ofTable(1)], 5)).toBeUndefined();
  });

  it('compares modes of datasets made elsewhere with the chains that were run for it', () => {
    const settings = { classes: 2, concentration: { value: 1 } };
    const ofTable = (sign: 1 | -1) => [1, -1].flatMap((mode) => dataset(0.1 * sign, mode));
    const base = [Math.log(0.5), Math.log(1.5)].flatMap((value) => new Array<number>(6).fill(value));
    const logMeans = [...ofTable(-1), ...ofTable(1), ...base];
    const { millibits } = judged({ by: 'elsewhere', settings }, 2, logMeans, 1);
    expect(millibits.pooled!.claimed).toBeCloseTo((claimed(1.1) + claimed(0.9)) / 2, 3);
  });
});

describe('on a table whose modes are known', () => {
  const request = { name: 'three-as-two', table: makeTable('three-as-two'), seed: 3, burnIn: 200, share: 0.05, mostTargets: 60 };
  const small = { ...request, table: someRecords(request.table, 500), share: 0.08 };
  const judge = (found: TwoTables, datasets: number) =>
    judgeTerms([found]).find((one) => one.length === 150 && one.datasets === datasets && one.targets === 'all')!;
  const size = ({ typical, lengths }: TwoTables, datasets: number, base = 0) => (2 * datasets * 2 + base) * lengths.length * typical.length;

  it('modes tell nothing of single records, whatever they claim', () => {
    const found = twoTables({ ...request, made: { by: 'own' }, chains: 8, lengths: 1 });
    expect(found.logMeans.length).toBe(size(found, 8));
    const judged = judge(found, 1);
    const { pooled, 'paired alone': paired } = judged.millibits;
    // Chains choose among three modes that differ much in what they say of a record.
    expect(pooled!.claimed).toBeGreaterThan(30);
    expect(pooled!.achieved).toBeLessThan(0);
    expect(Math.abs(judged.modes.slope)).toBeLessThan(0.3);
    expect(Math.abs(paired!.achieved - paired!.claimed)).toBeLessThan(10);
  });

  it('nor do they where one chain makes several datasets', () => {
    const made = { by: 'one', datasets: 2 } as const;
    const found = twoTables({ ...small, made, chains: 6, lengths: 1 });
    expect(found.logMeans.length).toBe(size(found, 12));
    const { pooled, 'paired alone': paired } = judge(found, 2).millibits;
    // All datasets of a release share its mode, which is counted for each.
    expect(pooled!.claimed).toBeGreaterThan(50);
    expect(pooled!.achieved).toBeLessThan(0);
    expect(Math.abs(paired!.achieved - paired!.claimed)).toBeLessThan(20);
  });

  it('nor where datasets were made elsewhere', () => {
    const settings = { classes: 3, concentration: { value: 1 } };
    const found = twoTables({ ...small, made: { by: 'elsewhere', settings }, chains: 4, lengths: 2 });
    expect(found.lengths).toEqual(LENGTHS.slice(0, 2));
    expect(found.logMeans.length).toBe(size(found, 4, 16));
    const { 'paired alone': paired } = judge(found, 2).millibits;
    expect(Math.abs(paired!.achieved - paired!.claimed)).toBeLessThan(20);
  });

  it('nor where some variables alone are synthesized', () => {
    const made = { by: 'partial', synthesized: [0, 3] } as const;
    const found = twoTables({ ...small, made, chains: 6, lengths: 1 });
    expect(found.logMeans.length).toBe(size(found, 6));
    const { 'paired alone': paired } = judge(found, 1).millibits;
    // A record's own row tells of it, beside what all rows tell of the parameters.
    expect(paired!.achieved).toBeGreaterThan(20);
    expect(Math.abs(paired!.achieved - paired!.claimed)).toBeLessThan(20);
  });
});
