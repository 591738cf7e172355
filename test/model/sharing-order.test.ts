import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { categoryOffsets, sharingOrder } from '../../shared/model/sharing-order.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { combinationsFromCodes } from '../../shared/table/combinations.ts';
import { randomCodes } from './random-state.ts';

const table = fc.record({
  sizes: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 }),
  records: fc.integer({ min: 1, max: 60 }),
  seed: fc.integer({ min: 0, max: 1_000_000 }),
});

function build({ sizes, records, seed }: { sizes: number[]; records: number; seed: number }) {
  const codes = randomCodes(new RandomStream(seed, 'sharing'), sizes, records);
  const { combinations } = combinationsFromCodes(codes, records, sizes.length);
  return { combinations, order: sharingOrder(combinations, sizes) };
}

describe('categoryOffsets()', () => {
  it('lays the categories of all variables end to end', () => {
    expect([...categoryOffsets([2, 1, 4])]).toEqual([0, 2, 3, 7]);
  });
});

describe('sharingOrder()', () => {
  it('holds every combination once, with its count', () => {
    fc.assert(
      fc.property(table, (drawn) => {
        const { combinations, order } = build(drawn);
        const offsets = categoryOffsets(drawn.sizes);
        const { variables } = combinations;
        const expected = new Map<string, number>();
        for (let c = 0; c < combinations.count; c++) {
          const row = combinations.codes.subarray(c * variables, (c + 1) * variables);
          expected.set(row.join(), combinations.counts[c]!);
        }
        const found = new Map<string, number>();
        for (let r = 0; r < order.rows; r++) {
          // Whatever the order of columns, a category's index among all tells its variable.
          const row = new Array<number>(variables).fill(-1);
          for (const category of order.categories.subarray(r * variables, (r + 1) * variables)) {
            const variable = offsets.findLastIndex((offset) => offset <= category);
            row[variable] = category - offsets[variable]!;
          }
          found.set(row.join(), order.counts[r]!);
        }
        expect(order.rows).toBe(combinations.count);
        expect(found).toEqual(expected);
      }),
    );
  });

  it('keeps one order of columns for all rows', () => {
    fc.assert(
      fc.property(table, (drawn) => {
        const { order } = build(drawn);
        const offsets = categoryOffsets(drawn.sizes);
        const variableOf = (at: number) => offsets.findLastIndex((one) => one <= order.categories[at]!);
        for (let i = order.variables; i < order.categories.length; i++) {
          expect(variableOf(i)).toBe(variableOf(i - order.variables));
        }
      }),
    );
  });

  it('counts the leading columns that each row shares with the row before', () => {
    fc.assert(
      fc.property(table, (drawn) => {
        const { order } = build(drawn);
        for (let r = 0; r < order.rows; r++) {
          let shared = 0;
          const at = r * order.variables;
          while (
            r > 0 &&
            shared < order.variables &&
            order.categories[at + shared] === order.categories[at - order.variables + shared]
          ) {
            shared++;
          }
          expect(order.shared[r]).toBe(shared);
        }
      }),
    );
  });

  it('brings rows with a common prefix together: each prefix appears in one stretch', () => {
    fc.assert(
      fc.property(table, (drawn) => {
        const { order } = build(drawn);
        for (let length = 1; length <= order.variables; length++) {
          const prefixes = Array.from({ length: order.rows }, (_, r) =>
            order.categories.slice(r * order.variables, r * order.variables + length).join(),
          );
          const stretches = prefixes.filter((prefix, r) => prefix !== prefixes[r - 1]).length;
          expect(stretches).toBe(new Set(prefixes).size);
        }
      }),
    );
  });

  it('puts the column with the fewest categories first', () => {
    // Twelve rows; the third column is constant, the second has two values, the first is a key.
    const codes = Uint16Array.from(
      { length: 36 },
      (_, i) => [Math.floor(i / 3), Math.floor(i / 3) % 2, 0][i % 3]!,
    );
    const { combinations } = combinationsFromCodes(codes, 12, 3);
    const order = sharingOrder(combinations, [12, 2, 1]);
    expect([...order.categories.subarray(0, 3)]).toEqual([14, 12, 0]);
    expect(order.shared.reduce((sum, one) => sum + one, 0)).toBe(2 * 5 * 2 + 1);
  });

  it('refuses combinations that occur twice', () => {
    const twice = {
      variables: 2,
      count: 3,
      codes: Uint16Array.of(0, 1, 1, 1, 0, 1),
      counts: Uint32Array.of(1, 1, 1),
    };
    expect(() => sharingOrder(twice, [2, 2])).toThrow(new RangeError('combinations must be distinct'));
  });
});
