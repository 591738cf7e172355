import { beforeEach, describe, expect, it } from 'vitest';
import { finish } from '../../../shared/contracts/stepwise.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { assignOneToOne } from '../../../shared/risk/linkage/assign-one-to-one.ts';
import { CandidatePairs, type Comparison } from '../../../shared/risk/linkage/candidate-pairs.ts';
import { conjunction, linkRecords, NO_RECORD, weighted } from '../../../shared/risk/linkage/link-records.ts';
import { type LinkedRelease, linkageUnits, linkRelease } from '../../../shared/risk/linkage/link-release.ts';

const equal = (name: string, file: number[], release: number[]): Comparison => {
  const values = Float64Array.from(release);
  return { name, values: Float64Array.from(file), bands: [{ low: values, high: values }], tells: null };
};

const SETTINGS = { link: 'weights', oneToOne: false, bands: null, tolerate: null } as const;

describe('the conjunction', () => {
  const comparisons = [equal('A', [1, 1, 2, 3], [1, 1, 2, 9]), equal('B', [5, 5, 6, 7], [5, 5, 6, 7])];
  const own = Int32Array.of(0, 1, 2, 3);
  let found: LinkedRelease;
  beforeEach(() => {
    found = finish(linkRelease(comparisons, own, { ...SETTINGS, link: 'conjunction' }));
  });

  it('links where everything agrees, and says how many do', () => {
    expect([...found.links.best]).toEqual([0, 0, 2, NO_RECORD]);
    expect([...found.links.ties]).toEqual([2, 2, 1, 0]);
    expect([...found.links.probabilities]).toEqual([0.5, 0.5, 1, 0]);
    expect([...found.links.ownRanks]).toEqual([1.5, 1.5, 1, Number.NaN]);
  });

  it('counts a row as re-identified when its one best link is its own', () => {
    expect(found.figures).toMatchObject({
      records: 4,
      reidentified: 1,
      reidentifiedShare: 0.25,
      linked: 3,
      uniqueLinks: 1,
      guessedShare: 0.25,
      precision: { share: 1, low: expect.closeTo(0.025, 12), high: 1 },
      ownRankMedian: 1.5,
      rocArea: null,
    });
    expect(found.figures.low).toBeCloseTo(0.006309, 6);
    expect(found.figures.high).toBeCloseTo(0.80588, 6);
    expect(found.model).toBeNull();
    expect(found.comparisons).toEqual(['A', 'B'].map((name) => ({ name, levels: null })));
  });

  it('counts all candidates of a row, however many', () => {
    const many = equal('A', Array(300).fill(1), [1]);
    const { links } = finish(linkRelease([many], Int32Array.of(7), { ...SETTINGS, link: 'conjunction' }));
    expect(links).toMatchObject({ ties: Uint32Array.of(300), ownRanks: Float64Array.of(150.5) });
  });

  it('looks at the narrowest intervals alone where it is told so', () => {
    const wide = { low: Float64Array.of(0), high: Float64Array.of(10) };
    const narrow = { low: Float64Array.of(4), high: Float64Array.of(6) };
    const comparison = { name: 'A', values: Float64Array.of(5, 1), bands: [narrow, wide], tells: null };
    const linked = (bands: number | null) =>
      finish(linkRelease([comparison], Int32Array.of(0), { ...SETTINGS, link: 'conjunction', bands }));
    expect(linked(1).figures.reidentified).toBe(1);
    expect(linked(null).links.ties[0]).toBe(2);
  });

  it('has no link for a row of which nothing is told', () => {
    const silent = { ...equal('A', [1, 2], [1, 2]), tells: Uint8Array.of(1, 0) };
    const { links } = finish(linkRelease([silent], Int32Array.of(0, 1), { ...SETTINGS, link: 'conjunction' }));
    expect([...links.best]).toEqual([0, NO_RECORD]);
  });
});

describe('the judgement of weights', () => {
  it('has the best link of those that tie, and its probability among all records and none', () => {
    // In the second row B tells nothing. Records agree on A alone, on both, on both, on A alone, on neither, on neither.
    const b = { ...equal('B', [0, 5, 5, 0, 0, 0], [5, 5]), tells: Uint8Array.of(1, 0) };
    const pairs = new CandidatePairs([equal('A', [1, 1, 1, 1, 0, 0], [1, 1]), b]);
    const prior = { match: 0.1, none: 0.4 };
    const judgement = { weights: [Float64Array.of(-2, 3), Float64Array.of(-1, 4)], prior, tolerance: 1 };
    const links = finish(linkRecords(pairs, Int32Array.of(3, 0), judgement));
    expect([...links.candidates]).toEqual([4, 4]);
    expect([...links.best]).toEqual([1, 0]);
    expect([...links.ties]).toEqual([2, 4]);
    expect([...links.scores]).toEqual([7, 3]);
    expect([...links.ownRanks]).toEqual([3.5, 2.5]);
    // Against the best: 2 of 7 bits, 2 of 2, two records that disagree on all with -3; none with 0.
    const first = 0.1 / (0.1 * (2 + 2 * 2 ** -5 + 2 * 2 ** -10) + 0.4 * 2 ** -7);
    const second = 0.1 / (0.1 * (4 + 2 * 2 ** -5) + 0.4 * 2 ** -3);
    expect([...links.probabilities]).toEqual([expect.closeTo(first, 12), expect.closeTo(second, 12)]);
  });
});

describe('weights', () => {
  const RECORDS = 500;
  const VARIABLES = 9;
  const random = new RandomStream(3, 'links');
  const file = Array.from({ length: VARIABLES }, () => Array.from({ length: RECORDS }, () => random.below(30)));
  /** Three of nine variables of each row are wrong. */
  const release = file.map((values, v) => values.map((value, row) => ((row + v) % 3 === 0 ? random.below(30) : value)));
  const comparisons = file.map((values, v) => equal(`V${v}`, values, release[v]!));
  const own = Int32Array.from({ length: RECORDS }, (_, row) => row);

  it('link what the conjunction loses to a few wrong variables', () => {
    const conjoined = finish(linkRelease(comparisons, own, { ...SETTINGS, link: 'conjunction' }));
    const weighted = finish(linkRelease(comparisons, own, SETTINGS));
    expect(conjoined.figures.reidentifiedShare).toBeLessThan(0.01);
    expect(weighted.figures.reidentifiedShare).toBeGreaterThan(0.98);
  });

  it('claim the precision that they have', () => {
    const few = comparisons.slice(0, 3).map((one) => one);
    const { figures, thresholds } = finish(linkRelease(few, own, { ...SETTINGS, tolerate: 1 }));
    const { precision, claimedPrecision, uniqueLinks } = figures;
    const error = Math.sqrt((precision.share! * (1 - precision.share!)) / uniqueLinks);
    expect(Math.abs(precision.share! - claimedPrecision!)).toBeLessThan(4 * error + 0.02);
    expect(figures.rocArea).toBeGreaterThan(0.5);
    const last = thresholds.at(-1)!;
    expect(last).toMatchObject({ links: uniqueLinks, truePositiveRate: 1, falsePositiveRate: 1 });
    for (let i = 1; i < thresholds.length; i++) expect(thresholds[i]!.probability).toBeLessThan(thresholds[i - 1]!.probability);
  });

  it('know a row whose record the intruder does not have as one that cannot be re-identified', () => {
    const held = Array.from({ length: RECORDS / 2 }, (_, i) => 2 * i);
    const halved = file.map((values, v) =>
      equal(
        `V${v}`,
        held.map((record) => values[record]!),
        release[v]!,
      ),
    );
    const ownHalf = Int32Array.from({ length: RECORDS }, (_, row) => (row % 2 === 0 ? row / 2 : NO_RECORD));
    const { figures, thresholds, model } = finish(linkRelease(halved, ownHalf, SETTINGS));
    expect(figures.reidentified).toBeGreaterThan(240);
    expect(figures.reidentified).toBeLessThanOrEqual(250);
    expect(thresholds[0]!.precision).toBe(1);
    expect(model!.matchShare * held.length).toBeCloseTo(0.5, 1);
  });

  it('tells how far it is, in the units that it announces', () => {
    const work = linkRelease(comparisons, own, { ...SETTINGS, oneToOne: true });
    let last = 0;
    for (let next = work.next(); !next.done; next = work.next()) {
      expect(next.value).toBeGreaterThanOrEqual(last);
      last = next.value;
    }
    expect(last).toBeGreaterThan(2 * RECORDS - 1);
    expect(last).toBeLessThanOrEqual(linkageUnits(RECORDS, { ...SETTINGS, oneToOne: true }));
  });
});

describe('one-to-one links', () => {
  it('leave every record to one row, for the largest sum of scores', () => {
    // Rows 0 and 1 both agree best with record 0; the wide interval of row 1 holds its own as well.
    const narrow = { low: Float64Array.of(9, 9, 29), high: Float64Array.of(11, 11, 31) };
    const wide = { low: Float64Array.of(9, 9, 29), high: Float64Array.of(11, 13, 31) };
    const values = Float64Array.of(10, 12, 30);
    const pairs = new CandidatePairs([{ name: 'A', values, bands: [narrow, wide], tells: null }]);
    const judgement = { weights: [Float64Array.of(-5, 1, 2)], prior: null, tolerance: 0 };
    const free = finish(linkRecords(pairs, Int32Array.of(0, 1, 2), judgement));
    expect([...free.best]).toEqual([0, 0, 2]);
    const assigned = finish(assignOneToOne(pairs, free, judgement));
    expect([...assigned.best]).toEqual([0, 1, 2]);
    expect([...assigned.scores]).toEqual([2, 1, 2]);
    expect([...assigned.ties]).toEqual([1, 1, 1]);
  });

  it('leave out what speaks neither for a match nor against one', () => {
    const pairs = new CandidatePairs([equal('A', [1, 2], [1, 2])]);
    const judgement = { weights: [Float64Array.of(-5, 0)], prior: null, tolerance: 0 };
    const free = finish(linkRecords(pairs, Int32Array.of(0, 1), judgement));
    expect([...free.best]).toEqual([0, 1]);
    expect([...finish(assignOneToOne(pairs, free, judgement)).best]).toEqual([NO_RECORD, NO_RECORD]);
  });

  it('are not unique where an exchange costs nothing', () => {
    const both = { low: Float64Array.of(0, 0), high: Float64Array.of(9, 9) };
    const pairs = new CandidatePairs([{ name: 'A', values: Float64Array.of(1, 2), bands: [both], tells: null }]);
    const judgement = { weights: [Float64Array.of(-5, 1)], prior: null, tolerance: 0 };
    const free = finish(linkRecords(pairs, Int32Array.of(0, 1), judgement));
    expect([...finish(assignOneToOne(pairs, free, judgement)).ties]).toEqual([2, 2]);
  });

  it('are those of the best of all permutations', () => {
    const random = new RandomStream(11, 'assignment');
    for (let trial = 0; trial < 20; trial++) {
      const records = 5;
      const made = Array.from({ length: 3 }, (_, v): Comparison => {
        const file = Float64Array.from({ length: records }, () => random.below(3));
        const release = file.map((value) => (random.below(3) === 0 ? random.below(3) : value));
        return { name: `V${v}`, values: file, bands: [{ low: release, high: release }], tells: null };
      });
      const settings = { ...SETTINGS, oneToOne: true, tolerate: 2 };
      const { links, comparisons: fitted } = finish(
        linkRelease(
          made,
          Int32Array.from({ length: records }, (_, i) => i),
          settings,
        ),
      );
      const score = (row: number, record: number) =>
        made.reduce((sum, { values: file, bands }, v) => {
          const level = file[record] === bands[0]!.low[row] ? 1 : 0;
          return sum + fitted[v]!.levels![level]!.weightBits;
        }, 0);
      const agrees = (row: number, record: number) => made.some(({ values: file, bands }) => file[record] === bands[0]!.low[row]);
      const gain = (row: number, record: number) => (agrees(row, record) ? Math.max(0, score(row, record)) : 0);
      let best = 0;
      const extend = (row: number, free: number[], sum: number) => {
        best = Math.max(best, sum);
        if (row === records) return;
        for (const record of free)
          extend(
            row + 1,
            free.filter((other) => other !== record),
            sum + gain(row, record),
          );
      };
      extend(0, [0, 1, 2, 3, 4], 0);
      const total = links.best.reduce((sum, record, row) => sum + (record === NO_RECORD ? 0 : score(row, record)), 0);
      expect(total).toBeCloseTo(best, 9);
      const taken = [...links.best].filter((record) => record !== NO_RECORD);
      expect(new Set(taken).size).toBe(taken.length);
    }
  });
});

describe('linkRecords()', () => {
  it('takes the first in the file of equal links, whatever order they are found in', () => {
    const comparisons = [equal('A', [2, 1, 1, 1], [1])];
    const links = finish(linkRecords(new CandidatePairs(comparisons), Int32Array.of(2), conjunction(comparisons)));
    expect([links.best[0], links.ties[0], links.ownRanks[0]]).toEqual([1, 3, 2]);
  });

  it.each([0.1, 0.3])(
    'gives the best link its posterior over all records and none of them (a match for a share of %s of all pairs)',
    (matchShare) => {
      // Bits: A and B agree, A alone agrees, neither.
      const comparisons = [equal('A', [1, 1, 2, 3, 4], [1]), equal('B', [7, 8, 7, 9, 9], [7])];
      const weights = [Float64Array.of(-3, 2), Float64Array.of(-1, 4)];
      const model = { weights, matchShare, matches: [], others: [], iterations: 0, converged: true };
      const probability = (tolerance: number) => {
        const judgement = weighted(model, 5, tolerance);
        return finish(linkRecords(new CandidatePairs(comparisons), Int32Array.of(0), judgement)).probabilities[0]!;
      };
      const ratios = [6, 1, 1, -4, -4].map((bits) => 2 ** bits);
      const hasMatch = Math.min(1, 5 * matchShare);
      const sum = ratios.reduce((total, ratio) => total + (hasMatch / 5) * ratio, 1 - hasMatch);
      expect(probability(1)).toBeCloseTo(((hasMatch / 5) * ratios[0]!) / sum, 12);
      // What is no candidate counts as disagreeing on everything.
      const looked = [6, -4, -4, -4, -4].map((bits) => 2 ** bits);
      const withoutOthers = looked.reduce((total, ratio) => total + (hasMatch / 5) * ratio, 1 - hasMatch);
      expect(probability(0)).toBeCloseTo(((hasMatch / 5) * ratios[0]!) / withoutOthers, 12);
    },
  );
});
