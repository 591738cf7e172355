import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { candidateBands } from '../../../shared/contracts/config/bands.ts';
import { growCartTree } from '../../../shared/model/cart/growth.ts';
import { type CartNode, type CartTree, dropRecords } from '../../../shared/model/cart/tree.ts';
import type { GrownNode } from '../../../shared/risk/trees/grown-node.ts';
import { DonorShares } from '../../../shared/risk/trees/leaf-likelihood.ts';
import { RegressionGrowth } from '../../../shared/risk/trees/regression-growth.ts';
import { countRows, placeOf, type TreePlace } from '../../../shared/risk/trees/tree-variables.ts';
import type { Table } from '../../../shared/table/table.ts';
import { categorical, continuous, tableOf } from '../../model/cart/cart-tables.ts';
import { countsByClass } from './counts-by-class.ts';

/** A response, two categorical predictors and a continuous one. */
type Row = readonly [number, number, number, number];

const BANDS = candidateBands({ bands: [-1000, 0, 10, 30] });
const CATEGORIES = 4;
const bandOfValue = (value: number) => BANDS.lower.findLastIndex((from) => value >= from);

function toTable(rows: readonly Row[]): Table {
  const column = (v: number) => rows.map((row) => row[v]!);
  return tableOf([continuous(column(0)), categorical(column(1)), categorical(column(2)), continuous(column(3))], CATEGORIES);
}

type Shape = { cut: unknown; counts: number[]; resting: number[]; children: Shape[] };

function shapeOfGrown({ counts, resting, split }: GrownNode): Shape {
  return {
    cut: split?.cut ?? null,
    counts: [...counts],
    resting: countsByClass(resting, BANDS.lower.length),
    children: split === null ? [] : [shapeOfGrown(split.left), shapeOfGrown(split.right)],
  };
}

function shapeFromNothing(tree: CartTree, released: Table): Shape {
  const valuesOf = (column: unknown) => (column as { values: Float64Array }).values;
  const count = (values: Iterable<number>) => {
    const counts = BANDS.lower.map(() => 0);
    for (const value of values) counts[bandOfValue(value)]!++;
    return counts;
  };
  const resting = new Map<CartNode, number[]>();
  dropRecords(tree, released.columns, released.records, (node, rows) => {
    resting.set(node, count(Array.from(rows, (row) => valuesOf(released.columns[0])[row]!)));
  });
  const shapeOf = (node: CartNode): Shape => ({
    cut: node.split?.cut ?? null,
    counts: count(valuesOf(tree.donors).slice(node.from, node.to)),
    resting: resting.get(node) ?? count([]),
    children: node.split === null ? [] : [shapeOf(node.split.left), shapeOf(node.split.right)],
  });
  return shapeOf(tree.root);
}

interface Drawn {
  readonly rows: readonly Row[];
  readonly released: readonly Row[];
  readonly record: number;
  readonly candidates: readonly Row[];
  readonly minimumLeaf: number;
  readonly complexity: number;
  readonly mostRemembered: number;
}

/** Checks changes of one record of a drawn table; returns how many of them changed the divisions. */
function checkChanges({ rows, released, record, candidates, minimumLeaf, complexity, mostRemembered }: Drawn): number {
  const settings = { minimumLeaf, complexity };
  const predictors = [1, 2, 3].map((variable) => ({ variable, categories: variable === 3 ? 0 : CATEGORIES }));
  const variables = { response: 0, classes: BANDS.lower.length, bands: BANDS, predictors };
  const [table, releasedTable] = [toTable(rows), toTable(released)];
  const records = countRows(variables, [table.columns], rows.length);
  const growth = new RegressionGrowth(
    { ...variables, records, released: countRows(variables, [releasedTable.columns], released.length) },
    settings,
    new DonorShares(rows.length + 1),
    mostRemembered,
  );
  const own = placeOf(records, records.rowOf[record]!);
  const others = rows.filter((_, i) => i !== record);
  const expected = (changed: readonly Row[]) => shapeFromNothing(growCartTree(toTable(changed), 0, [1, 2, 3], settings), releasedTable);
  const toPlace = ([value, ...values]: Row): TreePlace => ({ response: bandOfValue(value), value, predictors: values });
  const cutsOf = (shape: Shape): unknown => [shape.cut, shape.children.map(cutsOf)];
  const before = expected(rows);
  expect(shapeOfGrown(growth.grow(null, null))).toEqual(before);
  let otherwise = 0;
  for (const candidate of [...candidates, null, ...candidates]) {
    const changed = expected(candidate === null ? others : [...others, candidate]);
    const place = candidate === null ? null : toPlace(candidate);
    expect(shapeOfGrown(growth.grow(own, place))).toEqual(changed);
    if (JSON.stringify(cutsOf(changed)) !== JSON.stringify(cutsOf(before))) otherwise++;
  }
  expect(shapeOfGrown(growth.grow(null, null))).toEqual(before);
  return otherwise;
}

/** Tables whose response depends on the predictors or on nothing, with values as `value` has them. */
function drawnTables(most: number, noise: fc.Arbitrary<number>): fc.Arbitrary<Drawn> {
  const code = fc.integer({ min: 0, max: CATEGORIES - 1 });
  const x = fc.integer({ min: -2, max: 6 }).map((whole) => whole / 2);
  const row = fc
    .tuple(noise, code, code, x, fc.boolean())
    .map(([e, a, b, one, isTied]): Row => [isTied ? 8 * a + (one > 1 ? 9 : 0) + e / 4 : e, a, b, one]);
  return fc
    .record({
      rows: fc.array(row, { minLength: 2, maxLength: most }),
      released: fc.array(row, { maxLength: 15 }),
      record: fc.nat(most - 1),
      candidates: fc.array(row, { minLength: 4, maxLength: 4 }),
      minimumLeaf: fc.constantFrom(1, 2, 5),
      complexity: fc.constantFrom(0, 1e-8, 0.01, 0.05, 0.2),
      mostRemembered: fc.constantFrom(2 ** 30, 4000),
    })
    .map(({ record, candidates, ...drawn }) => {
      const own = drawn.rows[record % drawn.rows.length]!;
      return {
        ...drawn,
        record: record % drawn.rows.length,
        candidates: [
          [candidates[0]![0], own[1], own[2], own[3]] as const,
          [own[0], candidates[1]![1], own[2], own[3]] as const,
          [own[0], own[1], own[2], candidates[2]![3]] as const,
          candidates[3]!,
        ],
      };
    });
}

describe('RegressionGrowth', () => {
  const amount = fc.integer({ min: -200_000, max: 400_000 }).map((whole) => whole / 9973);
  it.each([
    ['amounts', 40, amount, 250],
    ['whole numbers, which tie', 40, fc.integer({ min: -3, max: 5 }), 250],
    ['amounts of very different size', 30, fc.oneof(amount, fc.constantFrom(1e7, -999, 3e5)), 100],
  ] as const)('grows the tree of the changed table, leaf for leaf: %s', (_, most, noise, numRuns) => {
    let otherwise = 0;
    fc.assert(
      fc.property(drawnTables(most, noise), (drawn) => {
        otherwise += checkChanges(drawn);
      }),
      { numRuns, seed: 1 },
    );
    expect(otherwise).toBeGreaterThan(numRuns);
  });

  it.each([0.1, 0.7, 1 / 3, 1e7 + 0.1])('leaves records of one value together, whatever rounding makes of %d', (value) => {
    // The last record alone has another value among those of its category.
    const rows = Array.from({ length: 23 }, (_, i): Row => [i < 11 ? value : 50 + i, i < 11 ? 0 : 1, i % 4, i / 2]);
    const candidates: Row[] = [
      [value, 0, 2, 1],
      [40, 1, 0, 3],
    ];
    const drawn = { released: rows, candidates, minimumLeaf: 1, complexity: 0, mostRemembered: 2 ** 30 };
    checkChanges({ ...drawn, rows: [...rows, [value + 3, 0, 1, 9]], record: 23 });
  });
});
