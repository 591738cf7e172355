import { describe, expect, it } from 'vitest';
import { seededStreams } from '../../../shared/random/streams.ts';
import { columnsOf } from '../../../shared/risk/attribute/attribute-summary.ts';
import { KEPT_HALF } from '../../../shared/risk/attribute/kept-evaluations.ts';
import { type ExactRatio, exactPart, membershipFigures, setMembership } from '../../../shared/risk/membership/membership-figures.ts';

/** A ratio in bits that is known, and what it is without each of two datasets. */
const bits = (whole: number, ...without: number[]): ExactRatio => ({
  logRatio: whole * Math.LN2,
  logRatiosWithout: without.map((value) => value * Math.LN2),
});
const times = (count: number, value: number) => Array.from({ length: count }, () => bits(value, value, value));

describe('ratios that are known', () => {
  it('are the same in every evaluation but those without a dataset', () => {
    const { members, others, width } = exactPart([bits(1, 3, 0), bits(-1, -2, 1)], [bits(2, 4, 5)], 2);
    expect(width).toBe(KEPT_HALF + 3);
    expect([...members.subarray(0, KEPT_HALF + 1)]).toEqual(Array.from({ length: KEPT_HALF + 1 }, () => expect.closeTo(1, 12)));
    expect([...members.subarray(KEPT_HALF + 1, width + 1)]).toEqual([3, 0, -1].map((value) => expect.closeTo(value, 12)));
    expect([...members.subarray(2 * width - 2)]).toEqual([-2, 1].map((value) => expect.closeTo(value, 12)));
    expect([...others.subarray(KEPT_HALF)]).toEqual([2, 4, 5].map((value) => expect.closeTo(value, 12)));
    expect(exactPart([bits(1)], [], 1)).toMatchObject({ width: KEPT_HALF + 1, others: new Float64Array(0) });
  });

  it('give a row the probability of a member that was as likely to be there as not', () => {
    const part = exactPart([bits(1, 3, 0), bits(-2, -2, -2)], [], 2);
    // The second row in the second of two evaluations is off by half a bit.
    part.members[part.width + KEPT_HALF] = -2.5;
    const risk = { membershipBits: new Float64Array(2), membershipBitsSe: new Float64Array(2), membershipProbability: new Float64Array(2) };
    setMembership(risk, part);
    expect([...risk.membershipBits]).toEqual([expect.closeTo(1, 12), expect.closeTo(-2, 12)]);
    expect([...risk.membershipBitsSe]).toEqual([0, expect.closeTo(0.5, 12)]);
    expect([...risk.membershipProbability]).toEqual([expect.closeTo(2 / 3, 12), expect.closeTo(1 / 5, 12)]);
  });
});

describe('how well the release shows who is in the table', () => {
  const members = [bits(1, 3, 0), bits(-1, -1, -1)];
  const figuresOf = ({ members, others, width }: ReturnType<typeof exactPart>, counts: number[], seed = 7) =>
    membershipFigures({ members: () => columnsOf(members, width), others, width }, counts, seededStreams(seed), 'control');

  it('has the figures of its curve, with errors over releases and over the others, who are a sample', async () => {
    // Three of four members have 1 bit and one of four others.
    const figures = await figuresOf(exactPart(members, [...times(10, 1), ...times(30, -1)], 2), [3, 1]);
    expect(figures).toMatchObject({
      others: 'control',
      othersCount: 40,
      auc: expect.closeTo(0.75, 12),
      balancedAccuracy: expect.closeTo(0.75, 12),
      foundAt01Percent: expect.closeTo(0.003, 12),
      foundAt1Percent: expect.closeTo(0.03, 12),
      foundAt10Percent: expect.closeTo(0.3, 12),
      bitsMax: expect.closeTo(1, 12),
      meanInverseRatioMembers: expect.closeTo((3 / 2 + 2) / 4, 12),
      meanRatioOthers: expect.closeTo((2 + 3 / 2) / 4, 12),
      // Odds of 3 and of 1 / 3 at log ratios that are two bits apart.
      power: expect.closeTo(Math.log2(3), 9),
    });
    expect(figures.powerReason).toBeUndefined();
    expect(figures.roc.map(({ falseAlarms }) => falseAlarms).slice(0, 3)).toEqual([0, 0.001, 0.002]);
    expect(figures.roc.at(0)!.found).toBe(0);
    expect(figures.roc.at(-1)!.found).toBe(1);
    expect(figures.roc.find(({ falseAlarms }) => falseAlarms === 0.2)!.found).toBeCloseTo(0.6, 12);
    // What comes of members alone is exact. Without the datasets the most is 3 and 0: contributions of -2 and 1.
    expect(figures.bitsMaxSimulationSe).toBe(0);
    expect(figures.bitsMaxReleaseSe).toBeCloseTo(3, 12);
    expect(figures.meanInverseRatioMembersSimulationSe).toBe(0);
    // A mean of 40 ratios of 2 and 1 / 2, found from 32 resamples: within three of its errors of an eighth.
    const se = (1.5 * Math.sqrt(3 / 16)) / Math.sqrt(40);
    expect(Math.abs(figures.meanRatioOthersSimulationSe! / se - 1)).toBeLessThan(3 / 8);
    expect(figures.meanRatioOthersReleaseSe).toBe(0);
    expect(figures.powerSimulationSe).toBeGreaterThan(0);
  });

  it('compares half the length over the same others: an error by it is of the members alone', async () => {
    // Of two others the mean ratio of a resample is 1024, 512 or 0 with an error of 362; 512 is as far from what they have together.
    for (let seed = 0; seed < 8; seed++) {
      const figures = await figuresOf(exactPart([bits(0), bits(1)], [bits(10), bits(-10)], 1), [1, 1], seed);
      expect(figures.meanRatioOthersSimulationSe).toBeLessThan(500);
    }
  });

  it('has no power where ratios set members and others apart, and says why', async () => {
    const figures = await figuresOf(exactPart([bits(2), bits(3)], [bits(0), bits(1)], 1), [1, 1]);
    expect(figures).toMatchObject({ auc: 1, power: null, powerSe: null, powerSimulationSe: null, powerReleaseSe: null });
    expect(figures.powerReason).toContain('separate');
    expect(figures.bitsMaxReleaseSe).toBeNull();
  });
});
