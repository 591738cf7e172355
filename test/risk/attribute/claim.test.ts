import { describe, expect, it } from 'vitest';
import { halfWidth, NORMAL_QUANTILE } from '../../../shared/contracts/figure-errors.ts';
import { studentHalfWidth } from '../../../shared/numeric/student-t.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { normal } from '../../../shared/random/ziggurat.ts';
import { RESAMPLES } from '../../../shared/risk/attribute/chain-evaluations.ts';
import { betweenDatasets } from '../../../shared/risk/attribute/release-error.ts';
import { excessError } from '../../../shared/risk/attribute/value-summary.ts';

/** The share of releases whose figure is farther from its mean than an interval allows. */
function missed(releases: number, isMissed: () => boolean): number {
  let count = 0;
  for (let release = 0; release < releases; release++) if (isMissed()) count++;
  return count / releases;
}

const RELEASES = 2000;
/** Three standard errors of a share of 5 %. */
const MARGIN = 3 * Math.sqrt((0.05 * 0.95) / RELEASES);

describe('halfWidth()', () => {
  it('is the normal quantile of simulation and Student’s t of the release, and null where a part is not known', () => {
    expect(halfWidth(1, 0, 12)).toBeCloseTo(NORMAL_QUANTILE, 12);
    expect(halfWidth(0, 1, 12.7)).toBe(12.7);
    expect(halfWidth(3, 4, 2)).toBeCloseTo(Math.hypot(3 * NORMAL_QUANTILE, 8), 12);
    expect([halfWidth(null, 1, 2), halfWidth(1, null, 2), halfWidth(1, 1, null)]).toEqual([null, null, null]);
  });

  it.each([2, 3, 5, 20])('covers 95 % of the releases at least, whatever the share of the release, of %i datasets', (m) => {
    const random = new RandomStream(11, `half-width/${m}`);
    const quantile = studentHalfWidth(m - 1);
    for (const ofRelease of [0, 0.25, 0.5, 0.75, 1]) {
      const share = missed(RELEASES, () => {
        const contributions = Array.from({ length: m }, () => Math.sqrt(ofRelease / m) * normal(random));
        const simulated = Math.sqrt(1 - ofRelease);
        const figure = contributions.reduce((sum, one) => sum + one, 0) + simulated * normal(random);
        const release = betweenDatasets(
          0,
          contributions.map((one) => -one),
        );
        return Math.abs(figure) > halfWidth(simulated, Math.sqrt(release), quantile)!;
      });
      expect(share, `share ${ofRelease}`).toBeLessThan(0.05 + MARGIN);
      // Where one part is all there is, the interval is exact.
      if (ofRelease === 0 || ofRelease === 1) expect(share).toBeGreaterThan(0.05 - MARGIN);
    }
  });
});

/**
 * Excesses of records of a calibrated release: what is chance of a record, what a dataset makes of all records alike, and what it
 * makes of one record. Standard deviations of the sum over records.
 */
interface Chances {
  readonly simulation: number;
  readonly records: number;
  readonly common: number;
  readonly single: number;
}

describe('a calibrated release', () => {
  const RECORDS = 40;
  const cases: [name: string, Chances][] = [
    ['all alike', { simulation: 1, records: 1, common: 1, single: 1 }],
    ['what datasets have in common', { simulation: 0.3, records: 0.3, common: 2, single: 0.3 }],
    ['what a dataset makes of single records', { simulation: 0.1, records: 0.1, common: 0.1, single: 2 }],
    ['both of datasets', { simulation: 0, records: 0, common: 1, single: 1 }],
    ['records', { simulation: 0.2, records: 2, common: 0.2, single: 0.2 }],
    ['simulation', { simulation: 2, records: 0.3, common: 0.3, single: 0.3 }],
  ];

  it.each([2, 3, 5, 20])('differs from its claim in one of 20 releases at most, of %i datasets', (m) => {
    for (const [name, { simulation, records, common, single }] of cases) {
      const random = new RandomStream(5, `claim/${m}/${name}`);
      const drawn = (deviation: number) => deviation * normal(random);
      const share = missed(RELEASES, () => {
        const alike = Array.from({ length: m }, () => drawn(common / (RECORDS * Math.sqrt(m))));
        const left = new Float64Array(m);
        const squares = new Float64Array(2);
        let whole = 0;
        for (let record = 0; record < RECORDS; record++) {
          const own = drawn(records / Math.sqrt(RECORDS));
          const parts = alike.map((one) => one + drawn(single / Math.sqrt(RECORDS * m)));
          const excess = own + parts.reduce((sum, part) => sum + part, 0);
          whole += excess;
          for (const [l, part] of parts.entries()) left[l]! += excess - part;
          squares[0]! += excess * excess;
          squares[1]! += betweenDatasets(
            excess,
            parts.map((part) => excess - part),
          );
        }
        // Simulation moves all evaluations of the sum alike.
        const moved = drawn(simulation);
        const resamples = Array.from({ length: RESAMPLES }, () => whole + moved + drawn(simulation));
        const evaluations = Float64Array.from([whole + moved, ...resamples, whole + moved, ...left.map((one) => one + moved)]);
        const { gainBitsExcessHalfWidth } = excessError(evaluations, squares, RECORDS);
        return Math.abs(evaluations[0]! / RECORDS) > gainBitsExcessHalfWidth!;
      });
      expect(share, name).toBeLessThan(0.05 + MARGIN);
    }
  });
});
