import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growCartTree } from '../../../shared/model/cart/growth.ts';
import { type CartNode, type CartTree, dropRecords } from '../../../shared/model/cart/tree.ts';
import type { GrownNode } from '../../../shared/risk/trees/grown-node.ts';
import { TreeGrowth } from '../../../shared/risk/trees/tree-growth.ts';
import { countRows, type TreePlace } from '../../../shared/risk/trees/tree-variables.ts';
import type { Table } from '../../../shared/table/table.ts';
import { categorical, continuous, tableOf } from '../../model/cart/cart-tables.ts';
import { countsByClass } from './counts-by-class.ts';

const PREDICTORS = [1, 2, 3];

/** A row of a response, two categorical predictors and a continuous one. */
type Row = readonly [number, number, number, number];

interface Drawn {
  readonly rows: Row[];
  readonly released: Row[];
  readonly record: number;
  readonly candidates: Row[];
  readonly categories: number;
  readonly minimumLeaf: number;
  readonly complexity: number;
  readonly mostRemembered: number;
}

function toTable(rows: readonly Row[], categories: number): Table {
  const column = (v: number) => rows.map((row) => row[v]!);
  const columns = [categorical(column(0)), categorical(column(1)), categorical(column(2)), continuous(column(3))];
  return tableOf(columns, categories);
}

function placeOf([response, ...predictors]: Row): TreePlace {
  return { response, predictors };
}

/** A tree as its divisions and donors by class, with what is released from each node, to compare two of them. */
type Shape = { cut: unknown; counts: number[]; resting: number[]; children: Shape[] };

function shapeOfGrown({ counts, resting, split }: GrownNode): Shape {
  return {
    cut: split?.cut ?? null,
    counts: [...counts],
    resting: countsByClass(resting, counts.length),
    children: split === null ? [] : [shapeOfGrown(split.left), shapeOfGrown(split.right)],
  };
}

function shapeFromNothing(tree: CartTree, released: Table, classes: number): Shape {
  const resting = new Map<CartNode, number[]>();
  const codes = (table: Table) => (table.columns[0] as { codes: Uint8Array }).codes;
  dropRecords(tree, released.columns, released.records, (node, rows) => {
    const counts = Array<number>(classes).fill(0);
    for (const row of rows) counts[codes(released)[row]!]!++;
    resting.set(node, counts);
  });
  const shapeOf = (node: CartNode): Shape => {
    const counts = Array<number>(classes).fill(0);
    for (let i = node.from; i < node.to; i++) counts[(tree.donors as { codes: Uint8Array }).codes[i]!]!++;
    return {
      cut: node.split?.cut ?? null,
      counts,
      resting: resting.get(node) ?? Array(classes).fill(0),
      children: node.split === null ? [] : [shapeOf(node.split.left), shapeOf(node.split.right)],
    };
  };
  return shapeOf(tree.root);
}

/** Checks all changes of one record of a drawn table; returns how many trees were divided otherwise than before. */
function checkChanges(drawn: Drawn): number {
  const { rows, released, record, candidates, categories, minimumLeaf, complexity, mostRemembered } = drawn;
  const settings = { minimumLeaf, complexity };
  const columns = [0, 1, 2, 3].map((variable) => ({ variable, categories: variable === 3 ? 0 : categories }));
  const variables = { response: 0, classes: categories, bands: null, predictors: columns.slice(1) };
  const releasedTable = toTable(released, categories);
  const table = toTable(rows, categories);
  const growth = new TreeGrowth(
    {
      ...variables,
      records: countRows(variables, [table.columns], rows.length),
      released: countRows(variables, [releasedTable.columns], released.length),
    },
    settings,
    mostRemembered,
  );
  const own = placeOf(rows[record]!);
  const others = rows.filter((_, i) => i !== record);
  const expected = (changed: readonly Row[]) => {
    const tree = growCartTree(toTable(changed, categories), 0, PREDICTORS, settings);
    return JSON.stringify(shapeFromNothing(tree, releasedTable, categories));
  };
  const grown = (removed: TreePlace | null, added: TreePlace | null) => JSON.stringify(shapeOfGrown(growth.grow(removed, added)));
  const before = expected(rows);
  let otherwise = 0;
  const check = (added: Row | null) => {
    const changed = expected(added === null ? others : [...others, added]);
    expect(grown(own, added === null ? null : placeOf(added))).toBe(changed);
    if (cutsOf(changed) !== cutsOf(before)) otherwise++;
  };
  expect(grown(null, null)).toBe(before);
  // Twice, because the second time most is remembered; once without the record.
  for (const candidate of [...candidates, null, ...candidates]) check(candidate);
  expect(grown(null, null)).toBe(before);
  return otherwise;
}

/** The divisions of a shape that was written as JSON. */
function cutsOf(shape: string): string {
  const cuts = ({ cut, children }: Shape): unknown => [cut, children.map(cuts)];
  return JSON.stringify(cuts(JSON.parse(shape)));
}

/** Tables in which the response depends on the predictors, or on nothing, with ties; candidates change any value. */
function drawnTables(most: number, categories: number): fc.Arbitrary<Drawn> {
  const code = fc.integer({ min: 0, max: categories - 1 });
  const value = fc.integer({ min: -2, max: 4 }).map((whole) => whole / 2);
  const free = fc.tuple(code, code, code, value);
  const tied = fc
    .tuple(fc.integer({ min: 0, max: 3 }), code, code, value)
    .map(([noise, a, b, x]): Row => [noise === 0 ? b : (a + (x > 0 ? 1 : 0)) % categories, a, b, x]);
  const row: fc.Arbitrary<Row> = fc.oneof({ weight: 3, arbitrary: tied }, { weight: 1, arbitrary: free });
  return fc
    .record({
      rows: fc.array(row, { minLength: 2, maxLength: most }),
      released: fc.array(row, { maxLength: 20 }),
      record: fc.nat(most - 1),
      candidates: fc.array(row, { minLength: 4, maxLength: 4 }),
      categories: fc.constant(categories),
      minimumLeaf: fc.constantFrom(1, 1, 2, 5),
      complexity: fc.constantFrom(0, 1e-8, 0.03, 0.1, 0.3),
      // Everything, or hardly more than one tree.
      mostRemembered: fc.constantFrom(2 ** 30, 4000),
    })
    .map(({ record, candidates, ...drawn }) => {
      const own = drawn.rows[record % drawn.rows.length]!;
      return {
        ...drawn,
        record: record % drawn.rows.length,
        // Changes of the response alone, of one predictor alone, and of everything.
        candidates: [
          [candidates[0]![0], own[1], own[2], own[3]] as const,
          [own[0], candidates[1]![1], own[2], own[3]] as const,
          [own[0], own[1], own[2], candidates[2]![3]] as const,
          candidates[3]!,
        ],
      };
    });
}

describe('TreeGrowth', () => {
  it.each([
    ['few categories', 40, 3, 300],
    ['two classes', 40, 2, 150],
    ['many categories, in principal order', 120, 14, 40],
  ] as const)('grows the tree of the changed table, leaf for leaf: %s', (_, most, categories, numRuns) => {
    let otherwise = 0;
    fc.assert(
      fc.property(drawnTables(most, categories), (drawn) => {
        otherwise += checkChanges(drawn);
      }),
      { numRuns, seed: 1 },
    );
    expect(otherwise).toBeGreaterThan(numRuns);
  });
});
