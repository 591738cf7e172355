import type { CategoryDivision } from '../../model/cart/category-groups.ts';
import { divideOrdered, exceedsGain } from '../../model/cart/criterion.ts';
import { bestCut, type Cut, type ThresholdDivision } from '../../model/cart/cut.ts';
import { halfway } from '../../model/cart/growth.ts';
import type { NodeSource, TreeNode } from './tree-node.ts';
import type { TreePlace } from './tree-variables.ts';

const NONE = -1;

/** The values of a node's records, as changed. */
export interface ValueMeasure {
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
export class RegressionCuts {
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
    return bestCut(this.#source.predictors, least, ({ categories }, p, gain) =>
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
