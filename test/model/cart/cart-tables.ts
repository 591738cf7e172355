import fc from 'fast-check';
import { type CartNode, type CartTree, dropRecords } from '../../../shared/model/cart/tree.ts';
import type { Column, Table } from '../../../shared/table/table.ts';

/** A continuous column. */
export function continuous(values: ArrayLike<number>): Column {
  return { type: 'continuous', values: Float64Array.from(values) };
}

/** A categorical column. */
export function categorical(codes: ArrayLike<number>): Column {
  return { type: 'categorical', codes: Uint8Array.from(codes) };
}

/** A table of columns; `categories` is the number that each categorical variable has. */
export function tableOf(columns: Column[], categories: number): Table {
  const variables = columns.map((column, v) => {
    const name = `V${v + 1}`;
    return column.type === 'continuous'
      ? { name, type: 'continuous' as const }
      : { name, type: 'categorical' as const, categories: Array.from({ length: categories }, (_, c) => `${c}`) };
  });
  const first = columns[0]!;
  const records = first.type === 'continuous' ? first.values.length : first.codes.length;
  return { schema: { variables }, records, columns };
}

/** Tables of a response (variable 0) and predictors of both types, with ties, at most 16 records and 4 categories. */
export function smallTables(response: 'continuous' | 'categorical'): fc.Arbitrary<Table> {
  const code = fc.integer({ min: 0, max: 3 });
  const value = fc.integer({ min: -3, max: 6 }).map((whole) => whole / 2);
  const row = fc.tuple(response === 'continuous' ? value : code, value, code, value, code);
  return fc.array(row, { minLength: 1, maxLength: 16 }).map((rows) => {
    const column = (v: number) => rows.map((one) => one[v]!);
    return tableOf(
      [
        response === 'continuous' ? continuous(column(0)) : categorical(column(0)),
        continuous(column(1)),
        categorical(column(2)),
        continuous(column(3)),
        categorical(column(4)),
      ],
      4,
    );
  });
}

/** All nodes of a tree, parents first, with their depths. */
export function nodesOf({ root }: CartTree): { node: CartNode; depth: number }[] {
  const nodes: { node: CartNode; depth: number }[] = [];
  const walk = (node: CartNode, depth: number) => {
    nodes.push({ node, depth });
    if (node.split === null) return;
    walk(node.split.left, depth + 1);
    walk(node.split.right, depth + 1);
  };
  walk(root, 0);
  return nodes;
}

/** The leaves of a tree, from the left. */
export function leavesOf(tree: CartTree): CartNode[] {
  return nodesOf(tree).flatMap(({ node }) => (node.split === null ? [node] : []));
}

/** For each record, the node where it comes to rest. */
export function restingNodes(tree: CartTree, table: Table, columns = table.columns): CartNode[] {
  const nodes: CartNode[] = [];
  dropRecords(tree, columns, table.records, (node, records) => {
    for (const record of records) nodes[record] = node;
  });
  return nodes;
}

/** The records of a table that come to rest in a node or below it. */
export function recordsBelow({ from, to }: CartNode, resting: readonly CartNode[]): number[] {
  return resting.flatMap((node, record) => (node.from >= from && node.to <= to ? [record] : []));
}

/** The table with its records in another order: record i is record `order[i]` of the other. */
export function reordered(table: Table, order: readonly number[]): Table {
  const columns = table.columns.map((column) =>
    column.type === 'continuous'
      ? continuous(order.map((record) => column.values[record]!))
      : categorical(order.map((record) => column.codes[record]!)),
  );
  return { ...table, columns };
}
