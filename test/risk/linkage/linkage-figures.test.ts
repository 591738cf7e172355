import { describe, expect, it } from 'vitest';
import { type Links, NO_RECORD } from '../../../shared/risk/linkage/link-records.ts';
import { linkageFigures, linkageThresholds, thinnedThresholds } from '../../../shared/risk/linkage/linkage-figures.ts';

/** Links of rows: the best record, how many are as good, its probability and the rank of the row's own record. */
function linksOf(rows: readonly (readonly [number, number, number, number])[]): Links {
  return {
    best: Int32Array.from(rows, ([best]) => best),
    ties: Uint32Array.from(rows, ([, ties]) => ties),
    probabilities: Float64Array.from(rows, ([, , probability]) => probability),
    ownRanks: Float64Array.from(rows, ([, , , rank]) => rank),
    scores: new Float64Array(rows.length),
    candidates: new Uint32Array(rows.length),
  };
}

const none = Number.NaN;

describe('linkageFigures()', () => {
  it('counts links, unique links and those to the own record, of rows whose record is in the file or not', () => {
    const links = linksOf([
      [0, 1, 0.9, 1],
      [3, 1, 0.6, 2],
      [2, 2, 0.5, 1.5],
      [4, 1, 0.3, none],
      [NO_RECORD, 0, 0, none],
    ]);
    const own = Int32Array.of(0, 1, 2, NO_RECORD, NO_RECORD);
    expect(linkageFigures(links, own, 10)).toMatchObject({
      records: 5,
      linked: 4,
      uniqueLinks: 3,
      reidentified: 1,
      reidentifiedShare: 0.2,
      // A guess finds each of the three records that are in the file with one chance in ten.
      guessedShare: 3 / 50,
      precision: { share: 1 / 3 },
      claimedPrecision: (0.9 + 0.6 + 0.3) / 3,
      ownRankMedian: 1.5,
      // Of the two wrong links both are less likely than the right one.
      rocArea: 1,
    });
  });

  it('says why figures are absent where no row has one best link, or its own record among the candidates', () => {
    const found = linkageFigures(linksOf([[0, 2, 0.5, none]]), Int32Array.of(1), 4);
    expect(found).toMatchObject({
      uniqueLinks: 0,
      claimedPrecision: null,
      precision: { share: null, low: null, high: null, reason: 'no row has one best link' },
      ownRankMedian: null,
      ownRankReason: 'no row has its own record among the candidates',
      rocArea: null,
      rocReason: 'no row has one best link',
    });
  });

  it.each([
    ['every', 0],
    ['no', 5],
  ])('has no ROC curve where %s unique link is right', (which, record) => {
    const links = linksOf([[record, 1, 0.9, 1]]);
    expect(linkageFigures(links, Int32Array.of(0), 10)).toMatchObject({ rocArea: null, rocReason: `${which} unique link is right` });
  });
});

describe('thinnedThresholds()', () => {
  const rows = Array.from({ length: 101 }, (_, row) => [row, 1, 1 - row / 200, 1] as const);
  const thresholds = linkageThresholds(
    linksOf(rows),
    Int32Array.from(rows, ([row]) => row),
  );

  it('has the first, the last and those evenly between them', () => {
    expect(thinnedThresholds(thresholds, 5).map(({ links }) => links)).toEqual([1, 26, 51, 76, 101]);
  });

  it('has all where they are as many or fewer', () => {
    for (const most of [101, 200]) expect(thinnedThresholds(thresholds, most)).toEqual(thresholds);
  });
});

describe('linkageThresholds()', () => {
  it('is at every probability that a unique link has, the largest first, equal ones together', () => {
    const links = linksOf([
      [0, 1, 0.9, 1],
      [1, 1, 0.5, 1],
      [9, 1, 0.5, 3],
      [3, 1, 0.2, none],
      [4, 2, 0.95, 1],
    ]);
    const own = Int32Array.of(0, 1, 2, NO_RECORD, 4);
    expect(linkageThresholds(links, own)).toEqual([
      { probability: 0.9, links: 1, correct: 1, precision: 1, recall: 1 / 4, truePositiveRate: 0.5, falsePositiveRate: 0 },
      { probability: 0.5, links: 3, correct: 2, precision: 2 / 3, recall: 2 / 4, truePositiveRate: 1, falsePositiveRate: 0.5 },
      { probability: 0.2, links: 4, correct: 2, precision: 0.5, recall: 2 / 4, truePositiveRate: 1, falsePositiveRate: 1 },
    ]);
    expect(linkageFigures(links, own, 10).rocArea).toBeCloseTo(0.5 * 0.75 + 0.5 * 1, 12);
  });

  it('has no recall where the file holds no record of the release', () => {
    const [only] = linkageThresholds(linksOf([[0, 1, 0.9, none]]), Int32Array.of(NO_RECORD));
    expect(only).toMatchObject({ recall: null, truePositiveRate: null, falsePositiveRate: 1 });
  });
});
