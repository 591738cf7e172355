import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mixedTable } from '../../../bench/tables/mixed-table.ts';
import { ABSENT, LEFT } from '../../../shared/model/cart/cut.ts';
import { type CartSettings, fitCart, synthesizeByCart } from '../../../shared/model/cart/synthesis.ts';
import type { CartNode, CartTree } from '../../../shared/model/cart/tree.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { normal } from '../../../shared/random/ziggurat.ts';
import type { Column, Table } from '../../../shared/table/table.ts';
import { categorical, continuous, leavesOf, restingNodes, smallTables, tableOf } from './cart-tables.ts';

const DEFAULTS = { minimumLeaf: 5, complexity: 1e-8, smoothing: false };

function elements(column: Column): ArrayLike<number> {
  return column.type === 'continuous' ? column.values : column.codes;
}

/** The columns of a table with those of a dataset in the places of the synthesized ones. */
function withSynthesized(table: Table, settings: CartSettings, dataset: readonly Column[]): Column[] {
  return table.columns.map((column, v) => dataset[settings.synthesized.indexOf(v)] ?? column);
}

/** The node where one record comes to rest, by going down from the root. */
function walkDown({ root }: CartTree, columns: readonly Column[], record: number): CartNode {
  let node = root;
  while (node.split !== null) {
    const { cut, left, right } = node.split;
    const value = elements(columns[cut.variable]!)[record]!;
    const side = cut.type === 'threshold' ? (value < cut.threshold ? LEFT : 1) : cut.sides[value]!;
    if (side === ABSENT) return node;
    node = side === LEFT ? left : right;
  }
  return node;
}

describe('fitCart()', () => {
  it.each(['continuous', 'categorical'] as const)(
    'gives each record the value of a donor where its own values lead, for a %s response',
    (type) => {
      fc.assert(
        fc.property(smallTables(type), fc.integer({ min: 1, max: 3 }), (table, minimumLeaf) => {
          const settings = { ...DEFAULTS, synthesized: [3, 0, 2], minimumLeaf };
          const model = fitCart(table, settings);
          const dataset = model.synthesize(new RandomStream(91, 'donors'));
          const columns = withSynthesized(table, settings, dataset);
          model.trees.forEach((tree, j) => {
            for (let record = 0; record < table.records; record++) {
              const { from, to } = walkDown(tree, columns, record);
              const donors = Array.from(elements(tree.donors)).slice(from, to);
              expect(donors).toContain(elements(dataset[j]!)[record]);
            }
          });
        }),
        { seed: 92, numRuns: 100 },
      );
    },
  );

  it('grows trees on what is kept and what was visited before, and on observed values', () => {
    const table = mixedTable(500, 'categorical');
    const model = fitCart(table, { ...DEFAULTS, synthesized: [3, 0] });
    const predictorsOf = (tree: CartTree) => {
      const used = new Set<number>();
      const walk = (node: CartNode) => {
        if (node.split === null) return;
        used.add(node.split.cut.variable);
        walk(node.split.left);
        walk(node.split.right);
      };
      walk(tree.root);
      return [...used].sort();
    };
    expect(predictorsOf(model.trees[0]!)).toEqual([1, 2, 4]);
    expect(predictorsOf(model.trees[1]!)).toEqual([1, 2, 3, 4]);
    // Dropped by their observed values, records come to rest with their observed values among the donors.
    const resting = restingNodes(model.trees[1]!, table);
    const { donors } = model.trees[1]!;
    for (const leaf of leavesOf(model.trees[1]!)) {
      const own = resting.flatMap((node, record) => (node === leaf ? [elements(table.columns[0]!)[record]!] : []));
      expect(own.sort()).toEqual(Array.from(elements(donors)).slice(leaf.from, leaf.to).sort());
    }
  });

  it('uses none but the variables visited before without kept predictors', () => {
    const table = mixedTable(500, 'continuous');
    const model = fitCart(table, { ...DEFAULTS, synthesized: [1, 0], predictors: 'none' });
    expect(leavesOf(model.trees[0]!)).toHaveLength(1);
    expect(model.trees[1]!.root.split?.cut.variable).toBe(1);
    const alone = tableOf([table.columns[0]!, table.columns[1]!], 1);
    expect(model.trees[1]).toEqual(fitCart(alone, { ...DEFAULTS, synthesized: [0] }).trees[0]);
  });

  it('leaves a record with the donors of the whole node where nobody has its category', () => {
    const table = tableOf([continuous([1, 2, 3, 11, 12, 13]), categorical([0, 0, 0, 2, 2, 2])], 4);
    const tree = fitCart(table, { ...DEFAULTS, synthesized: [0], minimumLeaf: 1 }).trees[0]!;
    const elsewhere = [table.columns[0]!, categorical([1, 0, 2, 3, 1, 2])];
    expect(restingNodes(tree, table, elsewhere)).toEqual([0, 1, 2, 3, 4, 5].map((i) => walkDown(tree, elsewhere, i)));
    expect(restingNodes(tree, table, elsewhere)[0]).toBe(tree.root);
    expect(() => restingNodes(tree, table, [table.columns[0]!, table.columns[0]!])).toThrow(RangeError);
  });

  it('draws every donor of a leaf equally often', () => {
    const table = tableOf([continuous([1, 2, 3, 4, 5])], 1);
    const model = fitCart(table, { ...DEFAULTS, synthesized: [0] });
    const random = new RandomStream(93, 'bootstrap');
    const counts = new Float64Array(6);
    for (let i = 0; i < 4000; i++) {
      for (const value of Array.from(elements(model.synthesize(random)[0]!))) counts[value]!++;
    }
    for (let value = 1; value <= 5; value++) {
      expect(Math.abs(counts[value]! - 4000) / Math.sqrt(20_000 * 0.2 * 0.8)).toBeLessThan(4);
    }
  });

  it('gives the same dataset for the same stream, another for another, and leaves the table as it is', () => {
    const table = mixedTable(300, 'categorical');
    const before = structuredClone(table);
    const settings = { ...DEFAULTS, synthesized: [0, 1] };
    const model = fitCart(table, settings);
    const first = model.synthesize(new RandomStream(94, 'a'));
    expect(synthesizeByCart(table, settings, new RandomStream(94, 'a'))).toEqual(first);
    expect(model.synthesize(new RandomStream(94, 'b'))).not.toEqual(first);
    expect(table).toEqual(before);
  });

  it('recovers the conditional distributions of a categorical and of a continuous variable', () => {
    // A depends on x at 0.3 and on k; B on A alone: N(2, 1), N(0, 0.25) and N(-3, 4).
    const n = 40_000;
    const random = new RandomStream(95, 'recover');
    const x = Float64Array.from({ length: n }, () => random.uniform());
    const k = Uint8Array.from({ length: n }, () => random.below(3));
    const chances = (i: number) => (x[i]! < 0.3 ? [0.6, 0.3, 0.1] : k[i] === 1 ? [0.1, 0.1, 0.8] : [0.2, 0.5, 0.3]);
    const drawA = (i: number) => {
      const u = random.uniform();
      const [first, second] = chances(i);
      return u < first! ? 0 : u < first! + second! ? 1 : 2;
    };
    const a = Uint8Array.from({ length: n }, (_, i) => drawA(i));
    const means = [2, 0, -3];
    const deviations = [1, 0.5, 2];
    const b = Float64Array.from(a, (one) => means[one]! + deviations[one]! * normal(random));
    const table = tableOf([categorical(k), continuous(x), categorical(a), continuous(b)], 3);
    const settings = { ...DEFAULTS, synthesized: [2, 3], complexity: 0.002 };
    const [codes, values] = synthesizeByCart(table, settings, new RandomStream(95, 'dataset')).map(elements);
    // The table varies about the truth, and the dataset about the table: hence two variances.
    for (const isHere of [
      (i: number) => x[i]! < 0.3,
      (i: number) => x[i]! >= 0.3 && k[i] === 1,
      (i: number) => x[i]! >= 0.3 && k[i] !== 1,
    ]) {
      const here = Array.from(x.keys()).filter(isHere);
      const expected = chances(here[0]!);
      for (let category = 0; category < 3; category++) {
        const p = expected[category]!;
        const share = here.filter((i) => codes![i] === category).length / here.length;
        expect(Math.abs(share - p) / Math.sqrt((2 * p * (1 - p)) / here.length)).toBeLessThan(4);
      }
    }
    for (let category = 0; category < 3; category++) {
      const own = Array.from(values!).filter((_, i) => codes![i] === category);
      const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
      const variance = own.reduce((sum, value) => sum + (value - mean) ** 2, 0) / own.length;
      const truth = deviations[category]! ** 2;
      expect(Math.abs(mean - means[category]!) / Math.sqrt((2 * truth) / own.length)).toBeLessThan(4);
      expect(Math.abs(variance / truth - 1) / Math.sqrt(4 / own.length)).toBeLessThan(4);
    }
  });

  it('refuses what cannot be synthesized so', () => {
    const table = mixedTable(20, 'continuous');
    const fitted = (settings: Partial<CartSettings>) => () => fitCart(table, { ...DEFAULTS, synthesized: [0], ...settings });
    expect(fitted({ synthesized: [] })).toThrow(RangeError);
    expect(fitted({ synthesized: [0, 5] })).toThrow('the table has no variable 5');
    expect(fitted({ synthesized: [-1] })).toThrow(RangeError);
    expect(fitted({ synthesized: [2, 0, 2] })).toThrow('more than once');
    for (const minimumLeaf of [0, 2.5, Number.NaN]) expect(fitted({ minimumLeaf })).toThrow('minimum leaf');
    for (const complexity of [-1, Number.NaN, Infinity]) expect(fitted({ complexity })).toThrow('complexity');
    expect(() => fitCart(tableOf([continuous([])], 1), { ...DEFAULTS, synthesized: [0] })).toThrow('without records');
  });
});
