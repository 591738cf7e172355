import type { CategoryDivision } from '../../model/cart/category-groups.ts';
import { divideOrdered, exceedsGain, negligibleGain } from '../../model/cart/criterion.ts';
import { bestCut, type Cut, firstCut, LEFT, RIGHT, sideOf, type ThresholdDivision, type WeighedCut } from '../../model/cart/cut.ts';
import { type GrowthSettings, halfway, isPruned, mayDivide } from '../../model/cart/growth.ts';
import { type GrownNode, type LeafLikelihood, sumOfLikelihoods } from './grown-node.ts';
import { changedCounts } from './leaf-likelihood.ts';
import { type Look, plantTree } from './tree-growth.ts';
import type { NodeSource, TreeNode } from './tree-node.ts';
import type { ReleasedValues, TreePlace } from './tree-variables.ts';

const NONE = -1;

/** The values of a node's records, as changed. */
interface ValueMeasure {
  readonly records: number;
  /** Their mean, less the centre of the table. */
  readonly mean: number;
  /** Sum of squares about it; 0 where all values agree. */
  readonly risk: number;
}

/**
 * The best divisions of nodes of a continuous response whose records were changed, by the same rules as growing a tree has
 * them (`LeastSquares`). A unit is a distinct record, and units stand in the order of their values.
 */
class RegressionCuts {
  readonly #source: NodeSource;
  readonly #minimumLeaf: number;
  /** The response less its mean over the table, so that sums lose no digits to a large mean. */
  readonly #centred: Float64Array;
  readonly #centre: number;
  /** By unit of the node that was entered last, records and the sum of their deviations; and that of the record added. */
  readonly #weights: Float64Array;
  readonly #sums: Float64Array;
  #added = 0;
  readonly #sizes: Float64Array;
  readonly #totals: Float64Array;

  constructor(source: NodeSource, minimumLeaf: number) {
    const values = source.records.values!;
    const { weights } = source.records;
    const first = values[0]!;
    let [sum, records] = [0, 0];
    for (const [unit, value] of values.entries()) {
      sum += weights[unit]! * (value - first);
      records += weights[unit]!;
    }
    this.#source = source;
    this.#minimumLeaf = minimumLeaf;
    this.#centre = first + sum / records;
    this.#centred = values.map((value) => value - this.#centre);
    this.#weights = new Float64Array(values.length);
    this.#sums = new Float64Array(values.length);
    const categories = Math.max(0, ...source.predictors.map((predictor) => predictor.categories));
    this.#sizes = new Float64Array(categories);
    this.#totals = new Float64Array(categories);
  }

  /** Number, mean and squares of the values of a node without one record and with another. */
  measure({ units }: TreeNode, removed: TreePlace | null, added: TreePlace | null): ValueMeasure {
    const { weights } = this.#source.records;
    const centred = this.#centred;
    const left = removed?.unit ?? NONE;
    const more = added === null ? null : added.value! - this.#centre;
    let records = more === null ? 0 : 1;
    let sum = more ?? 0;
    let least = more ?? Infinity;
    let most = more ?? -Infinity;
    for (let i = 0; i < units.length; i++) {
      const unit = units[i]!;
      const weight = weights[unit]! - (unit === left ? 1 : 0);
      if (weight === 0) continue;
      const value = centred[unit]!;
      records += weight;
      sum += weight * value;
      if (value < least) least = value;
      if (value > most) most = value;
    }
    // No rounding is left of the squares of a node of one value.
    if (records === 0 || least === most) return { records, mean: least, risk: 0 };
    const mean = sum / records;
    let risk = more === null ? 0 : (more - mean) * (more - mean);
    for (let i = 0; i < units.length; i++) {
      const unit = units[i]!;
      const deviation = centred[unit]! - mean;
      risk += (weights[unit]! - (unit === left ? 1 : 0)) * deviation * deviation;
    }
    return { records, mean, risk };
  }

  find(node: TreeNode, measure: ValueMeasure, least: number, removed: TreePlace | null, added: TreePlace | null): Cut | null {
    this.#enter(node, measure, removed, added);
    const first = this.#weighPreferred(node, least, added);
    return bestCut(this.#source.predictors, first, ({ categories }, p, gain) =>
      categories === 0
        ? this.#divideOrdered(node.orders.get(p)!, p, measure.records, gain, added)
        : this.#divideCategories(node, p, gain, added),
    );
  }

  /** Takes up the records of a node, as changed: how many each unit stands for, and their deviations from the node's mean. */
  #enter({ units }: TreeNode, { mean }: ValueMeasure, removed: TreePlace | null, added: TreePlace | null): void {
    const { weights } = this.#source.records;
    const left = removed?.unit ?? NONE;
    for (let i = 0; i < units.length; i++) {
      const unit = units[i]!;
      const weight = weights[unit]! - (unit === left ? 1 : 0);
      this.#weights[unit] = weight;
      this.#sums[unit] = weight * (this.#centred[unit]! - mean);
    }
    this.#added = added === null ? 0 : added.value! - this.#centre - mean;
  }

  /** What the preferred division of the node, as changed, gains. */
  #weighPreferred({ preferred: cut, units }: TreeNode, least: number, added: TreePlace | null): WeighedCut {
    if (cut === undefined) return { cut: null, gain: least };
    const { predictors, records } = this.#source;
    const at = predictors.findIndex(({ variable }) => variable === cut.variable);
    const sizes: [number, number, number] = [0, 0, 0];
    let sum = 0;
    const put = (element: number, weight: number, deviation: number) => {
      const side = sideOf(cut, element);
      sizes[side]! += weight;
      if (side === LEFT) sum += deviation;
    };
    for (const unit of units) put(records.predictors[at]![unit]!, this.#weights[unit]!, this.#sums[unit]!);
    if (added !== null) put(added.predictors[at]!, 1, this.#added);
    const gain = (left: number, right: number) => ((sum * sum) / left / right) * (left + right);
    return firstCut(cut, sizes, gain, least, this.#minimumLeaf);
  }

  #divideOrdered(order: Uint32Array, p: number, records: number, least: number, added: TreePlace | null): ThresholdDivision | null {
    const values = this.#source.records.predictors[p]!;
    const weights = this.#weights;
    const sums = this.#sums;
    const minimumLeaf = this.#minimumLeaf;
    const addedAt = added === null ? Infinity : added.predictors[p]!;
    let isWaiting = added !== null;
    let gain = least;
    let threshold: number | null = null;
    let left = 0;
    let sum = 0;
    let last = 0;
    for (let i = 0; i < order.length || isWaiting; ) {
      let value = addedAt;
      let weight = 1;
      let deviation = this.#added;
      if (isWaiting && (i === order.length || addedAt < values[order[i]!]!)) isWaiting = false;
      else {
        const unit = order[i++]!;
        weight = weights[unit]!;
        if (weight === 0) continue;
        value = values[unit]!;
        deviation = sums[unit]!;
      }
      if (left >= minimumLeaf && value !== last) {
        const right = records - left;
        if (right < minimumLeaf) break;
        const cutGain = ((sum * sum) / left / right) * records;
        if (exceedsGain(cutGain, gain)) {
          gain = cutGain;
          threshold = halfway(last, value);
        }
      }
      last = value;
      left += weight;
      sum += deviation;
    }
    return threshold === null ? null : { gain, threshold };
  }

  /** In the order of their means, the best division is one into a beginning and an end (Fisher 1958). */
  #divideCategories({ units }: TreeNode, p: number, least: number, added: TreePlace | null): CategoryDivision | null {
    const codes = this.#source.records.predictors[p]!;
    const { categories } = this.#source.predictors[p]!;
    const sizes = this.#sizes.fill(0, 0, categories);
    const totals = this.#totals.fill(0, 0, categories);
    for (let i = 0; i < units.length; i++) {
      const unit = units[i]!;
      const category = codes[unit]!;
      sizes[category]! += this.#weights[unit]!;
      totals[category]! += this.#sums[unit]!;
    }
    if (added !== null) {
      sizes[added.predictors[p]!]! += 1;
      totals[added.predictors[p]!]! += this.#added;
    }
    const order: number[] = [];
    for (let category = 0; category < categories; category++) if (sizes[category]! > 0) order.push(category);
    if (order.length < 2) return null;
    order.sort((a, b) => totals[a]! / sizes[a]! - totals[b]! / sizes[b]! || a - b);
    let left = 0;
    const parts = {
      size: (category: number) => sizes[category]!,
      moveLeft: (category: number) => {
        left += totals[category]!;
      },
      gain: (onLeft: number, onRight: number) => ((left * left) / onLeft / onRight) * (onLeft + onRight),
    };
    return divideOrdered(parts, order, this.#minimumLeaf, least);
  }
}

/** What products and quotients of doubles may be off by, with much to spare. */
const ROUNDING = 1e-12;

const MOST_PRUNED = 32;

/** A node with all below it, pruned as it is for every cost of a leaf from `low` to `high`, both included. */
interface Pruned {
  readonly node: GrownNode;
  readonly low: number;
  readonly high: number;
}

interface Known {
  readonly measure: ValueMeasure;
  readonly cut: Cut | null;
  readonly pruned: Pruned[];
}

/**
 * `TreeGrowth` for a continuous response. What a leaf costs moves with the squares about the mean of the whole table, so
 * that it differs from change to change: an unchanged node remembers how it is pruned for a range of costs over which no
 * comparison in it changes.
 *
 * Sums of squares are no whole numbers. Divisions are those from nothing unless two gains, or a gain and a cost, are
 * equal to within rounding, where which comes first is as arbitrary there.
 */
export class RegressionGrowth {
  readonly #source: NodeSource;
  readonly #settings: GrowthSettings;
  readonly #cuts: RegressionCuts;
  readonly #likelihood: LeafLikelihood;
  readonly #mostRemembered: number;
  #root: TreeNode;
  #known = new WeakMap<TreeNode, Known>();
  #leafCost = 0;
  /** False where the change alters how values are released in every leaf. */
  #isLocal = true;
  #remembered = 0;

  /** @param mostRemembered numbers that nodes may take; what is forgotten is grown again, the same */
  constructor(source: NodeSource, settings: GrowthSettings, likelihood: LeafLikelihood, mostRemembered: number) {
    this.#source = source;
    this.#settings = settings;
    this.#cuts = new RegressionCuts(source, settings.minimumLeaf);
    this.#likelihood = likelihood;
    this.#mostRemembered = mostRemembered;
    this.#root = plantTree(source);
  }

  /**
   * The tree on the table without one record and with another; null for none.
   *
   * @param removed values of a record of the table
   */
  grow(removed: TreePlace | null, added: TreePlace | null): GrownNode {
    if (this.#remembered > this.#mostRemembered) {
      this.#remembered = 0;
      this.#root = plantTree(this.#source);
      this.#known = new WeakMap();
    }
    this.#isLocal = this.#likelihood.changeTable(removed, added);
    this.#leafCost = this.#settings.complexity * this.#cuts.measure(this.#root, removed, added).risk;
    return this.#grow(this.#root, removed, added).node;
  }

  /** What a node of the table as it is comes to, and the division that gains most. */
  look(node: TreeNode): Look {
    const measure = this.#cuts.measure(node, null, null);
    return { impurity: measure.risk, risk: measure.risk, cut: this.#bestCut(node, measure, null, null) };
  }

  #grow(node: TreeNode, removed: TreePlace | null, added: TreePlace | null): Pruned {
    if (removed !== null || added !== null) {
      const measure = this.#cuts.measure(node, removed, added);
      const cut = this.#bestCut(node, measure, removed, added);
      return this.#growNode(node, measure, cut, removed, added);
    }
    let known = this.#known.get(node);
    if (known === undefined) {
      const measure = this.#cuts.measure(node, null, null);
      known = { measure, cut: this.#bestCut(node, measure, null, null), pruned: [] };
      this.#known.set(node, known);
    }
    const cost = this.#leafCost;
    const remembered = this.#isLocal ? known.pruned.find(({ low, high }) => low <= cost && cost <= high) : undefined;
    if (remembered !== undefined) return remembered;
    const pruned = this.#growNode(node, known.measure, known.cut, null, null);
    if (this.#isLocal) {
      if (known.pruned.length === MOST_PRUNED) known.pruned.length = 0;
      known.pruned.push(pruned);
    }
    return pruned;
  }

  #growNode(node: TreeNode, measure: ValueMeasure, cut: Cut | null, removed: TreePlace | null, added: TreePlace | null): Pruned {
    const cost = this.#leafCost;
    // A node whose risk is not worth a leaf would lose all leaves below it again.
    const isWorthless = measure.risk <= cost;
    let low = isWorthless ? measure.risk : 0;
    // Below the risk, which is above the cost.
    let high = isWorthless ? Infinity : Math.max(cost, measure.risk * (1 - ROUNDING));
    if (cut === null || isWorthless) return { node: this.#leaf(node, measure, removed, added), low, high };

    const children = node.divideBy(cut, (child) => {
      this.#remembered += child.size;
    });
    const at = this.#source.predictors.findIndex(({ variable }) => variable === cut.variable);
    const on = (side: number, place: TreePlace | null) => (place !== null && sideOf(cut, place.predictors[at]!) === side ? place : null);
    const left = this.#grow(children.left, on(LEFT, removed), on(LEFT, added));
    const right = this.#grow(children.right, on(RIGHT, removed), on(RIGHT, added));
    const risk = left.node.risk + right.node.risk;
    const splits = left.node.splits + right.node.splits + 1;
    const reduction = measure.risk - risk;
    const pruned = isPruned(reduction, splits, cost);
    const worth = reduction / splits;
    low = Math.max(low, left.low, right.low, pruned ? Math.min(cost, worth * (1 + ROUNDING)) : 0);
    high = Math.min(high, left.high, right.high, pruned ? Infinity : Math.max(cost, worth * (1 - ROUNDING)));
    if (pruned) return { node: this.#leaf(node, measure, removed, added), low, high };
    const counts = changedCounts(node.counts, removed, added);
    const donors = { units: node.units, rows: children.restingRows };
    const nodeLikelihood = this.#likelihood.of(contentOf(node, children.resting, donors.rows), removed, added);
    const grown: GrownNode = {
      counts,
      records: measure.records,
      resting: children.resting,
      donors,
      risk,
      splits,
      split: { cut, left: left.node, right: right.node },
      ...sumOfLikelihoods([nodeLikelihood, left.node, right.node]),
    };
    return { node: grown, low, high };
  }

  #leaf(node: TreeNode, { records, risk }: ValueMeasure, removed: TreePlace | null, added: TreePlace | null): GrownNode {
    const counts = changedCounts(node.counts, removed, added);
    const resting = node.rows.length === 0 ? null : node.released;
    const donors = { units: node.units, rows: node.rows };
    const leafLikelihood = this.#likelihood.of(contentOf(node, resting, node.rows), removed, added);
    return { counts, records, resting, donors, split: null, risk, splits: 0, ...leafLikelihood };
  }

  #bestCut(node: TreeNode, measure: ValueMeasure, removed: TreePlace | null, added: TreePlace | null): Cut | null {
    // A node of one value has nothing to gain.
    if (measure.risk === 0 || !mayDivide(measure.records, node.depth, this.#settings)) return null;
    const least = negligibleGain({ impurity: measure.risk, risk: measure.risk });
    return this.#cuts.find(node, measure, least, removed, added);
  }
}

/** What a node of the table as it is gives to rows that rest there. */
function contentOf(node: TreeNode, resting: ReleasedValues | null, rows: Uint32Array) {
  const { counts, units } = node;
  const records = counts.reduce((sum, count) => sum + count, 0);
  return { counts, records, resting, donors: { units, rows } };
}
