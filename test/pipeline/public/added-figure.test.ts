import { describe, expect, it } from 'vitest';
import type { PublicFigure } from '../../../shared/contracts/release/public-summary.ts';
import { noiseScale, tellFigure, tellPair } from '../../../shared/pipeline/public/told-figure.ts';
import { seededStreams } from '../../../shared/random/streams.ts';

const figure = (value: number, error: number): PublicFigure => ({ value, error });
const notTold: PublicFigure = { value: null, error: null, reason: 'it is a test' };

describe('what a release adds to a figure', () => {
  it('is their difference where it is above two errors', () => {
    expect(tellPair(figure(0.452, 0.002), figure(0.48, 0.002))).toEqual({
      after: { value: 0.48, error: 0.002 },
      added: { value: 0.028, error: 0.005, atMost: 0.04 },
    });
  });

  it('is a bound where it is not, and the figure with the release is left out', () => {
    const { after, added } = tellPair(figure(0.45, 0.02), figure(0.48, 0.01));
    expect(after).toMatchObject({ value: null, reason: expect.stringContaining('as large as the difference') });
    // 3 points, and two errors of 5 points each: 13, in steps of the error.
    expect(added).toMatchObject({ value: null, error: null, atMost: 0.15 });
    expect(tellPair(figure(0.5, 0.05), figure(0.7, 0.05)).added.value).toBeNull();
    expect(tellPair(figure(0.5, 0.05), figure(0.75, 0.05)).added).toMatchObject({ value: 0.25, atMost: 0.5 });
  });

  it('is bounded by two errors above nothing where the figure falls, however far', () => {
    for (const fallen of [0.7, 0.66, 0.3, 0]) {
      const told = tellPair(figure(0.7, 0.02), figure(fallen, 0.02));
      expect(told.after.value, `${fallen}`).toBeNull();
      expect(told.added, `${fallen}`).toMatchObject({ value: null, atMost: 0.1 });
    }
  });

  it('is at most certainty', () => {
    expect(tellPair(figure(0.2, 0.2), figure(0.9, 0.2)).added).toMatchObject({ atMost: 1 });
  });

  it('is not told, and not bounded, where one of the two is not told', () => {
    expect(tellPair(notTold, figure(0.5, 0.1)).added).toEqual({ ...notTold, atMost: null });
    expect(tellPair(figure(0.5, 0.1), notTold)).toEqual({ after: notTold, added: { ...notTold, atMost: null } });
  });
});

// Pages of the same figures under the noise of 4,000 keys, with an error of the figures themselves beside it.
describe.each([
  { records: 400, before: 0.58, adds: 0, se: 0.004 },
  { records: 400, before: 0.58, adds: 0.03, se: 0.004 },
  { records: 7000, before: 0.47, adds: 0.006, se: 0.0003 },
  { records: 7000, before: 0.47, adds: 0.006, se: 0.02 },
  { records: 100_000, before: 0.3, adds: 0.2, se: 0.001 },
])('pages of $records records, where $adds is added with a standard error of $se', (setting) => {
  const { records, before, adds, se } = setting;
  const PAGES = 4000;
  const random = seededStreams(records).open(`pages/${adds}/${se}`);
  const scale = noiseScale(2, records, 6);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.uniform())) * Math.cos(2 * Math.PI * random.uniform());
  const estimated = (value: number) => tellFigure({ value: value + se * normal(), se, movesByRecords: 2 }, scale, random);
  const pages = Array.from({ length: PAGES }, () => {
    const toldBefore = estimated(before);
    return { before: toldBefore, ...tellPair(toldBefore, estimated(before + adds)) };
  });

  it('never say that the release protects', () => {
    for (const { before: without, after, added } of pages) {
      expect(added.atMost).toBeGreaterThan(0);
      if (after.value !== null) expect(after.value).toBeGreaterThan(without.value!);
      if (added.value !== null) expect(added.value).toBeGreaterThan(2 * added.error);
    }
  });

  it('have bounds that hold, and show what is added where it is larger than the errors', () => {
    const share = (holds: (page: (typeof pages)[number]) => boolean) => pages.filter(holds).length / PAGES;
    // Two errors of a normal distribution leave out 2.3 %, of the sum of two errors that are rounded up less than a third of that.
    expect(share(({ added }) => added.atMost! < adds)).toBeLessThan(0.01);
    const shown = share(({ added }) => added.value !== null);
    if (adds === 0) expect(shown).toBeLessThan(0.01);
    if (adds === 0.2) expect(shown).toBe(1);
  });
});
