import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UnsupportedOptionError } from '../../shared/contracts/errors.ts';
import { CombinationIndex } from '../../shared/table/combination-index.ts';
import type { Combinations } from '../../shared/table/combinations.ts';
import {
  combinationsFromCodes,
  countDistinctRows,
  findCombinations,
  stackCombinations,
  uniqueCombinations,
} from '../../shared/table/distinct-rows.ts';
import { readTable } from '../../shared/table/files/read-table.ts';
import type { Column } from '../../shared/table/table.ts';

const rowsOf = (combinations: Combinations) =>
  Array.from({ length: combinations.count }, (_, c) =>
    [...combinations.codes.subarray(c * combinations.variables, (c + 1) * combinations.variables)].join(),
  );

/** Distinct rows as text, with counts, in order of first appearance. */
function naiveCounts(rows: readonly number[][]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(row.join(), (counts.get(row.join()) ?? 0) + 1);
  return counts;
}

const rowsArbitrary = (variables: number) =>
  fc.array(fc.array(fc.oneof(fc.nat(2), fc.nat(65_534)), { minLength: variables, maxLength: variables }), { maxLength: 300 });

describe('combinationsFromCodes()', () => {
  it('counts distinct rows in order of first appearance, as a map of texts does', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }).chain((variables) => fc.tuple(fc.constant(variables), rowsArbitrary(variables))),
        ([variables, rows]) => {
          const { combinations, combinationOfRecord } = combinationsFromCodes(Uint16Array.from(rows.flat()), rows.length, variables);
          const counts = naiveCounts(rows);
          const texts = rowsOf(combinations);
          expect(texts).toEqual([...counts.keys()]);
          expect([...combinations.counts]).toEqual([...counts.values()]);
          expect([...combinationOfRecord].map((c) => texts[c])).toEqual(rows.map((row) => row.join()));
        },
      ),
      { seed: 1, numRuns: 200 },
    );
  });

  it('keeps a hundred thousand rows apart that differ in one code of forty', () => {
    const records = 100_000;
    const variables = 40;
    const codes = new Uint16Array(records * variables);
    for (let r = 0; r < records; r++) {
      codes[r * variables] = r & 0xff;
      codes[r * variables + 39] = r >> 8;
    }
    const { combinations } = combinationsFromCodes(codes, records, variables);
    expect(combinations.count).toBe(records);
    // Compared by hand: the matcher takes seconds for four million codes.
    expect(combinations.codes.findIndex((code, index) => code !== codes[index])).toBe(-1);
  });

  it('refuses codes that do not fill the rows', () => {
    expect(() => combinationsFromCodes(new Uint16Array(5), 2, 3)).toThrow(RangeError);
  });

  it('gives no combinations for no records', () => {
    expect(combinationsFromCodes(new Uint16Array(0), 0, 3).combinations).toEqual({
      variables: 3,
      count: 0,
      codes: new Uint16Array(0),
      counts: new Uint32Array(0),
    });
  });
});

describe('stackCombinations()', () => {
  it('gives the combinations of the records of both, those of the first before the others', () => {
    fc.assert(
      fc.property(rowsArbitrary(3), rowsArbitrary(3), (a, b) => {
        const of = (rows: number[][]) => combinationsFromCodes(Uint16Array.from(rows.flat()), rows.length, 3).combinations;
        expect(stackCombinations(of(a), of(b))).toEqual(of([...a, ...b]));
      }),
      { seed: 1 },
    );
  });

  it('refuses different numbers of variables', () => {
    const of = (variables: number) => combinationsFromCodes(new Uint16Array(variables), 1, variables).combinations;
    expect(() => stackCombinations(of(2), of(3))).toThrow(RangeError);
  });
});

describe('uniqueCombinations()', () => {
  const read = (text: string, variables = {}) => readTable(new TextEncoder().encode(text), { missing: 'refuse', variables });

  it('finds the distinct rows of a table', async () => {
    const { table } = await read('a,b\nx,1\ny,2\nx,1\nx,2\n');
    expect(uniqueCombinations(table)).toEqual({
      combinations: { variables: 2, count: 3, codes: Uint16Array.of(0, 0, 1, 1, 0, 1), counts: Uint32Array.of(2, 1, 1) },
      combinationOfRecord: Uint32Array.of(0, 1, 0, 2),
    });
  });

  it('refuses continuous variables by name, and says what to do', async () => {
    const { table } = await read('a,b,c\nx,1,1\ny,2,2\n', { b: { type: 'continuous' }, c: { type: 'continuous' } });
    const refusal = expect.objectContaining({
      code: 'continuous-variable',
      message: expect.stringMatching(/^Column `\w+` is numeric with \d+ distinct values. Column .*--breaks .*--categorical .*--model cart/),
    });
    expect(() => uniqueCombinations(table)).toThrow(UnsupportedOptionError);
    expect(() => uniqueCombinations(table)).toThrow(refusal);
  });
});

describe('countDistinctRows()', () => {
  const columns = fc.integer({ min: 1, max: 12 }).chain((records) =>
    fc.array(
      fc.oneof(
        fc
          .array(fc.constantFrom(-0, 0, 0.1, 0.1 + 2 ** -56, -3), { minLength: records, maxLength: records })
          .map((values): Column => ({ type: 'continuous', values: Float64Array.from(values) })),
        fc
          .array(fc.nat(2), { minLength: records, maxLength: records })
          .map((codes): Column => ({ type: 'categorical', codes: Uint8Array.from(codes) })),
      ),
      { minLength: 1, maxLength: 3 },
    ),
  );

  it('counts the rows of a table as texts do', () => {
    fc.assert(
      fc.property(columns, (ofTable) => {
        const cells = ofTable.map((column) => Array.from('codes' in column ? column.codes : column.values));
        const records = cells[0]!.length;
        const counts = new Map<string, number>();
        for (let record = 0; record < records; record++) {
          const row = cells.map((column) => String(column[record])).join();
          counts.set(row, (counts.get(row) ?? 0) + 1);
        }
        expect(countDistinctRows({ schema: { variables: [] }, records, columns: ofTable })).toEqual({
          rows: counts.size,
          sampleUniques: [...counts.values()].filter((count) => count === 1).length,
        });
      }),
    );
  });
});

describe('CombinationIndex', () => {
  it('finds what was added at its position, and nothing else, without adding it', () => {
    const index = new CombinationIndex(3);
    const rows = Uint16Array.from({ length: 3 * 1000 }, (_, i) => (i * 7919) % 11);
    const positions = Array.from({ length: 1000 }, (_, row) => index.add(rows, 3 * row, 1));
    const { count } = index.combinations();
    for (const [row, position] of positions.entries()) expect(index.find(rows, 3 * row)).toBe(position);
    for (let code = 11; code < 200; code++) expect(index.find(Uint16Array.from([code, 0, 0]), 0)).toBe(-1);
    expect(index.combinations().count).toBe(count);
  });
});

describe('findCombinations()', () => {
  it('names the combination of each row, and refuses a row that is none of them', () => {
    const { combinations } = combinationsFromCodes(Uint16Array.of(1, 2, 3, 4, 1, 2, 5, 6), 4, 2);
    expect([...findCombinations(combinations, Uint16Array.of(5, 6, 1, 2, 3, 4, 1, 2))]).toEqual([2, 0, 1, 0]);
    expect(() => findCombinations(combinations, Uint16Array.of(1, 2, 2, 1))).toThrow(RangeError);
  });
});
