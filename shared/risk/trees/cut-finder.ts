import type { ClassDivision } from '../../model/cart/class-division.ts';
import { exceedsGain } from '../../model/cart/criterion.ts';
import { bestCut, type Cut, type ThresholdDivision } from '../../model/cart/cut.ts';
import { halfway } from '../../model/cart/growth.ts';
import type { CellTables } from './cell-tables.ts';
import type { CountedRows } from './counted-rows.ts';
import type { NodeSource, TreeNode } from './tree-node.ts';
import type { TreePlace } from './tree-variables.ts';

/** The best divisions of nodes whose records were changed: the same as growing a tree finds, by the same program. */
export class CutFinder {
  readonly #source: NodeSource;
  readonly #division: ClassDivision;
  readonly #minimumLeaf: number;
  readonly #tables: CellTables;
  readonly #ordered: OrderedCells;

  /** @param division has entered the node that is divided, as changed */
  constructor(source: NodeSource, division: ClassDivision, tables: CellTables, minimumLeaf: number) {
    this.#source = source;
    this.#division = division;
    this.#tables = tables;
    this.#minimumLeaf = minimumLeaf;
    this.#ordered = new OrderedCells(source.records);
  }

  /** The division that gains most, if any gains more than `least`, without one record and with another; counts by class are as changed. */
  find(node: TreeNode, counts: Float64Array, least: number, removed: TreePlace | null, added: TreePlace | null): Cut | null {
    this.#tables.open(node, counts, removed, added);
    const cut = bestCut(this.#source.predictors, least, ({ categories }, p, gain) => {
      if (categories > 0) return this.#division.divide(this.#tables.cellsOf(p), this.#minimumLeaf, gain);
      this.#ordered.open(node.orders.get(p)!, p, removed, added);
      return this.#divideOrdered(gain);
    });
    this.#tables.close();
    return cut;
  }

  /** The best threshold of the predictor that is open. */
  #divideOrdered(least: number): ThresholdDivision | null {
    const { values, sizes, starts, classes, weights, distinct } = this.#ordered;
    const minimumLeaf = this.#minimumLeaf;
    let gain = least;
    let threshold: number | null = null;
    let left = 0;
    let right = this.#ordered.records;
    this.#division.restart();
    for (let k = 0; k < distinct - 1; k++) {
      for (let i = starts[k]!; i < starts[k + 1]!; i++) this.#division.move(classes[i]!, weights[i]!);
      left += sizes[k]!;
      right -= sizes[k]!;
      if (right < minimumLeaf) break;
      if (left < minimumLeaf) continue;
      const cutGain = this.#division.gain(left, right);
      if (exceedsGain(cutGain, gain)) {
        gain = cutGain;
        threshold = halfway(values[k]!, values[k + 1]!);
      }
    }
    return threshold === null ? null : { gain, threshold };
  }
}

/**
 * The records of a node in ascending order of a continuous predictor, with a change of one: those of the k-th of
 * `distinct` values are at `starts[k]` to before `starts[k + 1]`, a class and a weight each, -1 for the record that is
 * left out.
 */
class OrderedCells {
  readonly values: Float64Array;
  /** Records of each value, at least 1. */
  readonly sizes: Float64Array;
  readonly starts: Uint32Array;
  readonly classes: Uint32Array;
  readonly weights: Float64Array;
  distinct = 0;
  records = 0;
  readonly #units: CountedRows;
  #filled = 0;

  constructor(units: CountedRows) {
    // A change brings two more.
    const most = units.count + 2;
    this.#units = units;
    this.values = new Float64Array(most);
    this.sizes = new Float64Array(most);
    this.starts = new Uint32Array(most + 1);
    this.classes = new Uint32Array(most);
    this.weights = new Float64Array(most);
  }

  /** Takes up the units of a node, in the order of the predictor at a place. */
  open(order: Uint32Array, predictor: number, removed: TreePlace | null, added: TreePlace | null): void {
    const values = this.#units.predictors[predictor]!;
    const changeOf = (place: TreePlace | null, weight: number) =>
      place === null ? [] : [{ value: place.predictors[predictor]!, response: place.response, weight }];
    const changes = [...changeOf(removed, -1), ...changeOf(added, 1)].sort((a, b) => a.value - b.value);
    this.distinct = 0;
    this.records = 0;
    this.#filled = 0;
    let next = 0;
    for (const unit of order) {
      const value = values[unit]!;
      for (; next < changes.length && changes[next]!.value < value; next++) this.#add(changes[next]!);
      this.#add({ value, response: this.#units.responses[unit]!, weight: this.#units.weights[unit]! });
    }
    for (; next < changes.length; next++) this.#add(changes[next]!);
    this.#dropEmpty();
  }

  #add({ value, response, weight }: { value: number; response: number; weight: number }): void {
    const last = this.distinct - 1;
    if (last < 0 || this.values[last] !== value) this.#startValue(value);
    this.classes[this.#filled] = response;
    this.weights[this.#filled] = weight;
    this.sizes[this.distinct - 1]! += weight;
    this.records += weight;
    this.starts[this.distinct] = ++this.#filled;
  }

  #startValue(value: number): void {
    this.#dropEmpty();
    this.values[this.distinct] = value;
    this.sizes[this.distinct] = 0;
    this.starts[this.distinct] = this.#filled;
    this.distinct++;
  }

  /** Forgets the last value if the record that had it is left out. */
  #dropEmpty(): void {
    if (this.distinct === 0 || this.sizes[this.distinct - 1] !== 0) return;
    this.distinct--;
    this.#filled = this.starts[this.distinct]!;
  }
}
