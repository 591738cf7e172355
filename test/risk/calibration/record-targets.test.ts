import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { calibratedCandidates, drawRecordTargets } from '../../../shared/risk/calibration/record-targets.ts';
import { askedCandidates } from '../../../shared/risk/intruder/asked-candidates.ts';
import type { AskedOfRecords } from '../../../shared/risk/mixed/record-candidates.ts';
import type { Table } from '../../../shared/table/table.ts';

const RECORDS = 60;

/** Two categorical variables with a number between them, of a mass and five cells between 0 and 100. */
const table = {
  schema: {},
  records: RECORDS,
  columns: [
    { type: 'categorical', codes: Uint8Array.from({ length: RECORDS }, (_, i) => i % 3) },
    { type: 'continuous', values: Float64Array.from({ length: RECORDS }, (_, i) => i) },
    { type: 'categorical', codes: Uint8Array.from({ length: RECORDS }, (_, i) => i % 2) },
  ],
} as unknown as Table;
const scale = { toUnit: (value: number) => value / 100, fromUnit: (unit: number) => unit * 100 };
const declared = { masses: [-1], cells: 5, decimals: 0, within: { share: 0.1 } };
const view = { categorical: [0, 2], continuous: [{ variable: 1, scale, declared }] };

/** What is asked where these variables are unknown. */
function askedFor(unknown: readonly string[]): AskedOfRecords {
  const { space, continuous } = askedCandidates({ unknown: [...unknown] }, ['a', 'b'], [3, 2], ['x']);
  return { view, synthesized: [0, 1, 2], variables: [0, 2], listed: space, guessed: continuous } as unknown as AskedOfRecords;
}

const valuesOf = ({ columns }: Table, v: number): number[] => {
  const column = columns[v]!;
  return Array.from(column.type === 'categorical' ? column.codes : column.values);
};

/** The records in which a variable differs from the table. */
const changed = (other: Table, v: number) => {
  const before = valuesOf(table, v);
  return valuesOf(other, v).flatMap((value, i) => (value === before[i] ? [] : [i]));
};

describe('drawRecordTargets()', () => {
  it('replaces an unknown number of distinct records by a mass or a value of a cell, each equally often, and nothing else', () => {
    const asked = askedFor(['x']);
    expect(calibratedCandidates(asked)).toBe(6);
    const drawn = new Float64Array(6);
    const before = [0, 1, 2].map((v) => valuesOf(table, v));
    for (let repeat = 0; repeat < 200; repeat++) {
      const { records, table: altered, truths } = drawRecordTargets(table, asked, 30, new RandomStream(repeat, 'targets'));
      expect(new Set(records).size).toBe(30);
      const values = valuesOf(altered, 1);
      for (const [t, record] of records.entries()) {
        const [truth, value] = [truths[t]!, values[record]!];
        drawn[truth]!++;
        // The mass is the first candidate, cells follow in their order.
        if (truth === 0) expect(value).toBe(-1);
        else expect(Math.floor(value / 20)).toBe(truth - 1);
      }
      expect(changed(altered, 1).every((i) => records.includes(i))).toBe(true);
      expect([0, 2].flatMap((v) => changed(altered, v))).toEqual([]);
    }
    expect([0, 1, 2].map((v) => valuesOf(table, v))).toEqual(before);
    // A thousand of each are expected, with a standard deviation of 29.
    for (const count of drawn) expect(Math.abs(count - 1000)).toBeLessThan(130);
  });

  it('replaces unknown categories of records by a combination, whose listed truth is candidate 0', () => {
    const asked = askedFor(['b', 'a']);
    expect(calibratedCandidates(asked)).toBe(6);
    const { records, table: altered, truths } = drawRecordTargets(table, asked, 50, new RandomStream(1, 'targets'));
    expect([...truths]).toEqual(new Array(50).fill(0));
    for (const v of [0, 2]) {
      expect(changed(altered, v).length).toBeGreaterThan(10);
      expect(changed(altered, v).every((i) => records.includes(i))).toBe(true);
    }
    expect(changed(altered, 1)).toEqual([]);
  });

  it('refuses candidates that depend on the truth, and columns of another kind', () => {
    const { space } = askedCandidates('one-change', ['a', 'b'], [3, 2], []);
    const random = new RandomStream(1, 'targets');
    expect(() => drawRecordTargets(table, { ...askedFor(['x']), listed: space }, 2, random)).toThrow('depend on the truth');
    const turned = { ...table, columns: [table.columns[1]!, table.columns[0]!, table.columns[2]!] };
    expect(() => drawRecordTargets(turned, askedFor(['x']), 2, random)).toThrow('has numbers');
    expect(() => drawRecordTargets(turned, askedFor(['a']), 2, random)).toThrow('has codes');
  });
});
