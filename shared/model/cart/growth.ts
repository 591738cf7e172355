import type { Column, Table } from '../../table/table.ts';
import { CategoryGroups } from './category-groups.ts';
import { Gini } from './class-division.ts';
import { exceedsGain, LeastSquares, type NodeMeasure, negligibleGain, type SplitCriterion } from './criterion.ts';
import { bestCut, type Cut, LEFT, type ThresholdDivision, type TreePredictor } from './cut.ts';
import { sortRecords } from './sort-records.ts';
import { type CartNode, type CartTree, RecordDivider } from './tree.ts';

/** Leaves are at most so many splits below the root, as in rpart: growth then takes n log n time. */
const MAX_DEPTH = 30;

/** Nodes with fewer records than so many minimum leaves are leaves unless a setting says otherwise, as in rpart. */
const LEAVES_TO_SPLIT = 3;

/** When a tree stops to grow, and how it is pruned. */
export interface GrowthSettings {
  /** Least number of records in a leaf, at least 1. */
  readonly minimumLeaf: number;
  /** Least number of records in a node that is divided; by default 3 `minimumLeaf`. */
  readonly minimumSplit?: number;
  /** What a leaf costs, as a share of the root's risk. Below 0 nothing is pruned, as in rpart. */
  readonly complexity: number;
}

/** True if a node with so many records, so many splits below the root, is divided where that gains anything. */
export function mayDivide(records: number, depth: number, { minimumLeaf, minimumSplit }: GrowthSettings): boolean {
  return depth < MAX_DEPTH && records >= (minimumSplit ?? LEAVES_TO_SPLIT * minimumLeaf);
}

/** True if a node loses the divisions below it, which reduce its risk by so much, because they are not worth their leaves. */
export function isPruned(reduction: number, splits: number, leafCost: number): boolean {
  return reduction <= leafCost * splits;
}

/** A node with all below it, pruned; the risk is that of its leaves. */
type Subtree = { node: CartNode; risk: number; splits: number };

/**
 * Grows and prunes the tree of a response (Breiman et al. 1984).
 *
 * A node is divided where the criterion gains most: {@link LeastSquares} for a continuous response, {@link Gini} for a
 * categorical one; of equal divisions by the first predictor, at the lowest threshold, halfway between neighbouring
 * values. A node is a leaf if it has fewer than `minimumSplit` records, is 30 splits below the root, or no division
 * leaves `minimumLeaf` records on either side and gains anything. The tree is pruned to the smallest one that minimises
 * risk + `complexity` x risk of the root x number of leaves (section 3.3). The order of records makes no difference.
 *
 * @param predictors indices of the variables that may divide it; without any the tree is one leaf
 */
export function growCartTree(table: Table, response: number, predictors: readonly number[], settings: GrowthSettings): CartTree {
  return new Grower(table, response, predictors, settings).grow();
}

class Grower {
  readonly #predictors: readonly TreePredictor[];
  readonly #settings: GrowthSettings;
  readonly #columns: readonly Column[];
  readonly #donated: Column;
  readonly #criterion: SplitCriterion;
  readonly #groups: CategoryGroups;
  /** All records, node after node, in the order of the response inside a leaf. */
  readonly #order: Uint32Array;
  /** The same in the order of each continuous predictor. */
  readonly #orders = new Map<number, Uint32Array>();
  readonly #divider: RecordDivider;
  #leafCost = 0;

  constructor({ schema, records, columns }: Table, response: number, predictors: readonly number[], settings: GrowthSettings) {
    this.#predictors = predictors.map((variable) => ({ variable, categories: categoriesOf(schema, variable) }));
    this.#settings = settings;
    this.#columns = columns;
    this.#donated = columns[response]!;
    const fileOrder = Uint32Array.from({ length: records }, (_, record) => record);
    if (this.#donated.type === 'continuous') {
      this.#order = sortRecords(this.#donated.values, fileOrder);
      this.#criterion = new LeastSquares(this.#donated.values, this.#order);
    } else {
      this.#order = sortRecords(this.#donated.codes, fileOrder);
      this.#criterion = new Gini(this.#donated.codes, categoriesOf(schema, response));
    }
    for (const variable of predictors) {
      const column = columns[variable]!;
      // Ties in the order of the response make the order of sums the same whatever that of the records.
      if (column.type === 'continuous') this.#orders.set(variable, sortRecords(column.values, this.#order));
    }
    this.#groups = new CategoryGroups(records, Math.max(0, ...this.#predictors.map(({ categories }) => categories)));
    this.#divider = new RecordDivider(records);
  }

  grow(): CartTree {
    const records = this.#order.length;
    this.#leafCost = this.#settings.complexity * this.#criterion.enter(this.#order, 0, records).risk;
    const { node } = this.#growNode(0, records, 0);
    const donated = this.#donated;
    const order = this.#order;
    // Codes stay as wide as they are, which a stored tree depends on.
    const donors: Column =
      donated.type === 'continuous'
        ? { type: 'continuous', values: donated.values.map((_, i) => donated.values[order[i]!]!) }
        : { type: 'categorical', codes: donated.codes.map((_, i) => donated.codes[order[i]!]!) };
    return { root: node, donors };
  }

  #growNode(from: number, to: number, depth: number): Subtree {
    const measure = this.#criterion.enter(this.#order, from, to);
    const leaf: Subtree = { node: { from, to, split: null }, risk: measure.risk, splits: 0 };
    // A node whose risk is not worth a leaf would lose all leaves below it again.
    if (measure.risk <= this.#leafCost || !mayDivide(to - from, depth, this.#settings)) return leaf;
    const cut = this.#bestCut(from, to, measure);
    if (cut === null) return leaf;

    this.#divider.takeSides(cut, this.#columns[cut.variable]!, this.#order, from, to);
    const middle = this.#divider.bringForward(LEFT, this.#order, from, to);
    for (const order of this.#orders.values()) this.#divider.bringForward(LEFT, order, from, to);
    const left = this.#growNode(from, middle, depth + 1);
    const right = this.#growNode(middle, to, depth + 1);
    const risk = left.risk + right.risk;
    const splits = left.splits + right.splits + 1;
    if (isPruned(measure.risk - risk, splits, this.#leafCost)) return leaf;
    return { node: { from, to, split: { cut, left: left.node, right: right.node } }, risk, splits };
  }

  #bestCut(from: number, to: number, measure: NodeMeasure): Cut | null {
    return bestCut(this.#predictors, { cut: null, gain: negligibleGain(measure) }, ({ variable }, _, least) => {
      const column = this.#columns[variable]!;
      if (column.type === 'continuous') return this.#divideSorted(column.values, this.#orders.get(variable)!, from, to, least);
      this.#groups.group(column.codes, this.#order, from, to);
      return this.#criterion.divideGroups(this.#groups, this.#settings.minimumLeaf, least);
    });
  }

  /** The best threshold of the node's records in the order of a continuous predictor, if one gains more than `least`. */
  #divideSorted(values: Float64Array, order: Uint32Array, from: number, to: number, least: number): ThresholdDivision | null {
    const criterion = this.#criterion;
    const { minimumLeaf } = this.#settings;
    if (values[order[from]!]! === values[order[to - 1]!]!) return null;
    let gain = least;
    let threshold: number | null = null;
    criterion.restart();
    let next = values[order[from]!]!;
    for (let i = from; i < to - minimumLeaf; i++) {
      const value = next;
      next = values[order[i + 1]!]!;
      criterion.moveLeft(order[i]!);
      if (value === next || i + 1 - from < minimumLeaf) continue;
      const cutGain = criterion.gain(i + 1 - from, to - i - 1);
      if (exceedsGain(cutGain, gain)) {
        gain = cutGain;
        threshold = halfway(value, next);
      }
    }
    return threshold === null ? null : { gain, threshold };
  }
}

/** Categories of a variable; 0 of a continuous one. */
export function categoriesOf({ variables }: Table['schema'], variable: number): number {
  const described = variables[variable]!;
  return described.type === 'categorical' ? described.categories.length : 0;
}

/** Where two neighbouring values are divided: a number above `low` and not above `high`, halfway unless these are neighbours. */
export function halfway(low: number, high: number): number {
  const middle = low / 2 + high / 2;
  return middle > low ? middle : high;
}
