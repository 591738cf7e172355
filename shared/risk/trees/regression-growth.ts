import { negligibleGain } from '../../model/cart/criterion.ts';
import { type Cut, LEFT, RIGHT, sideOf } from '../../model/cart/cut.ts';
import { type GrowthSettings, isPruned, mayDivide } from '../../model/cart/growth.ts';
import type { GrownNode } from './grown-node.ts';
import { type LeafLikelihood, sumOfLikelihoods } from './grown-node.ts';
import { changedCounts } from './leaf-likelihood.ts';
import { RegressionCuts, type ValueMeasure } from './regression-cuts.ts';
import { MOST_REMEMBERED, plantTree } from './tree-growth.ts';
import type { NodeSource, TreeNode } from './tree-node.ts';
import type { TreePlace } from './tree-variables.ts';

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
  constructor(source: NodeSource, settings: GrowthSettings, likelihood: LeafLikelihood, mostRemembered = MOST_REMEMBERED) {
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
function contentOf(node: TreeNode, resting: Float64Array | null, rows: Uint32Array) {
  const { counts, units } = node;
  const records = counts.reduce((sum, count) => sum + count, 0);
  return { counts, records, resting, donors: { units, rows } };
}
