import { ClassDivision } from '../../model/cart/class-division.ts';
import { type NodeMeasure, negligibleGain } from '../../model/cart/criterion.ts';
import { type Cut, equalCuts, LEFT, mirrored, RIGHT, sideOf } from '../../model/cart/cut.ts';
import { type GrowthSettings, isPruned, mayDivide } from '../../model/cart/growth.ts';
import { sortRecords } from '../../model/cart/sort-records.ts';
import { CellTables, CutFinder } from './cut-finder.ts';
import { type GrownNode, sumOfLikelihoods } from './grown-node.ts';
import { changedCounts, DonorShares } from './leaf-likelihood.ts';
import { type NodeSource, TreeNode } from './tree-node.ts';
import type { TreePlace } from './tree-variables.ts';

/** Numbers of 4 bytes that nodes of all trees may take to be remembered before they are forgotten: 256 MB. */
export const MOST_REMEMBERED = 67_108_864;

/** Bytes of each of these numbers. */
export const REMEMBERED_BYTES = 4;

/** A node before it is divided, with the best division; null where it has none, or too few records. */
export type Look = NodeMeasure & { readonly cut: Cut | null };

/**
 * The tree of one synthesized variable grown on the table with one record changed, left out or added: leaf for leaf the
 * tree that `growCartTree` grows on such a table, with what was released from each leaf.
 *
 * A change touches only the nodes that hold the record, before or after, in which the best division is looked for anew.
 * Where it is another, the nodes below are those of the unchanged records on its sides, grown once for all changes that
 * lead there. Pruning weighs a node by the risk of the root, which one record changes by 1 at most: every node is pruned
 * for each of these three costs of a leaf when it is needed.
 */
export class TreeGrowth {
  readonly #source: NodeSource;
  readonly #settings: GrowthSettings;
  readonly #division: ClassDivision;
  readonly #finder: CutFinder;
  readonly #shares: DonorShares;
  #root: TreeNode;
  readonly #rootRisk: number;
  /** What a leaf costs, in units of risk, in the tree that is being grown, and the place of that cost among three. */
  #leafCost = 0;
  #cost = 0;
  #remembered = 0;

  readonly #mostRemembered: number;

  /** @param mostRemembered numbers that nodes may take; what is forgotten is grown again, the same */
  constructor(source: NodeSource, settings: GrowthSettings, mostRemembered: number) {
    this.#mostRemembered = mostRemembered;
    this.#source = source;
    this.#settings = settings;
    this.#division = new ClassDivision(source.classes);
    this.#finder = new CutFinder(source, this.#division, new CellTables(source), settings.minimumLeaf);
    this.#root = plantTree(source);
    const records = this.#root.counts.reduce((sum, count) => sum + count, 0);
    this.#shares = new DonorShares(records + 1);
    this.#rootRisk = this.#division.enter(this.#root.counts).risk;
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
    }
    const { risk } = this.#division.enter(changedCounts(this.#root.counts, removed, added));
    this.#leafCost = this.#settings.complexity * risk;
    this.#cost = risk - this.#rootRisk + 1;
    return this.#grow(this.#root, removed, added);
  }

  /** What a node of the table as it is comes to, and the division that gains most. */
  look(node: TreeNode): Look {
    const measure = this.#division.enter(node.counts);
    const records = node.counts.reduce((sum, count) => sum + count, 0);
    return {
      ...measure,
      cut: mayDivide(records, node.depth, this.#settings) ? this.#bestCut(node, node.counts, measure, null, null) : null,
    };
  }

  #grow(node: TreeNode, removed: TreePlace | null, added: TreePlace | null): GrownNode {
    if (removed !== null || added !== null) return this.#growChanged(node, removed, added);
    let grown = node.grown[this.#cost];
    if (grown === undefined) {
      const anew = this.#growChanged(node, null, null);
      // One node stands for all costs that prune alike what is below.
      grown = node.grown.find((other) => other !== undefined && hasSameChildren(other, anew)) ?? anew;
      node.grown[this.#cost] = grown;
    }
    return grown;
  }

  #growChanged(node: TreeNode, removed: TreePlace | null, added: TreePlace | null): GrownNode {
    const counts = changedCounts(node.counts, removed, added);
    const measure = this.#division.enter(counts);
    const records = counts.reduce((sum, count) => sum + count, 0);
    const leaf = () => this.#leaf(node, counts, records, measure);
    // A node whose risk is not worth a leaf would lose all leaves below it again.
    if (measure.risk <= this.#leafCost || !mayDivide(records, node.depth, this.#settings)) return leaf();
    const cut = this.#bestCut(node, counts, measure, removed, added);
    if (cut === null) return leaf();

    const children = node.divideBy(cut, (child) => {
      const most = child.counts.reduce((sum, count) => sum + count, 0) + 1;
      if (!mayDivide(most, child.depth, this.#settings)) child.close();
      this.#remembered += child.size;
    });
    const at = this.#source.predictors.findIndex(({ variable }) => variable === cut.variable);
    const on = (side: number, place: TreePlace | null) => (place !== null && sideOf(cut, place.predictors[at]!) === side ? place : null);
    const left = this.#grow(children.left, on(LEFT, removed), on(LEFT, added));
    const right = this.#grow(children.right, on(RIGHT, removed), on(RIGHT, added));
    const risk = left.risk + right.risk;
    const splits = left.splits + right.splits + 1;
    if (isPruned(measure.risk - risk, splits, this.#leafCost)) return leaf();
    const { resting } = children;
    const nodeLikelihood = this.#shares.likelihood(resting, counts, records);
    const { logLikelihood, impossible, separate } = sumOfLikelihoods([nodeLikelihood, left, right]);
    return { counts, records, resting, risk, splits, split: { cut, left, right }, logLikelihood, impossible, separate };
  }

  #leaf(node: TreeNode, counts: Float64Array, records: number, { risk }: NodeMeasure): GrownNode {
    const resting = node.released.present.length === 0 ? null : node.released;
    const { logLikelihood, impossible, separate } = this.#shares.likelihood(resting, counts, records);
    return { counts, records, resting, risk, splits: 0, split: null, logLikelihood, impossible, separate };
  }

  #bestCut(node: TreeNode, counts: Float64Array, measure: NodeMeasure, removed: TreePlace | null, added: TreePlace | null): Cut | null {
    const least = negligibleGain(measure);
    if (removed === null && added === null) {
      if (node.cut === undefined) node.cut = this.#finder.find(node, counts, least, null, null);
      return node.cut;
    }
    return this.#finder.find(node, counts, least, removed, added);
  }
}

/** True if two trees of one node, unchanged, are leaves or have the same nodes below. */
const hasSameChildren = (a: GrownNode, b: GrownNode): boolean => a.split?.left === b.split?.left && a.split?.right === b.split?.right;

/** All records of a table and all released rows, in one node; the records in the order of a continuous response. */
export function plantTree(source: NodeSource): TreeNode {
  const { records, released, predictors } = source;
  const counted = Uint32Array.from({ length: records.count }, (_, unit) => unit);
  const units = records.values ? sortRecords(records.values, counted) : counted;
  const orders = new Map<number, Uint32Array>();
  for (const [p, { categories }] of predictors.entries()) {
    if (categories === 0) orders.set(p, sortRecords(records.predictors[p]!, units));
  }
  return new TreeNode(
    source,
    0,
    units,
    Uint32Array.from({ length: released.count }, (_, row) => row),
    orders,
  );
}

/** True if two trees divide the records of their tables in the same way, absent categories included. */
export function sameDivisions(a: GrownNode, b: GrownNode): boolean {
  if (a === b) return true;
  if (a.split === null || b.split === null) return a.split === b.split;
  const { cut, left, right } = a.split;
  if (equalCuts(cut, b.split.cut)) return sameDivisions(left, b.split.left) && sameDivisions(right, b.split.right);
  const mirror = mirrored(cut);
  return mirror !== null && equalCuts(mirror, b.split.cut) && sameDivisions(left, b.split.right) && sameDivisions(right, b.split.left);
}
