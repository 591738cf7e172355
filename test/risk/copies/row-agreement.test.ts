import { describe, expect, it } from 'vitest';
import { seededStreams } from '../../../shared/random/streams.ts';
import { agreesInPlace, isKept, rowAgreement } from '../../../shared/risk/copies/row-agreement.ts';
import type { Column } from '../../../shared/table/table.ts';

const RECORDS = 600;
const codes = (values: readonly number[]): Column => ({ type: 'categorical', codes: Uint16Array.from(values) });

function draws(name: string, shares: readonly number[]): number[] {
  const random = seededStreams(3).open(name);
  return Array.from({ length: RECORDS }, () => {
    let [u, code] = [random.uniform(), 0];
    while (code < shares.length - 1 && u >= shares[code]!) u -= shares[code++]!;
    return code;
  });
}

const SHARES = [0.5, 0.3, 0.15, 0.05];
const table = draws('table', SHARES);
const other = draws('release', SHARES);
const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);
const agreement = (given: readonly number[], own: readonly number[]) => rowAgreement(codes(given), codes(own));

describe('rowAgreement()', () => {
  it('counts rows that agree in place and beside it', () => {
    const found = agreement([0, 1, 1, 0, 1], [0, 1, 0, 0, 1]);
    // Two places further, around the end: 0-0, 1-0, 1-1, 0-0, 1-1; elsewhere fewer.
    expect(found).toMatchObject({ records: 5, equal: 4, beside: 4 });
  });

  it('looks no farther than half of the rows away', () => {
    // Five rows further is in place again, and of two rows one further is the other.
    expect(agreement([0, 1, 2, 3, 4], [0, 1, 2, 3, 4])).toMatchObject({ equal: 5, beside: 0 });
    expect(agreement([0, 1], [1, 0])).toMatchObject({ equal: 0, beside: 0 });
  });

  it('knows the chance that independent draws have the same counts', () => {
    // 6! / (3! 2! 1!) (1/2)^3 (1/3)^2 (1/6)
    const { logSameCounts } = agreement([0, 0, 0, 1, 1, 2], [0, 0, 0, 1, 1, 2]);
    expect(Math.exp(logSameCounts)).toBeCloseTo((60 / 8 / 9) * (1 / 6), 12);
  });

  it('refuses columns that are not of one variable', () => {
    expect(() => agreement([0], [0, 1])).toThrow(RangeError);
    expect(() => rowAgreement({ type: 'continuous', values: new Float64Array(1) }, codes([0]))).toThrow(RangeError);
  });
});

describe('a column of a dataset', () => {
  it('is kept where it is the table row by row, sorted or not', () => {
    expect(isKept([agreement(table, table), agreement(table, table)])).toBe(true);
    const values = { type: 'continuous' as const, values: Float64Array.from(table, (code, i) => code + i) };
    expect(isKept([rowAgreement(values, values)])).toBe(true);
    expect(isKept([agreement(table, table), agreement(other, table)])).toBe(false);
  });

  it('is not kept for having one value, or few that are sorted and as frequent', () => {
    const ones = new Array(RECORDS).fill(0);
    expect(isKept([agreement(ones, ones)])).toBe(false);
    const halves = sorted(table.map((_, i) => i % 2));
    expect(isKept([agreement(halves, halves)])).toBe(false);
  });

  it('agrees in place where nine rows in ten are kept', () => {
    const most = table.map((code, i) => (i % 10 === 0 ? other[i]! : code));
    expect(agreesInPlace(agreement(most, table))).toBe(true);
    expect(isKept([agreement(most, table)])).toBe(false);
  });

  it('does not where files are independent, sorted, or of households one after the other', () => {
    expect(agreesInPlace(agreement(other, table))).toBe(false);
    expect(agreesInPlace(agreement(sorted(other), sorted(table)))).toBe(false);
    const regions = (values: readonly number[]) => values.map((_, i) => Math.floor((8 * i) / RECORDS));
    expect(agreesInPlace(agreement(regions(other), regions(table)))).toBe(false);
  });

  it('does where the excess is beyond chance and a tenth of what would not agree anyway', () => {
    const agrees = (records: number, equal: number, beside: number) => agreesInPlace({ records, equal, beside, logSameCounts: 0 });
    // Standard errors of sqrt(200 x 49 / 102 x 53 / 102) = 7.1 and of 707.
    expect([agrees(100, 100, 48), agrees(100, 60, 48)]).toEqual([true, false]);
    expect([agrees(1e6, 560_000, 500_000), agrees(1e6, 540_000, 500_000)]).toEqual([true, false]);
  });

  it('raises no alarm over a thousand columns of independent files', () => {
    const alarms = Array.from({ length: 1000 }, (_, l) => agreement(draws(`release/${l}`, SHARES), table)).filter(agreesInPlace);
    expect(alarms).toEqual([]);
  });
});
