import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NO_NUMBER, RecordGroups } from '../../../shared/risk/matching/record-groups.ts';
import type { Table } from '../../../shared/table/table.ts';

/** Categories of the variables: so many that the cells of six of them are far beyond 2^53. */
const SIZE = 60_000;

function tableOf(rows: readonly (readonly number[])[], variables: number): Table {
  const categories = Array.from({ length: SIZE }, (_, code) => String(code));
  return {
    schema: { variables: Array.from({ length: variables }, (_, v) => ({ name: `V${v}`, type: 'categorical', categories })) },
    records: rows.length,
    columns: Array.from({ length: variables }, (_, v) => ({ type: 'categorical', codes: Uint16Array.from(rows, (row) => row[v]!) })),
  };
}

it('groups records as their texts do, and assigns rows of another table to the same groups', () => {
  const code = fc.constantFrom(0, 1, 2, SIZE - 2, SIZE - 1);
  const pair = fc.integer({ min: 1, max: 9 }).chain((variables) => {
    const rows = fc.array(fc.array(code, { minLength: variables, maxLength: variables }), { minLength: 1, maxLength: 30 });
    return fc.record({ variables: fc.constant(variables), rows, others: rows });
  });
  fc.assert(
    fc.property(pair, ({ variables, rows, others }) => {
      const texts = rows.map((row) => row.join());
      const distinct = [...new Set(texts)];
      const used = Array.from({ length: variables }, (_, v) => v);
      const groups = new RecordGroups(tableOf(rows, variables), used);
      expect(groups.count).toBe(distinct.length);
      expect([...groups.ofRecord]).toEqual(texts.map((text) => distinct.indexOf(text)));
      const found = [...groups.assign(tableOf(others, variables))];
      expect(found).toEqual(others.map((row) => (distinct.includes(row.join()) ? distinct.indexOf(row.join()) : NO_NUMBER)));
      const { starts, records } = groups.collect(groups.assign(tableOf(others, variables)));
      const inOrder = distinct.map((_, group) => others.flatMap((_, row) => (found[row] === group ? [row] : [])));
      expect(distinct.map((_, group) => [...records.subarray(starts[group], starts[group + 1])])).toEqual(inOrder);
    }),
    { numRuns: 200 },
  );
});
