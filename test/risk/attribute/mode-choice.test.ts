import { describe, expect, it } from 'vitest';
import { modeChoice, weighModes } from '../../../shared/risk/attribute/mode-choice.ts';

/** Chains of which each has one number. */
const chains = (...values: number[]) => values.map((value) => Float64Array.of(value));

describe('modeChoice()', () => {
  it('is nothing where what differs between chains was decided by half the burn-in', () => {
    expect(modeChoice(chains(-1, 0, 3), chains(-1, 0, 3))[0]).toBeCloseTo(0, 14);
    // A shift that all have, or another scale, is no other decision.
    expect(modeChoice(chains(-1, 0, 3), chains(5, 7, 13))[0]).toBeCloseTo(0, 14);
  });

  it('is 1 less the fourth power of the correlation', () => {
    const [early, kept] = [
      [1, 2, 3, 4],
      [1, 3, 2, 4],
    ] as const;
    // Correlation 0.8: 1 - 6 (0 + 1 + 1 + 0) / (4 x 15), as of ranks.
    expect(modeChoice(chains(...early), chains(...kept))[0]).toBeCloseTo(1 - 0.8 ** 4, 14);
  });

  it('is 1 where chains agree, go against what they were, or are too few to tell', () => {
    expect(modeChoice(chains(1, 2, 3), chains(2, 2, 2))[0]).toBe(1);
    expect(modeChoice(chains(1, 2, 3), chains(3, 2, 1))[0]).toBe(1);
    expect(modeChoice(chains(1, 2), chains(1, 2))[0]).toBe(1);
  });
});

describe('weighModes()', () => {
  /** Two modes: the record's probability given all others, and that of another value, in each. */
  const modes = [
    { truth: 0.5, other: 0.1 },
    { truth: 0.02, other: 0.3 },
  ];
  const kept = modes.map(({ truth }) => Float64Array.of(-Math.log(truth)));
  const means = () => modes.map(({ truth, other }) => Float64Array.of(1, other / truth));
  const oddsOfOther = (choice: number) => {
    const weighed = means();
    weighModes(weighed, kept, Float64Array.of(choice));
    const sum = (x: number) => weighed.reduce((total, mean) => total + mean[x]!, 0);
    return sum(1) / sum(0);
  };

  it('gives the mean over modes of what each gives a value, where no mode depends on the record', () => {
    expect(oddsOfOther(0)).toBeCloseTo((0.1 + 0.3) / (0.5 + 0.02), 13);
  });

  it('gives one expectation of the ratio where modes are chosen by the record', () => {
    expect(oddsOfOther(1)).toBeCloseTo((0.1 / 0.5 + 0.3 / 0.02) / 2, 13);
  });

  it('lies between the two otherwise, each row by its own choice', () => {
    expect(oddsOfOther(0.5)).toBeGreaterThan(oddsOfOther(0));
    expect(oddsOfOther(0.5)).toBeLessThan(oddsOfOther(1));
    const twoRows = means().map((mean) => Float64Array.of(...mean, ...mean));
    const before = twoRows.map((mean) => mean.slice());
    weighModes(
      twoRows,
      kept.map((own) => Float64Array.of(own[0]!, own[0]!)),
      Float64Array.of(1, 0),
    );
    for (const [c, mean] of twoRows.entries()) expect(mean.subarray(0, 2)).toEqual(before[c]!.subarray(0, 2));
    expect((twoRows[0]![3]! + twoRows[1]![3]!) / (twoRows[0]![2]! + twoRows[1]![2]!)).toBeCloseTo(oddsOfOther(0), 13);
  });
});
