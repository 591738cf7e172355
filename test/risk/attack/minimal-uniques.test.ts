import { describe, expect, it } from 'vitest';
import { countKeys } from '../../../shared/risk/attack/key-counts.ts';
import { dataIntrusionSimulation, defaultSubsetSize, disScores, subsetCount } from '../../../shared/risk/attack/minimal-uniques.ts';
import { tableOf } from '../../utility/table-of.ts';
import { lehmer } from './reference-tables.ts';

const SETTINGS = { samplingFraction: null, disFraction: 0.01 };

/** Codes of texts, column by column. */
function coded(rows: readonly (readonly string[])[]) {
  const categories = rows[0]!.map((_, v) => [...new Set(rows.map((row) => row[v]!))]);
  return tableOf(
    categories.map((own) => own.length),
    rows.map((row) => row.map((text, v) => categories[v]!.indexOf(text))),
  );
}

const scoresOf = (rows: readonly (readonly string[])[], subsetSize: number) => {
  const keys = [...rows[0]!.keys()];
  return [...countKeys(coded(rows), keys, { ...SETTINGS, subsetSize }).sudaScores];
};

/** SUDA scores by the definition: every set of keys of every record, compared with every other record. */
function byDefinition(rows: readonly (readonly number[])[], largest: number): number[] {
  const keys = rows[0]!.length;
  return rows.map((row, record) => {
    const alone = (mask: number) =>
      rows.every((other, i) => i === record || other.some((code, v) => ((mask >> v) & 1) === 1 && code !== row[v]));
    let score = 0;
    for (let mask = 1; mask < 1 << keys; mask++) {
      const own = [...Array(keys).keys()].filter((v) => (mask >> v) & 1);
      if (own.length > largest || !alone(mask)) continue;
      if (own.length > 1 && own.some((v) => alone(mask & ~(1 << v)))) continue;
      let weight = 1;
      for (let i = own.length; i <= Math.min(largest, keys - 1); i++) weight *= keys - i;
      score += weight;
    }
    return score;
  });
}

describe('SUDA scores', () => {
  it('are those of the example in Templ (2017), which sdcMicro tests', () => {
    const rows = [
      ['20s', 'male', '50k+', 'highschool'],
      ['20s', 'male', '50k+', 'highschool'],
      ['20s', 'male', '50k-', 'highschool'],
      ['20s', 'male', '50k-', 'highschool'],
      ['20s', 'female', '50k-', 'university'],
      ['20s', 'female', '50k-', 'highschool'],
      ['20s', 'female', '50k-', 'middleschool'],
      ['60s', 'male', '50k-', 'university'],
    ];
    expect(scoresOf(rows, 4)).toEqual([0, 0, 0, 0, 4, 2, 6, 8]);
  });

  it('are those of the example in the World Bank’s guide to statistical disclosure control', () => {
    const rows = [
      ['Urban', 'Female', 'Secondary incomplete', 'Employed'],
      ['Urban', 'Female', 'Secondary incomplete', 'Employed'],
      ['Urban', 'Female', 'Primary incomplete', 'Non-LF'],
      ['Urban', 'Male', 'Secondary complete', 'Employed'],
      ['Rural', 'Female', 'Secondary complete', 'Unemployed'],
      ['Urban', 'Male', 'Secondary complete', 'Employed'],
      ['Urban', 'Female', 'Primary complete', 'Non-LF'],
      ['Urban', 'Male', 'Post-secondary', 'Unemployed'],
      ['Urban', 'Female', 'Secondary incomplete', 'Non-LF'],
      ['Urban', 'Female', 'Secondary incomplete', 'Non-LF'],
    ];
    expect(scoresOf(rows, 4)).toEqual([0, 0, 6, 0, 12, 0, 6, 10, 0, 0]);
  });

  it.each([1, 2, 3, 5])('are those of the definition, minimal sample uniques of %i keys at most', (largest) => {
    for (const seed of [11, 12, 13]) {
      const below = lehmer(seed);
      const rows = Array.from({ length: 40 }, () => [2, 3, 4, 3, 5].map((size) => below(size)));
      const table = tableOf([2, 3, 4, 3, 5], rows);
      const { sudaScores, figures } = countKeys(table, [0, 1, 2, 3, 4], { ...SETTINGS, subsetSize: largest });
      expect([...sudaScores]).toEqual(byDefinition(rows, largest));
      expect(figures.suda.records).toBe(sudaScores.filter((score) => score > 0).length);
      expect(figures.suda.minimalSampleUniques).toHaveLength(largest);
    }
  });

  it('are none where every record has a twin', () => {
    const rows = [
      ['a', 'b'],
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ];
    const { figures } = countKeys(coded(rows), [0, 1], { ...SETTINGS, subsetSize: 2 });
    expect(figures.suda).toMatchObject({ scoreMax: 0, minimalSampleUniques: [0, 0], dis: 0, disScoreMax: 0 });
  });
});

describe('DIS', () => {
  it('is the share of unique matches that are right when a record is taken out and put back (Skinner and Elliot 2002)', () => {
    expect(dataIntrusionSimulation(10, 4, 0.1)).toBeCloseTo(1 / (1 + 3.6), 12);
    expect(dataIntrusionSimulation(3, 0, 0.1)).toBe(1);
    expect(dataIntrusionSimulation(0, 4, 0.1)).toBe(0);
    expect(dataIntrusionSimulation(0, 0, 0.1)).toBeNull();
  });

  it('is undefined, with the reason, where no record is alone or shares its keys with one other', () => {
    const rows = Array.from({ length: 6 }, (_, i) => [`${i >> 1 > 0 ? 'x' : 'x'}`]);
    const { figures } = countKeys(coded(rows), [0], { ...SETTINGS, subsetSize: 1 });
    expect(figures.suda).toMatchObject({ dis: null, disScoreMax: 0 });
    expect(figures.suda.reason).toContain('alone');
  });

  it('is shared out so that scores of equal records average to it', () => {
    // Where all scores are equal, each record has DIS itself.
    const scores = Float64Array.of(2, 2, 2, 0);
    const found = disScores(scores, 4, { uniques: 3, inPairs: 2, fraction: 0.1 });
    const dis = dataIntrusionSimulation(3, 2, 0.1)!;
    for (const one of found.subarray(0, 3)) expect(one).toBeCloseTo(dis, 12);
    expect(found[3]).toBe(0);
  });

  it('is none of a record without a score, however many keys, and all of one that is surely alone', () => {
    const some = { uniques: 2, inPairs: 2, fraction: 0.1 };
    expect(disScores(Float64Array.of(2, 3, 0), 30, some)[2]).toBe(0);
    expect([...disScores(Float64Array.of(2, 0), 3, { ...some, inPairs: 0 })]).toEqual([1, 0]);
  });
});

describe('keys', () => {
  it('are counted as freqCalc of sdcMicro does in its tests', () => {
    const rows = [2, 3, 2, 2, 3, 3, 1, 2].map((a, i) => [`${a}`, `${[3, 3, 3, 3, 3, 3, 4, 3][i]}`, `${[1, 3, 1, 2, 1, 1, 1, 1][i]}`]);
    const { counts, figures, risks } = countKeys(coded(rows), [0, 1, 2], { ...SETTINGS, subsetSize: 3 });
    expect([...counts]).toEqual([3, 1, 3, 1, 2, 2, 1, 3]);
    expect([...risks]).toEqual([3, 1, 3, 1, 2, 2, 1, 3].map((count) => 1 / count));
    expect(figures).toMatchObject({
      sampleUniques: 3,
      k: 1,
      violations: [
        { k: 2, records: 3, share: 3 / 8 },
        { k: 3, records: 5, share: 5 / 8 },
        { k: 5, records: 8, share: 1 },
      ],
      individualRisk: { max: 1 },
    });
    expect(figures.suda.reason).toBeUndefined();
    expect(figures.individualRisk.expected).toBeCloseTo(5, 12);
  });
});

describe('subsets of keys', () => {
  it('are counted without the empty one', () => {
    expect(subsetCount(5, 5)).toBe(31);
    expect(subsetCount(10, 2)).toBe(55);
  });

  it('are limited by what takes a few seconds', () => {
    expect(defaultSubsetSize(8, 7000)).toBe(8);
    expect(defaultSubsetSize(12, 100_000)).toBe(2);
    // Ten subsets of two of four keys at most.
    expect([2_000_000, 2_000_001].map((records) => defaultSubsetSize(4, records))).toEqual([2, 1]);
    expect(defaultSubsetSize(30, 10_000_000)).toBe(1);
  });
});
