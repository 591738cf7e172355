import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnRuns, columnsOf, type SharingOrder, sharingOrder } from '../../../shared/model/dpmpm/sharing-order.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { categoryOffsets } from '../../../shared/table/category-sizes.ts';
import { combinationsFromCodes } from '../../../shared/table/distinct-rows.ts';
import { randomCodes } from '../random-state.ts';

const table = fc.record({
  sizes: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 }),
  records: fc.integer({ min: 1, max: 200 }),
  missing: fc.boolean(),
  seed: fc.integer({ min: 0, max: 1_000_000 }),
});

type Drawn = { sizes: number[]; records: number; missing: boolean; seed: number };

function build({ sizes, records, missing, seed }: Drawn) {
  // One code more than there are categories stands for a missing value.
  const codesOf = missing ? sizes.map((size) => size + 1) : sizes;
  const codes = randomCodes(new RandomStream(seed, 'sharing'), codesOf, records);
  const { combinations } = combinationsFromCodes(codes, records, sizes.length);
  return { combinations, order: sharingOrder(combinations, sizes) };
}

/** Categories of all variables, after which come the missing values of each. */
const categoryTotal = (sizes: readonly number[]) => categoryOffsets(sizes)[sizes.length]!;

/** The categories that a part stands for, in the order of their columns; those of missing values among them. */
function categoriesOf({ joints }: SharingOrder, part: number, sizes: readonly number[]): number[] {
  const at = 2 * (part - categoryTotal(sizes) - sizes.length);
  if (at < 0) return [part];
  return [...categoriesOf({ joints } as SharingOrder, joints[at]!, sizes), joints[at + 1]!];
}

/** The variable that a category, or a missing value, belongs to. */
function variableOf(category: number, sizes: readonly number[]): number {
  const missing = category - categoryTotal(sizes);
  return missing >= 0 ? missing : categoryOffsets(sizes).findLastIndex((offset) => offset <= category);
}

/** For each row, the categories of its columns in walking order. */
function rowsOf(order: SharingOrder, sizes: readonly number[]): number[][] {
  return Array.from({ length: order.rows }, (_, r) =>
    [...order.parts.subarray(r * order.runs, (r + 1) * order.runs)].flatMap((part) => categoriesOf(order, part, sizes)),
  );
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
        for (const [r, categories] of rowsOf(order, drawn.sizes).entries()) {
          // Whatever the order of columns, a category's index among all tells its variable.
          const row = new Array<number>(variables).fill(-1);
          for (const category of categories) {
            const variable = variableOf(category, drawn.sizes);
            const isMissing = category >= categoryTotal(drawn.sizes);
            row[variable] = isMissing ? drawn.sizes[variable]! : category - offsets[variable]!;
          }
          found.set(row.join(), order.counts[r]!);
        }
        expect(order.rows).toBe(combinations.count);
        expect(found).toEqual(expected);
      }),
    );
  });

  it('keeps one order of columns for all rows, and one length of a run', () => {
    fc.assert(
      fc.property(table, (drawn) => {
        const { order } = build(drawn);
        const layouts = Array.from({ length: order.rows }, (_, r) =>
          [...order.parts.subarray(r * order.runs, (r + 1) * order.runs)]
            .map((part) =>
              categoriesOf(order, part, drawn.sizes)
                .map((category) => variableOf(category, drawn.sizes))
                .join(),
            )
            .join(' '),
        );
        expect(new Set(layouts).size).toBe(1);
      }),
    );
  });

  it('has each joint category once, after those it is put together from', () => {
    fc.assert(
      fc.property(table, (drawn) => {
        const { order } = build(drawn);
        const categories = categoryTotal(drawn.sizes) + drawn.sizes.length;
        const pairs = Array.from({ length: order.joints.length / 2 }, (_, joint) => {
          const [before, last] = [order.joints[2 * joint]!, order.joints[2 * joint + 1]!];
          expect(before).toBeLessThan(categories + joint);
          expect(last).toBeLessThan(categories);
          return `${before} ${last}`;
        });
        expect(new Set(pairs).size).toBe(pairs.length);
      }),
    );
  });

  it('counts the leading parts that each row shares with the row before', () => {
    fc.assert(
      fc.property(table, (drawn) => {
        const { order } = build(drawn);
        for (let r = 0; r < order.rows; r++) {
          let shared = 0;
          const at = r * order.runs;
          while (r > 0 && shared < order.runs && order.parts[at + shared] === order.parts[at - order.runs + shared]) {
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
        const rows = rowsOf(order, drawn.sizes);
        for (let length = 1; length <= drawn.sizes.length; length++) {
          const prefixes = rows.map((row) => row.slice(0, length).join());
          const stretches = prefixes.filter((prefix, r) => prefix !== prefixes[r - 1]).length;
          expect(stretches).toBe(new Set(prefixes).size);
        }
      }),
    );
  });

  it('puts the column with the fewest categories first', () => {
    // Twelve rows; the third column is constant, the second has two values, the first is a key.
    const codes = Uint16Array.from({ length: 36 }, (_, i) => [Math.floor(i / 3), Math.floor(i / 3) % 2, 0][i % 3]!);
    const { combinations } = combinationsFromCodes(codes, 12, 3);
    expect(rowsOf(sharingOrder(combinations, [12, 2, 1]), [12, 2, 1])[0]).toEqual([14, 12, 0]);
  });

  it('takes as the next column the first of those that leave the fewest distinct prefixes', () => {
    fc.assert(
      fc.property(table, (drawn) => {
        const { combinations, order } = build(drawn);
        const { codes, count, variables } = combinations;
        const prefixes = (columns: readonly number[]) =>
          new Set(Array.from({ length: count }, (_, r) => columns.map((column) => codes[r * variables + column]).join())).size;
        const taken = rowsOf(order, drawn.sizes)[0]!.map((category) => variableOf(category, drawn.sizes));
        const left = new Set(drawn.sizes.keys());
        for (const [depth, column] of taken.entries()) {
          const found = [...left].map((next) => prefixes([...taken.slice(0, depth), next]));
          expect([...left][found.indexOf(Math.min(...found))]).toBe(column);
          left.delete(column);
        }
      }),
    );
  });

  it('refuses combinations that occur twice', () => {
    const twice = { variables: 2, count: 3, codes: Uint16Array.of(0, 1, 1, 1, 0, 1), counts: Uint32Array.of(1, 1, 1) };
    expect(() => sharingOrder(twice, [2, 2])).toThrow(new RangeError('combinations must be distinct'));
  });
});

describe('columnRuns()', () => {
  /** Combinations of all values of some columns. */
  function complete(sizes: readonly number[]) {
    const count = sizes.reduce((product, size) => product * size, 1);
    const codes = new Uint16Array(count * sizes.length);
    for (let r = 0; r < count; r++) {
      let rest = r;
      for (const [k, size] of sizes.entries()) {
        codes[r * sizes.length + k] = rest % size;
        rest = Math.floor(rest / size);
      }
    }
    return combinationsFromCodes(codes, count, sizes.length).combinations;
  }

  it('joins columns whose tuples are few beside the combinations', () => {
    const sizes = [2, 2, 2, 2, 2, 2, 2, 2, 2, 2];
    const ends = columnRuns(complete(sizes), columnsOf(complete(sizes), sizes));
    // Twice 4 + 8, 4 + 8 and 4 + 8 + 16 tuples, and 8 + 64 prefixes; two halves have more, and so have single columns.
    expect(ends).toEqual([3, 6, 10]);
  });

  it('leaves columns alone whose tuples are as many as the combinations', () => {
    const codes = Uint16Array.from({ length: 2 * 1500 }, (_, i) => Math.floor(i / 2));
    const { combinations } = combinationsFromCodes(codes, 1500, 2);
    expect(columnRuns(combinations, columnsOf(combinations, [1500, 1500]))).toEqual([1, 2]);
  });

  it('covers all columns, one after the other', () => {
    fc.assert(
      fc.property(table, (drawn) => {
        const { combinations } = build(drawn);
        // A code more stands for a missing value.
        const columns = columnsOf(
          combinations,
          drawn.sizes.map((size) => size + 1),
        );
        const ends = columnRuns(combinations, columns);
        expect(ends.at(-1)).toBe(drawn.sizes.length);
        for (const [i, end] of ends.entries()) expect(end).toBeGreaterThan(ends[i - 1] ?? 0);
      }),
    );
  });
});
