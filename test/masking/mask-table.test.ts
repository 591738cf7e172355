import { describe, expect, it } from 'vitest';
import type { Masking } from '../../shared/contracts/config/masking.ts';
import { finish } from '../../shared/contracts/stepwise.ts';
import { type MaskedVariables, maskTable } from '../../shared/masking/mask-table.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import type { Table } from '../../shared/table/table.ts';

const RECORDS = 101;
const random = new RandomStream(1, 'mask-table');
const numbers = () => Float64Array.from({ length: RECORDS }, () => Math.round(1e6 * random.uniform()));
const table: Table = {
  schema: {
    variables: [
      ...['A', 'B', 'C'].map((name) => ({ name, type: 'continuous' as const })),
      { name: 'S', type: 'categorical', categories: ['a', 'b'] },
      { name: 'T', type: 'categorical', categories: ['x', 'y', 'z'] },
    ],
  },
  records: RECORDS,
  columns: [
    ...[numbers(), numbers(), numbers()].map((values) => ({ type: 'continuous' as const, values })),
    { type: 'categorical', codes: Uint8Array.from({ length: RECORDS }, () => random.below(2)) },
    { type: 'categorical', codes: Uint8Array.from({ length: RECORDS }, () => random.below(3)) },
  ],
};
const ALL: MaskedVariables = { variables: [0, 1, 2], swap: [], strata: [] };

const mask = (how: Masking['how'], places = ALL, sample: number | null = null, seed = 1) =>
  finish(maskTable(table, { how, sample }, places, (name) => new RandomStream(seed, name)));
const values = ({ columns }: Table, v: number) => {
  const column = columns[v]!;
  return column.type === 'continuous' ? [...column.values] : [...column.codes];
};

describe('maskTable()', () => {
  it('leaves alone what is not named', () => {
    const { masked } = mask({ method: 'rank-swap', p: 10 }, { ...ALL, variables: [1] });
    for (const v of [0, 2, 3, 4]) expect(values(masked, v)).toEqual(values(table, v));
    expect(values(masked, 1)).not.toEqual(values(table, 1));
  });

  it('gives all variables of MDAV the same groups, and individual ranking those of each', () => {
    const mdav = mask({ method: 'mdav', k: 4 });
    expect(mdav.groups).toBe(25);
    const points = new Set(values(mdav.masked, 0).map((value, i) => `${value} ${values(mdav.masked, 1)[i]}`));
    expect(points.size).toBe(25);
    expect(mask({ method: 'individual-ranking', k: 4, aggregate: 'mean' }).groups).toBe(75);
  });

  it('samples without replacement, and tells which records they are', () => {
    const { masked, original, rows } = mask({ method: 'sample' }, ALL, 0.3);
    expect(masked.records).toBe(30);
    expect(new Set(rows).size).toBe(30);
    expect([...rows]).toEqual([...rows].sort((a, b) => a - b));
    expect(masked).toEqual(original);
    for (const v of [0, 3]) expect(values(masked, v)).toEqual([...rows].map((row) => values(table, v)[row]));
  });

  it('draws every record into a sample with the same probability', () => {
    const counts = new Float64Array(RECORDS);
    for (let seed = 0; seed < 400; seed++) for (const row of mask({ method: 'sample' }, ALL, 0.5, seed).rows) counts[row]!++;
    // Of 400 samples each holds a record with 50/101; five standard deviations.
    for (const count of counts) expect(Math.abs(count - (400 * 50) / 101)).toBeLessThan(50);
  });

  it('masks what was sampled, and not the table', () => {
    const { masked, original } = mask({ method: 'individual-ranking', k: 5, aggregate: 'mean' }, ALL, 0.2);
    const sum = (one: number[]) => one.reduce((a, b) => a + b, 0);
    expect(sum(values(masked, 0))).toBeCloseTo(sum(values(original, 0)), 4);
    expect(new Set(values(masked, 0)).size).toBe(4);
  });

  it('puts errors into so many variables of every record, with the values of others', () => {
    const { masked } = mask({ method: 'errors', errors: 0.6 });
    let wrong = 0;
    for (let record = 0; record < RECORDS; record++) {
      const changed = ALL.variables.filter((v) => values(masked, v)[record] !== values(table, v)[record]);
      expect(changed.length).toBeLessThanOrEqual(2);
      wrong += changed.length;
    }
    expect(wrong).toBeGreaterThan(195);
    for (const v of ALL.variables) for (const value of values(masked, v)) expect(values(table, v)).toContain(value);
  });

  it('cuts the largest values to the largest below them', () => {
    const { masked } = mask({ method: 'top-code', top: 5 });
    const sorted = values(table, 0).sort((a, b) => a - b);
    expect(values(masked, 0)).toEqual(values(table, 0).map((value) => Math.min(value, sorted[95]!)));
  });

  it('swaps categories among records of a stratum alone, all of a record together', () => {
    const { masked } = mask({ method: 'sample' }, { variables: [], swap: [4], strata: [3] });
    expect(values(masked, 3)).toEqual(values(table, 3));
    expect(values(masked, 4)).not.toEqual(values(table, 4));
    for (const stratum of [0, 1]) {
      const within = (one: Table) =>
        values(one, 4)
          .filter((_, record) => values(table, 3)[record] === stratum)
          .sort();
      expect(within(masked)).toEqual(within(table));
    }
  });
});
