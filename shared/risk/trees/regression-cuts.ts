import { exceedsGain } from '../../model/cart/criterion.ts';
import { ABSENT, type Cut, LEFT, RIGHT } from '../../model/cart/cut.ts';
import { halfway } from '../../model/cart/growth.ts';
import { divideOrdered } from '../../model/cart/ordered-division.ts';
import type { NodeSource, TreeNode } from './tree-node.ts';
import type { TreePlace } from './tree-variables.ts';

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
  }

  /** Number, mean and squares of the values of a node without one record and with another. */
  measure({ units }: TreeNode, removed: TreePlace | null, added: TreePlace | null): ValueMeasure {
    const more = added === null ? null : added.value! - this.#centre;
    let records = more === null ? 0 : 1;
    let sum = more ?? 0;
    let [least, most] = more === null ? [Infinity, -Infinity] : [more, more];
    for (const unit of units) {
      const weight = this.#weight(unit, removed);
      if (weight === 0) continue;
      const value = this.#centred[unit]!;
      records += weight;
      sum += weight * value;
      if (value < least) least = value;
      if (value > most) most = value;
    }
    // No rounding is left of the squares of a node of one value.
    if (records === 0 || least === most) return { records, mean: least, risk: 0 };
    const mean = sum / records;
    let risk = more === null ? 0 : (more - mean) * (more - mean);
    for (const unit of units) {
      const deviation = this.#centred[unit]! - mean;
      risk += this.#weight(unit, removed) * deviation * deviation;
    }
    return { records, mean, risk };
  }

  /** The division that gains most, if any gains more than `least`. */
  find(
    node: TreeNode,
    measure: ValueMeasure,
    least: number,
    removed: TreePlace | null,
    added: TreePlace | null,
  ): Cut | null {
    let cut: Cut | null = null;
    let gain = least;
    for (const [p, { variable, categories }] of this.#source.predictors.entries()) {
      if (categories === 0) {
        const found = this.#divideOrdered(node.orders.get(p)!, p, measure, gain, removed, added);
        if (found === null) continue;
        gain = found.gain;
        cut = { type: 'threshold', variable, threshold: found.threshold };
      } else {
        const found = this.#divideCategories(node, p, measure, gain, removed, added);
        if (found === null) continue;
        gain = found.gain;
        const sides = new Uint8Array(categories).fill(ABSENT);
        for (const category of found.left) sides[category] = LEFT;
        for (const category of found.right) sides[category] = RIGHT;
        cut = { type: 'categories', variable, sides };
      }
    }
    return cut;
  }

  #weight(unit: number, removed: TreePlace | null): number {
    return this.#source.records.weights[unit]! - (removed !== null && removed.unit === unit ? 1 : 0);
  }

  #divideOrdered(
    order: Uint32Array,
    p: number,
    { records, mean }: ValueMeasure,
    least: number,
    removed: TreePlace | null,
    added: TreePlace | null,
  ): { gain: number; threshold: number } | null {
    const values = this.#source.records.predictors[p]!;
    let gain = least;
    let threshold: number | null = null;
    let left = 0;
    let sum = 0;
    let last = 0;
    const move = (value: number, weight: number, deviation: number) => {
      const right = records - left;
      if (left > 0 && value !== last && left >= this.#minimumLeaf && right >= this.#minimumLeaf) {
        const found = ((sum * sum) / left / right) * records;
        if (exceedsGain(found, gain)) {
          gain = found;
          threshold = halfway(last, value);
        }
      }
      last = value;
      left += weight;
      sum += weight * deviation;
    };
    let waiting = added;
    const moveAdded = (own: TreePlace) => {
      move(own.predictors[p]!, 1, own.value! - this.#centre - mean);
      waiting = null;
    };
    for (const unit of order) {
      const weight = this.#weight(unit, removed);
      if (weight === 0) continue;
      const value = values[unit]!;
      if (waiting !== null && waiting.predictors[p]! < value) moveAdded(waiting);
      move(value, weight, this.#centred[unit]! - mean);
    }
    if (waiting !== null) moveAdded(waiting);
    return threshold === null ? null : { gain, threshold };
  }

  /** In the order of their means, the best division is one into a beginning and an end (Fisher 1958). */
  #divideCategories(
    { units }: TreeNode,
    p: number,
    { mean }: ValueMeasure,
    least: number,
    removed: TreePlace | null,
    added: TreePlace | null,
  ) {
    const codes = this.#source.records.predictors[p]!;
    const { categories } = this.#source.predictors[p]!;
    const sizes = new Float64Array(categories);
    const sums = new Float64Array(categories);
    for (const unit of units) {
      const weight = this.#weight(unit, removed);
      sizes[codes[unit]!]! += weight;
      sums[codes[unit]!]! += weight * (this.#centred[unit]! - mean);
    }
    if (added !== null) {
      sizes[added.predictors[p]!]! += 1;
      sums[added.predictors[p]!]! += added.value! - this.#centre - mean;
    }
    const order = [...sizes.keys()]
      .filter((category) => sizes[category]! > 0)
      .sort((a, b) => sums[a]! / sizes[a]! - sums[b]! / sizes[b]! || a - b);
    let left = 0;
    const parts = {
      size: (category: number) => sizes[category]!,
      moveLeft: (category: number) => {
        left += sums[category]!;
      },
      gain: (onLeft: number, onRight: number) => ((left * left) / onLeft / onRight) * (onLeft + onRight),
    };
    return divideOrdered(parts, order, this.#minimumLeaf, least);
  }
}
