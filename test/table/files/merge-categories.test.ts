import { describe, expect, it } from 'vitest';
import { mergedCategory } from '../../../shared/table/files/merge-categories.ts';
import { readTable } from '../../../shared/table/files/read-table.ts';

const csv = new TextEncoder().encode('A,B\na,1\nb,2\nc,1\n,2\nd,3\n');
const merged = (variables: object, missing: 'category' | 'impute' = 'category') =>
  readTable(csv, { variables: variables as never, missing });

describe('variables.NAME.merge', () => {
  it('puts a category in the place of the first of those that it replaces', async () => {
    const { table } = await merged({ A: { merge: { rare: ['d', 'b'] } } });
    expect(table.schema.variables[0]).toEqual({ name: 'A', type: 'categorical', categories: ['a', 'rare', 'c', ''], missingCode: 3 });
    expect(table.columns[0]).toMatchObject({ codes: Uint8Array.of(0, 1, 2, 3, 1) });
    expect(table.schema.variables[1]).toMatchObject({ categories: ['1', '2', '3'] });
  });

  it('may join a category that is there, and keeps what is missing and no category', async () => {
    const { table } = await merged({ A: { merge: { a: ['c'] } } }, 'impute');
    expect(table.schema.variables[0]).toMatchObject({ categories: ['a', 'b', 'd'] });
    expect(table.columns[0]).toMatchObject({ codes: Uint8Array.of(0, 1, 0, 3, 2) });
  });

  it('says what a value becomes', () => {
    expect([undefined, { x: ['a'] }].map((merge) => mergedCategory(merge, 'a'))).toEqual(['a', 'x']);
  });

  it.each([
    ['unknown-category', { A: { merge: { x: ['a', 'nobody'] } } }],
    ['repeated-category', { A: { merge: { x: ['a', 'b'], y: ['a'] } } }],
    ['reserved-category', { A: { merge: { NA: ['a', 'b'] } } }],
    ['single-category', { B: { merge: { x: ['1', '2', '3'] } } }],
    ['merge-of-numbers', { B: { type: 'continuous', merge: { x: ['1'] } } }],
  ])('is refused: %s', async (code, variables) => {
    await expect(merged(variables)).rejects.toMatchObject({ code });
    await expect(merged(variables)).rejects.not.toThrow(/nobody/);
  });
});
