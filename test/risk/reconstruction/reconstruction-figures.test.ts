import { describe, expect, it } from 'vitest';
import { reconstructionSchema } from '../../../shared/contracts/results/reconstruction/reconstruction.ts';
import { KEPT_HALF, keptEvaluations } from '../../../shared/risk/attribute/kept-evaluations.ts';
import { hasAllCells, MOST_CANDIDATES, reconstructionCandidates } from '../../../shared/risk/reconstruction/reconstruction-candidates.ts';
import {
  type RankedCandidates,
  reconstructionFigures,
  releasedShares,
} from '../../../shared/risk/reconstruction/reconstruction-figures.ts';
import { combinationsFromCodes } from '../../../shared/table/distinct-rows.ts';

const rows = (records: readonly (readonly number[])[]) =>
  combinationsFromCodes(Uint16Array.from(records.flat()), records.length, records[0]!.length).combinations;

describe('candidates', () => {
  it('are all cells where these are few, in the order of their codes', () => {
    const dataset = rows([
      [1, 2],
      [0, 0],
      [1, 2],
    ]);
    const { codes, count, released, leftOut } = reconstructionCandidates([2, 3], [dataset], null);
    expect([...codes]).toEqual([0, 0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 2]);
    expect({ count, released: [...released[0]!], leftOut }).toEqual({ count: 6, released: [1, 0, 0, 0, 0, 2], leftOut: 0 });
    expect([hasAllCells([100, 100]), hasAllCells([100, 101])]).toEqual([true, false]);
  });

  it('are what is released or drawn, each once, where there are more', () => {
    const { codes, count, released, leftOut } = reconstructionCandidates(
      [200, 200],
      [
        rows([
          [7, 7],
          [3, 9],
        ]),
        rows([
          [3, 9],
          [3, 9],
        ]),
      ],
      rows([
        [150, 0],
        [7, 7],
      ]),
    );
    expect([...codes]).toEqual([3, 9, 7, 7, 150, 0]);
    expect({ count, leftOut }).toEqual({ count: 3, leftOut: 0 });
    expect(released.map((own) => [...own])).toEqual([
      [1, 1, 0],
      [2, 0, 0],
    ]);
  });

  it('are the most frequent, and of equal ones the first by their codes, where these are too many', () => {
    const seldom = Array.from({ length: MOST_CANDIDATES + 5 }, (_, i) => [Math.floor(i / 200), i % 200]);
    const often = [199, 199];
    const { codes, count, leftOut } = reconstructionCandidates([200, 200], [rows([often])], rows([...seldom.toReversed(), often]));
    expect({ count, leftOut }).toEqual({ count: MOST_CANDIDATES, leftOut: 1 });
    expect([...codes.subarray(0, 4)]).toEqual([0, 0, 0, 1]);
    expect([...codes.subarray(-4)]).toEqual([...seldom[MOST_CANDIDATES - 2]!, ...often]);
  });
});

/** Cells of a table of 40 records: 20 cells with two each, 20 without; what is believed of each is the same everywhere. */
const CELLS = 40;
const inTable = Uint32Array.from({ length: CELLS }, (_, x) => (x < 20 ? 2 : 0));
const inControl = Uint32Array.from({ length: CELLS }, (_, x) => (x % 2 === 0 ? 2 : 0));
const everywhere = (of: (x: number) => number) =>
  Array.from({ length: keptEvaluations(2) }, () => Float64Array.from({ length: CELLS }, (_, x) => of(x)));

const ranked = (density: (x: number) => number, released: (x: number) => number): RankedCandidates => ({
  candidates: {
    codes: Uint16Array.from({ length: CELLS }, (_, x) => x),
    count: CELLS,
    released: [0, 1].map(() => Uint32Array.from({ length: CELLS }, (_, x) => released(x))),
    leftOut: 0,
  },
  densities: everywhere(density),
  confidences: everywhere((x) => 1 - (1 - density(x)) ** 40),
  table: { records: 40, counts: inTable },
  baseline: {
    control: { records: 40, counts: inControl },
    ownCombinations: { counts: Uint32Array.of(9, 5, 5, 1), inTable: Uint32Array.of(2, 0, 1, 0) },
  },
});
const release = { released: [40, 40], drawn: 0, cells: CELLS, combinations: 20 };

describe('figures of reconstruction', () => {
  it('of the table itself as the release are all hits, beyond what other people have', () => {
    const found = reconstructionFigures(
      ranked(
        (x) => (x < 20 ? 0.04 + x / 1e5 : 0.01),
        (x) => inTable[x]!,
      ),
      release,
    );
    expect(reconstructionSchema.parse(found)).toEqual(found);
    expect(found.first10).toMatchObject({ guesses: 10, hits: 10, share: 1, shareSe: 0, baseline: 0.5, aboveBaseline: 0.5 });
    expect(found.first10.byFrequency).toMatchObject({ hits: 10, share: 1, baseline: 0.5 });
    // Named are all in the end: as many cells as table and control have of them.
    expect(found.first100).toMatchObject({ guesses: 40, hits: 20, share: 0.5, baseline: 0.5, aboveBaseline: 0 });
    expect(found.cellsShare).toBe(0.5);
    // Ten are more than the control has.
    expect(found.first10.byControl).toBe(0.5);
    // Wilson (1927): 10 of 10, and 5 of 10.
    const z = 1.959963984540054;
    const half = (share: number) => (z * Math.sqrt((share * (1 - share)) / 10 + (z * z) / 400)) / (1 + (z * z) / 10) / z;
    expect(found.first10.aboveBaselineChanceSe).toBeCloseTo(Math.hypot(half(1), half(0.5)), 9);
    expect(found.first10.aboveBaselineSimulationSe).toBe(found.first10.aboveBaselineChanceSe);
    expect(found.first10.aboveBaselineSe).toBe(found.first10.aboveBaselineChanceSe);
  });

  it('of noise are what the baseline is', () => {
    const found = reconstructionFigures(
      ranked(
        () => 1 / CELLS,
        () => 1,
      ),
      release,
    );
    for (const { share, byFrequency, baseline, expected } of found.curve) {
      expect([share, byFrequency, baseline]).toEqual([expect.closeTo(0.5), expect.closeTo(0.5), expect.closeTo(0.5)]);
      expect(expected).toBeCloseTo(1 - (1 - 1 / CELLS) ** 40, 12);
    }
    expect(found.first10.aboveBaseline).toBeCloseTo(0, 12);
  });

  it('do not depend on the table but by what is found in it', () => {
    const own = ranked(
      (x) => (x + 1) / 820,
      (x) => x % 3,
    );
    const other = { ...own, table: { records: 40, counts: inTable.toReversed() } };
    const [here, there] = [reconstructionFigures(own, release), reconstructionFigures(other, release)];
    expect(there.first10.expected).toBe(here.first10.expected);
    expect(there.first10.baseline).toBe(here.first10.baseline);
    expect(there.calibration.map(({ candidates }) => candidates)).toEqual(here.calibration.map(({ candidates }) => candidates));
    expect([here.first10.hits, there.first10.hits]).toEqual([0, 10]);
  });

  it('say what is at most missed where not all cells are candidates', () => {
    const own = ranked(
      () => 0.02,
      () => 1,
    );
    expect(reconstructionFigures(own, { ...release, drawn: 100 }).first10.missed).toBeCloseTo(0.98 ** 100, 9);
    const cut = { ...own, candidates: { ...own.candidates, leftOut: 1 } };
    expect(reconstructionFigures(cut, { ...release, drawn: 100 }).first10.missed).toBeCloseTo(0.98 ** 100 + 100 * 0.02 * 0.98 ** 99, 9);
  });

  it('have errors over releases from what is ranked without each dataset', () => {
    const own = ranked(
      (x) => (CELLS - x) / 820,
      (x) => inTable[x]!,
    );
    // Without the second dataset the order is the other way round.
    const densities = own.densities.with(-1, own.densities[0]!.toReversed());
    const { share, shareReleaseSe, shareSimulationSe } = reconstructionFigures({ ...own, densities }, release).first10;
    expect({ share, shareSimulationSe }).toEqual({ share: 1, shareSimulationSe: 0 });
    // m / (m - 1) times squared deviations of 0 and 1 from their mean (Efron & Stein 1981).
    expect(shareReleaseSe).toBeCloseTo(Math.sqrt(2 * (0.25 + 0.25)), 12);
  });

  it('are against new tables of the model where there is no control: chance is that of the table alone', () => {
    const own = ranked(
      (x) => (CELLS - x) / 820,
      (x) => inTable[x]!,
    );
    const found = reconstructionFigures({ ...own, baseline: { simulated: everywhere(() => 0.25) } }, release);
    expect(found).toMatchObject({ baselineOf: 'simulated', baselineRecords: 40 });
    expect(found.first10).toMatchObject({ share: 1, baseline: 0.25, aboveBaseline: 0.75 });
    expect('byControl' in found.first10).toBe(false);
    // Wilson (1927): 10 of 10.
    const z = 1.959963984540054;
    expect(found.first10.aboveBaselineChanceSe).toBeCloseTo(z / 20 / (1 + (z * z) / 10), 9);
  });

  it('compare what was believed with what was found, by how much it was', () => {
    // Beliefs of 0, 0.1, 0.5, 0.95 and 1, of eight cells each, of which the first twenty are in the table.
    const beliefs = [1, 0.95, 0.5, 0.1, 0];
    const own = {
      ...ranked(
        (x) => (CELLS - x) / 820,
        () => 1,
      ),
      confidences: everywhere((x) => beliefs[Math.floor(x / 8)]!),
    };
    expect(reconstructionFigures(own, release).calibration).toEqual([
      { from: 0, to: 0.1, candidates: 8, expected: 0, share: 0 },
      { from: 0.1, to: 0.25, candidates: 8, expected: expect.closeTo(0.1, 12), share: 0 },
      { from: 0.25, to: 0.5, candidates: 0, expected: null, share: null },
      { from: 0.5, to: 0.75, candidates: 8, expected: 0.5, share: 0.5 },
      { from: 0.75, to: 0.9, candidates: 0, expected: null, share: null },
      { from: 0.9, to: 1, candidates: 16, expected: expect.closeTo(0.975, 12), share: 1 },
    ]);
  });

  it('know how frequent a combination is among released records, and without each dataset', () => {
    const released = [Uint32Array.of(3, 1), Uint32Array.of(0, 5)];
    const shares = releasedShares({ released, count: 2, codes: Uint16Array.of(0, 1), leftOut: 0 }, [4, 10], keptEvaluations(2));
    for (const e of [0, KEPT_HALF]) expect([...shares[e]!]).toEqual([0.375, 0.375]);
    expect(shares.slice(KEPT_HALF + 1).map((own) => [...own])).toEqual([
      [0, 0.5],
      [0.75, 0.25],
    ]);
  });
});
