import { describe, expect, it } from 'vitest';
import { plainMdav } from '../../bench/masking/plain-mdav.ts';
import { finish } from '../../shared/contracts/stepwise.ts';
import { mdavGroups } from '../../shared/masking/mdav.ts';
import { standardizedPoints } from '../../shared/masking/standardized-points.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';

const columnsOf = (records: number, variables: number, seed: number, digits = 1e6) => {
  const random = new RandomStream(seed, 'mdav');
  return Array.from({ length: variables }, () => Float64Array.from({ length: records }, () => Math.round(random.uniform() * digits)));
};

const groupsOf = (columns: readonly Float64Array[], k: number) => finish(mdavGroups(standardizedPoints(columns), columns.length, k));

/** Members of each group, by its number. */
function members(groups: Uint32Array): number[][] {
  const found: number[][] = [];
  for (const [record, group] of groups.entries()) {
    found[group] ??= [];
    found[group].push(record);
  }
  return found;
}

const asPoints = (columns: readonly Float64Array[]) => {
  const points = standardizedPoints(columns);
  return Array.from({ length: columns[0]!.length }, (_, i) => [...points.subarray(i * columns.length, (i + 1) * columns.length)]);
};

describe('mdavGroups()', () => {
  it.each([
    [6, 1, 3],
    [7, 2, 3],
    [11, 3, 4],
    [40, 2, 3],
    [61, 5, 4],
    [97, 3, 5],
    [103, 4, 10],
  ])('forms the groups of the definition: %i records, %i variables, k = %i', (records, variables, k) => {
    const columns = columnsOf(records, variables, records);
    const expected = plainMdav(asPoints(columns), k).map((group) => group.toSorted((a, b) => a - b));
    expect(members(groupsOf(columns, k))).toEqual(expected);
  });

  it('breaks ties as the definition says, by the order of the table', () => {
    const columns = columnsOf(60, 2, 3, 3);
    const expected = plainMdav(asPoints(columns), 3).map((group) => group.toSorted((a, b) => a - b));
    expect(members(groupsOf(columns, 3))).toEqual(expected);
  });

  it('takes the corners of a square of four clusters', () => {
    const corners = [
      [0, 0],
      [100, 0],
      [0, 100],
      [101, 101],
    ];
    const near = [0, 1, 2];
    const columns = [0, 1].map((axis) =>
      Float64Array.from(corners.flatMap((corner) => near.map((step) => corner[axis]! + step / (1 + axis)))),
    );
    const found = members(groupsOf(columns, 3)).map((group) => group.map((record) => Math.floor(record / 3)));
    expect(found.map((group) => new Set(group).size)).toEqual([1, 1, 1, 1]);
  });

  it('forms groups of k records, the last of up to 2k - 1', () => {
    for (const k of [2, 3, 5])
      for (const records of [k, 2 * k - 1, 2 * k, 3 * k - 1, 3 * k, 50, 51, 52, 53]) {
        const sizes = members(groupsOf(columnsOf(records, 2, records), k)).map(({ length }) => length);
        const last = sizes.pop()!;
        expect(sizes.every((size) => size === k)).toBe(true);
        expect(last).toBeGreaterThanOrEqual(k);
        expect(last).toBeLessThan(2 * k);
      }
  });

  it('does not depend on units, nor on the order of records without ties', () => {
    const columns = columnsOf(80, 3, 9);
    const found = groupsOf(columns, 4);
    const scaled = columns.map((values, v) => values.map((value) => 3 - value * 10 ** (v + 1)));
    expect(groupsOf(scaled, 4)).toEqual(found);
    const turned = columns.map((values) => values.toReversed());
    const sets = (groups: Uint32Array, at: (record: number) => number) =>
      members(groups)
        .map((group) => group.map(at).sort((a, b) => a - b))
        .sort((a, b) => a[0]! - b[0]!);
    expect(sets(groupsOf(turned, 4), (record) => 79 - record)).toEqual(sets(found, (record) => record));
  });
});

describe('standardizedPoints()', () => {
  it('are in deviations from the mean, and 0 of a constant', () => {
    expect([...standardizedPoints([Float64Array.of(1, 2, 3), Float64Array.of(5, 5, 5)])]).toEqual([-1, 0, 0, 0, 1, 0]);
  });
});
