import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UnsupportedOptionError } from '../../shared/contracts/errors.ts';
import { combinationsFromCodes } from '../../shared/table/distinct-rows.ts';
import { patternCounts } from '../../shared/table/pattern-counts.ts';

const sizes = [3, 4, 2];
const record = fc.tuple(...sizes.map((size) => fc.integer({ min: 0, max: size - 1 })));
const tables = fc.array(record, { minLength: 1, maxLength: 40 });
const combine = (rows: readonly (readonly number[])[]) =>
  combinationsFromCodes(Uint16Array.from(rows.flat()), rows.length, sizes.length).combinations;

describe('patternCounts()', () => {
  it('counts every category in every pattern that occurs, with zeros', () => {
    fc.assert(
      fc.property(tables, fc.integer({ min: 0, max: 2 }), (rows, counted) => {
        const { known, patterns, codes, categories, counts } = patternCounts(combine(rows), sizes, [counted]);
        expect(known).toEqual([0, 1, 2].filter((k) => k !== counted));
        expect(categories).toBe(sizes[counted]);
        const keyOf = (row: readonly number[]) => known.map((k) => row[k]).join();
        const keys = Array.from({ length: patterns }, (_, b) => [...codes.subarray(2 * b, 2 * b + 2)].join());
        expect(new Set(keys)).toEqual(new Set(rows.map(keyOf)));
        expect(keys).toHaveLength(new Set(keys).size);
        for (const [b, key] of keys.entries()) {
          for (let i = 0; i < categories; i++) {
            const matching = rows.filter((row) => keyOf(row) === key && row[counted] === i);
            expect(counts[0]![b * categories + i]).toBe(matching.length);
          }
        }
      }),
    );
  });

  it('takes a table of one variable as one pattern', () => {
    const { combinations } = combinationsFromCodes(Uint16Array.of(1, 0, 1), 3, 1);
    expect(patternCounts(combinations, [2], [0])).toMatchObject({ patterns: 1, counts: [Float64Array.of(1, 2)] });
  });

  it('refuses several variables, and says how to join them', () => {
    expect(() => patternCounts(combine([[0, 0, 0]]), sizes, [0, 1])).toThrow(UnsupportedOptionError);
    expect(() => patternCounts(combine([[0, 0, 0]]), sizes, [0, 1])).toThrow(
      expect.objectContaining({ code: 'several-synthesized', message: expect.stringContaining('Join them') }),
    );
    expect(() => patternCounts(combine([[0, 0, 0]]), sizes, [])).toThrow(RangeError);
  });

  it('counts a further column of the variable in the patterns of the others too', () => {
    const codes = Uint16Array.from(
      [
        [0, 3, 1, 2],
        [0, 3, 1, 0],
        [1, 0, 1, 3],
      ].flat(),
    );
    const { combinations } = combinationsFromCodes(codes, 3, 4);
    const { patterns, counts } = patternCounts(combinations, sizes, [1], [0, 1, 2, 1]);
    expect(patterns).toBe(2);
    expect(counts).toEqual([Float64Array.of(0, 0, 0, 2, 1, 0, 0, 0), Float64Array.of(1, 0, 1, 0, 0, 0, 0, 1)]);
  });

  it('refuses further columns of other variables', () => {
    const { combinations } = combinationsFromCodes(Uint16Array.of(0, 0, 0, 0), 1, 4);
    expect(() => patternCounts(combinations, sizes, [1], [0, 1, 2, 0])).toThrow(RangeError);
    expect(() => patternCounts(combinations, sizes, [1], [1, 0, 2, 1])).toThrow(RangeError);
  });
});
