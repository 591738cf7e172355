import { describe, expect, it } from 'vitest';
import { drawDistinct } from '../../../shared/random/draw-distinct.ts';
import { seededStreams } from '../../../shared/random/streams.ts';
import { nearestRecords, valueRanges } from '../../../shared/risk/attack/nearest/nearest-records.ts';
import type { Table } from '../../../shared/table/table.ts';
import { attackTables, drawTable, lehmer } from './reference-tables.ts';

const { table, dataset } = attackTables();

/** Every candidate looked at, in the order of its priority. */
function everyPair(
  candidates: Table,
  records: Table,
  variables: readonly number[],
  ranges: readonly (number | null)[],
  priority: Uint32Array,
  weights: readonly number[] = variables.map(() => 1),
) {
  const order = [...priority.keys()].sort((a, b) => priority[a]! - priority[b]!);
  return Array.from({ length: records.records }, (_, record) => {
    const distances = order.map((candidate) =>
      variables.reduce((sum, v, d) => {
        const [own, other] = [candidates.columns[v]!, records.columns[v]!];
        if (own.type === 'categorical' && other.type === 'categorical') {
          return sum + (own.codes[candidate] === other.codes[record] ? 0 : weights[d]!);
        }
        if (own.type !== 'continuous' || other.type !== 'continuous') throw new Error('other types');
        const scale = ranges[d]! / weights[d]!;
        return sum + Math.abs(own.values[candidate]! / scale - other.values[record]! / scale);
      }, 0),
    );
    const [least, second] = [...distances].sort((a, b) => a - b);
    return [order[distances.indexOf(least!)], least, second, distances.filter((distance) => distance === least).length];
  });
}

/** Holds what is found to every candidate looked at, equal ones in an order by chance. */
function expectEveryPair(candidates: Table, records: Table, variables: readonly number[], ranges: readonly (number | null)[]): void {
  const priority = drawDistinct(seededStreams(6).open('order'), candidates.records, candidates.records);
  const found = nearestRecords(candidates, records, { variables, ranges, priority });
  const rows = Array.from(found.nearest, (near, i) => [near, found.distance[i], found.second[i], found.equals[i]]);
  expect(rows).toEqual(everyPair(candidates, records, variables, ranges, priority));
}

/** A table of columns of codes (bytes, or two) and of numbers. */
function tableOf(columns: readonly (Uint8Array | Uint16Array | Float64Array)[]): Table {
  const variables = columns.map((column, v) =>
    column instanceof Float64Array
      ? { name: `X${v}`, type: 'continuous' as const }
      : { name: `C${v}`, type: 'categorical' as const, categories: [] },
  );
  return {
    schema: { variables },
    records: columns[0]!.length,
    columns: columns.map((column) =>
      column instanceof Float64Array ? { type: 'continuous', values: column } : { type: 'categorical', codes: column },
    ),
  };
}

describe('nearest records', () => {
  it.each([
    ['categories alone, where many are equally near', [0, 1, 2, 3]],
    ['one category', [2]],
    ['numbers alone', [4, 5]],
    ['both', [0, 1, 2, 3, 4, 5]],
    ['mostly numbers', [2, 4, 5]],
  ])('are those of every pair looked at: %s', (_, variables) => {
    for (const seed of [3, 4, 5]) {
      const below = lehmer(seed);
      const [candidates, records] = [drawTable(below, 300), drawTable(below, 120)];
      const ranges = valueRanges([candidates, records], variables);
      expectEveryPair(candidates, records, variables, ranges);
    }
  });

  it.each([
    ['numbers', 0, 3],
    ['categories and numbers', 2, 2],
  ])('are those of every pair where many are equally near: %s', (_, categorical, continuous) => {
    const below = lehmer(9);
    const grid = (records: number) =>
      tableOf([
        ...Array.from({ length: categorical }, () => Uint8Array.from({ length: records }, () => below(4))),
        // By their range of 4 they are quarters, of which sums are exact.
        ...Array.from({ length: continuous }, () => Float64Array.from({ length: records }, () => below(5))),
      ]);
    const [candidates, records] = [grid(400), grid(150)];
    const variables = [...candidates.columns.keys()];
    expectEveryPair(candidates, records, variables, valueRanges([candidates, records], variables));
  });

  it('are those of every pair where there are more categories than a byte tells apart', () => {
    const below = lehmer(6);
    const many = (records: number) =>
      tableOf([
        Uint16Array.from({ length: records }, () => 256 * below(3)),
        Uint16Array.from({ length: records }, () => below(700)),
        Uint8Array.from({ length: records }, () => below(4)),
      ]);
    expectEveryPair(many(200), many(90), [0, 1, 2], [null, null, null]);
  });

  it('are those of every pair where rows differ in more variables than are counted', () => {
    const below = lehmer(7);
    const wide = (records: number, codes: () => number) =>
      tableOf(Array.from({ length: 300 }, () => Uint8Array.from({ length: records }, codes)));
    const [candidates, records] = [wide(60, () => below(40)), wide(20, () => below(40))];
    const variables = [...candidates.columns.keys()];
    expectEveryPair(candidates, records, variables, valueRanges([candidates], variables));
  });

  it.each([
    ['mostly categories', [0, 1, 2, 3, 4, 5]],
    ['mostly numbers', [2, 4, 5]],
  ])('are those of every pair where variables have weights, and none beyond a limit: %s', (_, variables) => {
    const below = lehmer(8);
    const [candidates, records] = [drawTable(below, 300), drawTable(below, 120)];
    const ranges = valueRanges([candidates, records], variables);
    const weights = [0.25, 0.5, 0.125, 1, 2, 0.0625].slice(0, variables.length);
    const order = Uint32Array.from({ length: 300 }, (_, i) => i);
    const expected = everyPair(candidates, records, variables, ranges, order, weights);
    const search = { variables, ranges, weights };
    const found = nearestRecords(candidates, records, search);
    expect(Array.from(found.nearest, (near, i) => [near, found.distance[i], found.second[i], found.equals[i]])).toEqual(expected);
    const distances = expected.map(([, distance]) => distance!);
    const within = [...distances].sort((a, b) => a - b)[60]!;
    const near = nearestRecords(candidates, records, { ...search, within }).distance;
    expect([...near]).toEqual(distances.map((distance) => Math.min(within, distance)));
  });

  it('take the first of equals where no order is given', () => {
    const { nearest, distance, second } = nearestRecords(table, table, { variables: [0], ranges: [null] });
    const codes = table.columns[0]!.type === 'categorical' ? [...table.columns[0].codes] : [];
    expect([...nearest]).toEqual(codes.map((code) => codes.indexOf(code)));
    expect([...distance, ...second].every((one) => one === 0)).toBe(true);
  });

  it('have no second where there is one candidate', () => {
    const one = drawTable(lehmer(1), 1);
    const { second } = nearestRecords(one, dataset, { variables: [0, 1], ranges: [null, null] });
    expect([...second].every((distance) => distance === Number.POSITIVE_INFINITY)).toBe(true);
  });
});

describe('ranges', () => {
  it('are those of all tables, 1 for a constant and none for a category', () => {
    const constant: Table = {
      schema: { variables: [{ name: 'X', type: 'continuous' }] },
      records: 2,
      columns: [{ type: 'continuous', values: Float64Array.of(3, 3) }],
    };
    expect(valueRanges([constant], [0])).toEqual([1]);
    const wider: Table = { ...constant, columns: [{ type: 'continuous', values: Float64Array.of(-1, 5) }] };
    expect(valueRanges([constant, wider], [0])).toEqual([6]);
    expect(valueRanges([table], [0])).toEqual([null]);
  });
});
