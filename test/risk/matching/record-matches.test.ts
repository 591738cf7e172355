import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Radius } from '../../../shared/contracts/config/identification-scenario.ts';
import { radiusGrid } from '../../../shared/risk/matching/radius-grid.ts';
import { createRecordMatcher, type Matching } from '../../../shared/risk/matching/record-matches.ts';
import type { Column, Table } from '../../../shared/table/table.ts';

/** A table of categorical columns, whose code 3 stands for a missing value and 4 for one to impute, and continuous ones. */
function tableOf(categorical: readonly number[][], continuous: readonly number[][], records: number): Table {
  const columns: Column[] = [
    ...categorical.map((codes): Column => ({ type: 'categorical', codes: Uint8Array.from(codes) })),
    ...continuous.map((values): Column => ({ type: 'continuous', values: Float64Array.from(values) })),
  ];
  return {
    schema: {
      variables: columns.map(({ type }, v) =>
        type === 'categorical' ? { name: `C${v}`, type, categories: ['a', 'b', 'c', ''], missingCode: 3 } : { name: `X${v}`, type },
      ),
    },
    records,
    columns,
  };
}

/** Whether row j of a dataset matches record i, by the definition (Hornby & Hu 2021, sections 2.1 to 2.3). */
function isMatch(
  { columns: truths }: Table,
  { columns: rows }: Table,
  { categorical, continuous, shape }: Matching,
  radii: readonly Radius[],
  i: number,
  j: number,
): boolean {
  for (const v of categorical) {
    const [a, b] = [truths[v]!, rows[v]!];
    if (a.type !== 'categorical' || b.type !== 'categorical') return false;
    // What the table lacks, nobody knows.
    if (a.codes[i] !== 4 && a.codes[i] !== b.codes[j]) return false;
  }
  const terms = continuous.map((v, k) => {
    const [a, b] = [truths[v]!, rows[v]!];
    if (a.type !== 'continuous' || b.type !== 'continuous') throw new Error('not continuous');
    const [x, y] = [a.values[i]!, b.values[j]!];
    const radius = radii[k]!;
    const r = 'absolute' in radius ? radius.absolute : radius.relative;
    // An infinite radius matches everything, also around zero.
    const size = 'absolute' in radius || r === Number.POSITIVE_INFINITY ? 1 : Math.abs(x);
    const width = r * (1 + 1e-9) * size;
    const near = Math.abs(y - x) <= width;
    return { near, ratio: y === x || width === Number.POSITIVE_INFINITY ? 0 : Math.abs(y - x) / width };
  });
  return shape === 'box' || terms.length === 1
    ? terms.every(({ near }) => near)
    : terms.reduce((sum, { ratio }) => sum + ratio * ratio, 0) <= 1;
}

/** c and T of every record at each point, by comparing every pair. */
function byPairs(table: Table, dataset: Table, matching: Matching, points: readonly (readonly Radius[])[]) {
  return points.map((radii) =>
    Array.from({ length: table.records }, (_, i) => {
      let matches = 0;
      for (let j = 0; j < table.records; j++) {
        if (isMatch(table, dataset, matching, radii, i, j)) matches++;
      }
      return { matches, own: isMatch(table, dataset, matching, radii, i, i) ? 1 : 0 };
    }),
  );
}

function byMatcher(table: Table, dataset: Table, matching: Matching, grid: ReturnType<typeof radiusGrid>) {
  const found = grid.points.map(() => new Array<{ matches: number; own: number }>(table.records));
  createRecordMatcher(table, matching).match(dataset, grid, (record, counts, own) => {
    for (const [point, ofPoint] of found.entries()) {
      ofPoint[record] = { matches: counts[point]!, own: own[point]! };
    }
  });
  return found;
}

/** Few values, so that there are ties, zeros, negative ones and distances on the border of a radius. */
const value = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -12, max: 12 }).map((whole) => whole * 1.1) },
  { weight: 1, arbitrary: fc.constantFrom(0, -0, 100, 110, 90, 1e-300, -1e308, 1e308) },
  { weight: 1, arbitrary: fc.double({ min: -1e6, max: 1e6, noNaN: true }) },
);
const radius = fc.oneof(
  fc.constantFrom(0, 0.1, 0.25, 1, 3, Number.POSITIVE_INFINITY).map((relative) => ({ relative })),
  fc.constantFrom(0, 1.1, 5, 1000, Number.POSITIVE_INFINITY).map((absolute) => ({ absolute })),
);

const pair = fc
  .record({
    records: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 60, max: 220 })),
    categorical: fc.integer({ min: 0, max: 2 }),
    continuous: fc.integer({ min: 0, max: 4 }),
    shape: fc.constantFrom('box' as const, 'ellipse' as const),
    jointly: fc.boolean(),
  })
  .filter(({ categorical, continuous }) => categorical + continuous > 0)
  .chain(({ records, categorical, continuous, shape, jointly }) => {
    const columns = <T>(cell: fc.Arbitrary<T>, count: number) =>
      fc.array(fc.array(cell, { minLength: records, maxLength: records }), { minLength: count, maxLength: count });
    // Of which the last is a missing value as a category; beyond it, in some tables, is one that is imputed.
    const code = fc.integer({ min: 0, max: 3 });
    const trueCode = fc.boolean().chain((some) => fc.integer({ min: 0, max: some ? 4 : 3 }));
    return fc.record({
      shape: fc.constant(shape),
      table: fc.tuple(columns(trueCode, categorical), columns(value, continuous)).map(([codes, values]) => tableOf(codes, values, records)),
      dataset: fc.tuple(columns(code, categorical), columns(value, continuous)).map(([codes, values]) => tableOf(codes, values, records)),
      radii: fc.array(fc.option(radius), { minLength: continuous, maxLength: continuous }),
      sweep: fc.record({
        radii: fc.uniqueArray(fc.constantFrom(0, 0.01, 0.1, 0.3, 1, 2.5), { minLength: 1, maxLength: 3 }),
        jointly: fc.constant(jointly),
      }),
    });
  });

const matchingOf = (table: Table, shape: Matching['shape']): Matching => ({
  categorical: table.columns.flatMap(({ type }, v) => (type === 'categorical' ? [v] : [])),
  continuous: table.columns.flatMap(({ type }, v) => (type === 'continuous' ? [v] : [])),
  shape,
});

describe('createRecordMatcher()', () => {
  it('counts what comparing every pair counts, at every radius of a sweep', () => {
    fc.assert(
      fc.property(pair, ({ table, dataset, shape, radii, sweep }) => {
        const matching = matchingOf(table, shape);
        const grid = radiusGrid(radii, sweep);
        expect(byMatcher(table, dataset, matching, grid)).toEqual(byPairs(table, dataset, matching, grid.points));
      }),
      { numRuns: 300 },
    );
  });

  it('pauses after so many records, whatever their groups, so that others have their turn', () => {
    const records = 16_384 + 3;
    const codes = Array.from({ length: records }, (_, i) => i % 3);
    const table = tableOf([codes], [codes.map((code) => code / 2)], records);
    const steps = createRecordMatcher(table, matchingOf(table, 'box')).steps(table, radiusGrid([{ relative: 0 }], undefined), () => {});
    expect([...steps]).toEqual([16_384, 3]);
  });

  it('counts the own row of every record in a copy of the table', () => {
    fc.assert(
      fc.property(pair, ({ table, shape, radii, sweep }) => {
        const grid = radiusGrid(radii, sweep);
        for (const ofPoint of byMatcher(table, table, matchingOf(table, shape), grid)) {
          for (const { matches, own } of ofPoint) {
            expect(own).toBe(1);
            expect(matches).toBeGreaterThan(0);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('counts every row where all records are equal', () => {
    const table = tableOf([new Array(100).fill(1)], [new Array(100).fill(7), new Array(100).fill(0)], 100);
    for (const shape of ['box', 'ellipse'] as const) {
      const grid = radiusGrid([{ relative: 0 }, { absolute: 0 }], undefined);
      const [found] = byMatcher(table, table, matchingOf(table, shape), grid);
      expect(new Set(found!.map(({ matches, own }) => `${matches} ${own}`))).toEqual(new Set(['100 1']));
    }
  });

  it('takes a decimal radius at its word: the border belongs to the interval', () => {
    const table = tableOf([], [[1.1, -1.1, 0, 0]], 4);
    const dataset = tableOf([], [[1.21, -1.21, 0, 1e-12]], 4);
    const [found] = byMatcher(table, dataset, matchingOf(table, 'box'), radiusGrid([{ relative: 0.1 }], undefined));
    expect(found).toEqual([
      { matches: 1, own: 1 },
      { matches: 1, own: 1 },
      { matches: 1, own: 1 },
      { matches: 1, own: 0 },
    ]);
  });

  it('holds an ellipse to be smaller than the box around it', () => {
    const table = tableOf(
      [],
      [
        [10, 10],
        [10, 10],
      ],
      2,
    );
    const dataset = tableOf(
      [],
      [
        [10.9, 10.9],
        [10.9, 10],
      ],
      2,
    );
    const grid = radiusGrid([{ relative: 0.1 }, { relative: 0.1 }], undefined);
    const counts = (shape: Matching['shape']) =>
      byMatcher(table, dataset, matchingOf(table, shape), grid)[0]!.map(({ matches, own }) => [matches, own]);
    expect(counts('box')).toEqual([
      [2, 1],
      [2, 1],
    ]);
    expect(counts('ellipse')).toEqual([
      [1, 0],
      [1, 1],
    ]);
  });

  it('finds no match, and not the own row, where the categories of a record were all replaced', () => {
    const table = tableOf([[0, 0, 1]], [], 3);
    const dataset = tableOf([[1, 1, 2]], [], 3);
    const [found] = byMatcher(table, dataset, matchingOf(table, 'box'), radiusGrid([], undefined));
    expect(found).toEqual([
      { matches: 0, own: 0 },
      { matches: 0, own: 0 },
      { matches: 2, own: 0 },
    ]);
  });
});

it('refuses a dataset with another number of rows', () => {
  const table = tableOf([[0, 1]], [], 2);
  const matcher = createRecordMatcher(table, matchingOf(table, 'box'));
  const longer = tableOf([[0, 1, 1]], [], 3);
  expect(() => matcher.match(longer, radiusGrid([], undefined), () => undefined)).toThrow(RangeError);
});

describe('radiusGrid()', () => {
  it('tries one radius for all swept variables, ascending, once each', () => {
    const grid = radiusGrid([null, { absolute: 5 }, null], { radii: [0.2, 0.1, 0.2], jointly: false });
    expect(grid).toEqual({
      families: 1,
      levels: 2,
      points: [
        [{ relative: 0.1 }, { absolute: 5 }, { relative: 0.1 }],
        [{ relative: 0.2 }, { absolute: 5 }, { relative: 0.2 }],
      ],
    });
  });

  it('tries every combination jointly, the last variable changing within a family', () => {
    const grid = radiusGrid([null, null], { radii: [0.1, 0.2], jointly: true });
    expect(grid).toMatchObject({ families: 2, levels: 2 });
    expect(grid.points.map((radii) => radii.map((one) => Object.values(one)[0]))).toEqual([
      [0.1, 0.1],
      [0.1, 0.2],
      [0.2, 0.1],
      [0.2, 0.2],
    ]);
  });
});
