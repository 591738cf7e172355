import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestPlainDivision, growPlainTree, impurityOf, type PlainNode, riskOf } from '../../../bench/kernels/plain-cart.ts';
import { mixedTable } from '../../../bench/tables/mixed-table.ts';
import { growCartTree } from '../../../shared/model/cart/growth.ts';
import type { CartNode } from '../../../shared/model/cart/tree.ts';
import { categorical, continuous, leavesOf, nodesOf, recordsBelow, reordered, restingNodes, smallTables, tableOf } from './cart-tables.ts';

const ALL = [1, 2, 3, 4];

/** The records of the leaves of a plain tree, leaves and records in ascending order. */
function plainLeaves({ records, children }: PlainNode): number[][] {
  return children === null ? [[...records]] : children.flatMap(plainLeaves);
}

/** The records of leaves in one order, to compare partitions. */
function sorted(leaves: readonly (readonly number[])[]): number[][] {
  return leaves.map((leaf) => leaf.toSorted((a, b) => a - b)).sort((a, b) => a[0]! - b[0]!);
}

describe('growCartTree()', () => {
  it('grows a regression tree that can be checked by hand', () => {
    // By x at 2.5 the sum of squares falls from 112.5 to 1.5 + 1; below, the groups 0 and 2 have 1 and 2.
    const table = tableOf(
      [continuous([1, 2, 1, 2, 9, 10, 9, 10]), continuous([1, 1, 2, 2, 3, 3, 4, 4]), categorical([0, 2, 0, 2, 1, 1, 1, 1])],
      4,
    );
    const tree = growCartTree(table, 0, [1, 2], { minimumLeaf: 1, complexity: 0.001 });
    expect(tree.root.split?.cut).toEqual({ type: 'threshold', variable: 1, threshold: 2.5 });
    expect(tree.root.split?.left.split?.cut).toEqual({ type: 'categories', variable: 2, sides: Uint8Array.of(0, 2, 1, 2) });
    // On the right nothing but x can divide, and it gains nothing.
    expect(tree.root.split?.right).toEqual({ from: 4, to: 8, split: null });
    expect(tree.donors).toEqual(continuous([1, 1, 2, 2, 9, 9, 10, 10]));
  });

  it('grows a classification tree that can be checked by hand', () => {
    const table = tableOf([categorical([0, 0, 0, 1, 1, 2, 2, 2]), categorical([3, 3, 1, 1, 1, 0, 0, 0]), categorical(Array(8).fill(2))], 4);
    const { root, donors } = growCartTree(table, 0, [2, 1], { minimumLeaf: 1, complexity: 0 });
    // Gini times n: 8 - 22/8 = 5.25 in all; category 0 against 1 and 3 leaves 0 + 5 - 13/5 = 2.4, the best of three ways.
    expect(root.split?.cut).toEqual({ type: 'categories', variable: 1, sides: Uint8Array.of(0, 1, 2, 1) });
    expect(root.split?.left).toEqual({ from: 0, to: 3, split: null });
    // Of the other five records, those of category 1 have class 0 less often.
    expect(root.split?.right.split?.cut).toEqual({ type: 'categories', variable: 1, sides: Uint8Array.of(2, 0, 2, 1) });
    expect(donors).toEqual(categorical([2, 2, 2, 0, 1, 1, 0, 0]));
  });

  it.each(['continuous', 'categorical'] as const)('divides each node of a %s response as well as any division does', (type) => {
    fc.assert(
      fc.property(smallTables(type), (table) => {
        const tree = growCartTree(table, 0, ALL, { minimumLeaf: 1, complexity: 0 });
        const resting = restingNodes(tree, table);
        for (const { node } of nodesOf(tree)) {
          const records = recordsBelow(node, resting);
          expect(records).toHaveLength(node.to - node.from);
          if (node.split === null) continue;
          const sides = [node.split.left, node.split.right].map((side) => recordsBelow(side, resting));
          const impurity = (some: number[]) => impurityOf(table.columns[0]!, some);
          const gain = impurity(records) - impurity(sides[0]!) - impurity(sides[1]!);
          expect(gain).toBeCloseTo(bestPlainDivision(table, 0, ALL, records, 1)!.gain, 9);
        }
      }),
      { seed: 72, numRuns: 400 },
    );
  });

  it.each(['continuous', 'categorical'] as const)('leaves no node of a %s response whole that could be divided for the better', (type) => {
    fc.assert(
      fc.property(smallTables(type), fc.integer({ min: 1, max: 3 }), (table, minimumLeaf) => {
        // By one predictor with a threshold alone, so that the minimum leaf binds no order of categories.
        const tree = growCartTree(table, 0, [1], { minimumLeaf, complexity: 0 });
        const resting = restingNodes(tree, table);
        for (const leaf of leavesOf(tree)) {
          expect(leaf.to - leaf.from).toBeGreaterThanOrEqual(Math.min(minimumLeaf, table.records));
          const records = recordsBelow(leaf, resting);
          if (records.length < 3 * minimumLeaf) continue;
          const plain = growPlainTree(reordered({ ...table, records: records.length }, records), 0, [1], { minimumLeaf, complexity: 0 });
          expect(plain.children).toBeNull();
        }
      }),
      { seed: 73, numRuns: 200 },
    );
  });

  it.each([1, 5])('grows the tree of the obvious program, with minimum leaf %i', (minimumLeaf) => {
    const table = mixedTable(300, 'continuous');
    for (const complexity of [0, 1e-8, 0.01]) {
      const settings = { minimumLeaf, complexity };
      const tree = growCartTree(table, 0, [1, 3], settings);
      const resting = restingNodes(tree, table);
      const leaves = leavesOf(tree).map((leaf) => recordsBelow(leaf, resting));
      expect(sorted(leaves)).toEqual(sorted(plainLeaves(growPlainTree(table, 0, [1, 3], settings))));
    }
  });

  it.each(['continuous', 'categorical'] as const)('prunes a %s response to the smallest tree of least risk and leaves together', (type) => {
    fc.assert(
      fc.property(smallTables(type), fc.constantFrom(0.03, 0.1, 0.3), (table, complexity) => {
        const column = table.columns[0]!;
        const whole = growCartTree(table, 0, ALL, { minimumLeaf: 1, complexity: 0 });
        const pruned = growCartTree(table, 0, ALL, { minimumLeaf: 1, complexity });
        const resting = restingNodes(whole, table);
        const leafCost = complexity * riskOf(column, Array.from(resting.keys()));
        /** Risk and number of leaves of every tree that is what remains of a node after pruning. */
        const prunings = (node: CartNode): [number, number][] => {
          const asLeaf: [number, number] = [riskOf(column, recordsBelow(node, resting)), 1];
          if (node.split === null) return [asLeaf];
          const right = prunings(node.split.right);
          const both = prunings(node.split.left).flatMap(([risk, leaves]) =>
            right.map((other): [number, number] => [risk + other[0], leaves + other[1]]),
          );
          return [asLeaf, ...both];
        };
        const cost = ([risk, leaves]: [number, number]) => risk + leafCost * leaves;
        const all = prunings(whole.root);
        const least = Math.min(...all.map(cost));
        const fewest = Math.min(...all.filter((one) => cost(one) < least + 1e-9).map(([, leaves]) => leaves));
        const kept = leavesOf(pruned);
        const after = restingNodes(pruned, table);
        const risk = kept.reduce((sum, leaf) => sum + riskOf(column, recordsBelow(leaf, after)), 0);
        expect(cost([risk, kept.length])).toBeCloseTo(least, 9);
        expect(kept).toHaveLength(fewest);
      }),
      { seed: 74, numRuns: 200 },
    );
  });

  it.each(['continuous', 'categorical'] as const)('does not depend on the order of the records of a %s response', (type) => {
    const table = mixedTable(400, type);
    const order = Array.from({ length: 400 }, (_, i) => (i * 149) % 400);
    const settings = { minimumLeaf: 5, complexity: 1e-8 };
    expect(growCartTree(reordered(table, order), 0, ALL, settings)).toEqual(growCartTree(table, 0, ALL, settings));
  });

  it('does not depend on a large mean of the response', () => {
    const table = mixedTable(400, 'continuous');
    const [y, ...others] = table.columns;
    if (y?.type !== 'continuous') throw new Error('the response is continuous');
    // Multiples of 2^-10, so that the sums with 2^40 are exact.
    const near = y.values.map((value) => Math.round(value * 1024) / 1024);
    const grow = (shift: number) =>
      growCartTree({ ...table, columns: [continuous(near.map((v) => v + shift)), ...others] }, 0, ALL, { minimumLeaf: 5, complexity: 1e-8 })
        .root;
    expect(grow(2 ** 40)).toEqual(grow(0));
  });

  it('is one leaf without predictors, with constant ones, and for a constant response', () => {
    const table = tableOf(
      [continuous([3, 1, 2, 5]), continuous([7, 7, 7, 7]), categorical([2, 2, 2, 2]), continuous(Array(4).fill(0.1))],
      3,
    );
    const settings = { minimumLeaf: 1, complexity: 0 };
    const leaf = { from: 0, to: 4, split: null };
    expect(growCartTree(table, 0, [], settings)).toEqual({ root: leaf, donors: continuous([1, 2, 3, 5]) });
    expect(growCartTree(table, 0, [1, 2], settings).root).toEqual(leaf);
    expect(growCartTree(table, 3, [0], settings).root).toEqual(leaf);
    expect(growCartTree(table, 2, [0], settings).root).toEqual(leaf);
  });

  it('divides no node with fewer than three minimum leaves', () => {
    const values = Array.from({ length: 14 }, (_, i) => i);
    const table = tableOf([continuous(values), continuous(values)], 1);
    expect(leavesOf(growCartTree(table, 0, [1], { minimumLeaf: 5, complexity: 0 }))).toHaveLength(1);
    const more = tableOf([continuous([...values, 14]), continuous([...values, 14])], 1);
    const leaves = leavesOf(growCartTree(more, 0, [1], { minimumLeaf: 5, complexity: 0 }));
    expect(leaves.map(({ from, to }) => to - from)).toEqual([7, 8]);
  });

  it('keeps values of neighbouring floating-point numbers apart', () => {
    const low = 1 + Number.EPSILON;
    const high = low + Number.EPSILON;
    const table = tableOf([continuous([0, 0, 9, 9]), continuous([low, low, high, high])], 1);
    const tree = growCartTree(table, 0, [1], { minimumLeaf: 1, complexity: 0 });
    expect(leavesOf(tree).map(({ from, to }) => to - from)).toEqual([2, 2]);
    const huge = tableOf([continuous([0, 0, 9, 9]), continuous([1.5e308, 1.5e308, 1.7e308, 1.7e308])], 1);
    const cut = growCartTree(huge, 0, [1], { minimumLeaf: 1, complexity: 0 }).root.split?.cut;
    expect(cut).toEqual({ type: 'threshold', variable: 1, threshold: 1.6e308 });
  });

  it('divides 30 times from the root to a leaf at most, however the values lie', () => {
    // Each value outweighs all before it together, so that every division peels off the largest.
    const values = Array.from({ length: 60 }, (_, i) => 3 ** i);
    const tree = growCartTree(tableOf([continuous(values), continuous(values)], 1), 0, [1], { minimumLeaf: 1, complexity: 0 });
    expect(Math.max(...nodesOf(tree).map(({ depth }) => depth))).toBe(30);
    expect(leavesOf(tree)).toHaveLength(31);
  });

  it.each(['continuous', 'categorical'] as const)('takes 100,000 records, for a %s response', (type) => {
    const table = mixedTable(100_000, type);
    const tree = growCartTree(table, 0, ALL, { minimumLeaf: 5, complexity: 1e-8 });
    const leaves = leavesOf(tree);
    expect(leaves.length).toBeGreaterThan(5000);
    expect(Math.min(...leaves.map(({ from, to }) => to - from))).toBeGreaterThanOrEqual(5);
    expect(leaves.map(({ from }) => from)).toEqual([0, ...leaves.slice(0, -1).map(({ to }) => to)]);
  });
});
