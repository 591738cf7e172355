import { describe, expect, it } from 'vitest';
import { missingPatterns } from '../../../shared/risk/matching/record-matches.ts';
import type { Table } from '../../../shared/table/table.ts';

const categorical = (name: string) => ({ name, type: 'categorical' as const, categories: ['a', 'b'] });

/** Twelve variables, so that some have numbers of two digits; a code of 2 is missing. */
function tableOf(gaps: Record<number, number[]>): Table {
  const columns = Array.from({ length: 12 }, (_, k) =>
    k === 1
      ? { type: 'continuous' as const, values: Float64Array.of(1.5, 2.5, 3.5, 4.5) }
      : { type: 'categorical' as const, codes: Uint16Array.from(gaps[k] ?? [0, 1, 1, 0]) },
  );
  return {
    records: 4,
    schema: {
      variables: columns.map(({ type }, k) => (type === 'continuous' ? { name: `v${k}`, type } : categorical(`v${k}`))),
      missing: 'impute',
    },
    columns,
  } as Table;
}

describe('missingPatterns()', () => {
  it('is the table itself where nothing that is asked about is missing', () => {
    const table = tableOf({ 3: [2, 0, 0, 0] });
    expect(missingPatterns(table, [0, 2])).toEqual([{ present: [0, 2], records: Uint32Array.of(0, 1, 2, 3), table }]);
    expect(missingPatterns(table, [0, 2])[0]!.table).toBe(table);
  });

  it('divides records by what they lack, in order of first appearance, with all of their columns', () => {
    const table = tableOf({ 2: [2, 0, 2, 1], 11: [2, 1, 1, 0], 5: [0, 0, 2, 0] });
    const patterns = missingPatterns(table, [0, 2, 11]);
    expect(patterns.map(({ present, records }) => [present, [...records]])).toEqual([
      [[0], [0]],
      [
        [0, 2, 11],
        [1, 3],
      ],
      [[0, 11], [2]],
    ]);
    const own = patterns[1]!.table;
    expect(own).toMatchObject({ records: 2, schema: table.schema });
    expect(own.columns[1]).toEqual({ type: 'continuous', values: Float64Array.of(2.5, 4.5) });
    expect(own.columns[2]).toEqual({ type: 'categorical', codes: Uint16Array.of(0, 1) });
    expect(own.columns[11]).toEqual({ type: 'categorical', codes: Uint16Array.of(1, 0) });
    expect(own.columns).toHaveLength(12);
  });
});
