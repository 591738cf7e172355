import type { ClassCells } from '../../model/cart/category-groups.ts';
import type { ClassDivision } from '../../model/cart/class-division.ts';
import { exceedsGain } from '../../model/cart/criterion.ts';
import { bestCut, type Cut, firstCut, LEFT, sideOf, type ThresholdDivision, type WeighedCut } from '../../model/cart/cut.ts';
import { halfway } from '../../model/cart/growth.ts';
import { keepsTables, type NodeSource, type TreeNode } from './tree-node.ts';
import type { CountedRows, TreePlace } from './tree-variables.ts';

/**
 * The records of a node by category of a predictor and class of the response, with a change of one. Nodes with more
 * distinct records than a table has cells keep their tables.
 */
export class CellTables {
  readonly #source: NodeSource;
  /** Where the table of each predictor begins; continuous ones have none. */
  readonly #offsets: number[] = [];
  readonly #size: number;
  /** All zero unless a node is open that does not keep its tables. */
  readonly #scratch: Uint32Array;
  #node: TreeNode | null = null;
  #open: Uint32Array;
  #removed: TreePlace | null = null;
  #added: TreePlace | null = null;
  /** Classes that records of the open node have, ascending. */
  readonly #present: Uint32Array;
  #presentCount = 0;
  /** Of the predictor that was asked for last. */
  readonly #cells: { -readonly [Name in keyof ClassCells]: Name extends 'present' ? Uint32Array : ClassCells[Name] };

  constructor(source: NodeSource) {
    this.#source = source;
    let size = 0;
    for (const { categories } of source.predictors) {
      this.#offsets.push(size);
      size += categories * source.classes;
    }
    this.#size = size;
    this.#scratch = new Uint32Array(size);
    this.#open = this.#scratch;
    this.#present = new Uint32Array(source.classes);
    const categories = Math.max(0, ...source.predictors.map((predictor) => predictor.categories));
    this.#cells = {
      categories: 0,
      present: new Uint32Array(categories),
      sizes: new Float64Array(categories),
      starts: new Uint32Array(categories + 1),
      classes: new Uint32Array(categories * source.classes),
      counts: new Float64Array(categories * source.classes),
    };
  }

  /** Takes up a node with a change of one record; `counts` are its records by class, as changed. */
  open(node: TreeNode, counts: Float64Array, removed: TreePlace | null, added: TreePlace | null): void {
    if (node.tables === undefined) {
      node.tables = keepsTables(node, this.#size) ? this.#count(node, new Uint32Array(this.#size)) : null;
    }
    this.#node = node;
    this.#open = node.tables ?? this.#count(node, this.#scratch);
    this.#removed = removed;
    this.#added = added;
    this.#move(removed, -1);
    this.#move(added, 1);
    this.#presentCount = 0;
    for (let one = 0; one < counts.length; one++) {
      if (counts[one]! > 0) this.#present[this.#presentCount++] = one;
    }
  }

  close(): void {
    this.#move(this.#added, -1);
    this.#move(this.#removed, 1);
    if (this.#open === this.#scratch) this.#clear(this.#node!);
  }

  /** The cells of a predictor in the open node, until those of another are asked for. */
  cellsOf(predictor: number): ClassCells {
    const { classes } = this.#source;
    const { categories } = this.#source.predictors[predictor]!;
    const cells = this.#cells;
    let found = 0;
    let filled = 0;
    for (let category = 0; category < categories; category++) {
      const from = this.#offsets[predictor]! + category * classes;
      const first = filled;
      let size = 0;
      for (let k = 0; k < this.#presentCount; k++) {
        const one = this.#present[k]!;
        const count = this.#open[from + one]!;
        if (count === 0) continue;
        cells.classes[filled] = one;
        cells.counts[filled++] = count;
        size += count;
      }
      if (filled === first) continue;
      cells.sizes[found] = size;
      cells.present[found++] = category;
      cells.starts[found] = filled;
    }
    cells.categories = found;
    return cells;
  }

  #count({ units }: TreeNode, tables: Uint32Array): Uint32Array {
    const { predictors, classes, records } = this.#source;
    for (const [p, { categories }] of predictors.entries()) {
      if (categories === 0) continue;
      const offset = this.#offsets[p]!;
      const codes = records.predictors[p]!;
      for (const unit of units) {
        tables[offset + codes[unit]! * classes + records.responses[unit]!]! += records.weights[unit]!;
      }
    }
    return tables;
  }

  #clear({ units }: TreeNode): void {
    const { predictors, classes, records } = this.#source;
    for (const [p, { categories }] of predictors.entries()) {
      if (categories === 0) continue;
      const offset = this.#offsets[p]!;
      const codes = records.predictors[p]!;
      for (const unit of units) this.#scratch[offset + codes[unit]! * classes + records.responses[unit]!] = 0;
    }
  }

  #move(place: TreePlace | null, sign: 1 | -1): void {
    if (place === null) return;
    const { predictors, classes } = this.#source;
    for (let p = 0; p < predictors.length; p++) {
      if (predictors[p]!.categories === 0) continue;
      this.#open[this.#offsets[p]! + place.predictors[p]! * classes + place.response]! += sign;
    }
  }
}

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
    const first = this.#weighPreferred(node, least, removed, added);
    const cut = bestCut(this.#source.predictors, first, ({ categories }, p, gain) => {
      if (categories > 0) return this.#division.divide(this.#tables.cellsOf(p), this.#minimumLeaf, gain);
      this.#ordered.open(node.orders.get(p)!, p, removed, added);
      return this.#divideOrdered(gain);
    });
    this.#tables.close();
    return cut;
  }

  /** What the preferred division of the node, as changed, gains. */
  #weighPreferred({ preferred: cut, units }: TreeNode, least: number, removed: TreePlace | null, added: TreePlace | null): WeighedCut {
    if (cut === undefined) return { cut: null, gain: least };
    const { predictors, records } = this.#source;
    const at = predictors.findIndex(({ variable }) => variable === cut.variable);
    const sizes: [number, number, number] = [0, 0, 0];
    const put = (element: number, response: number, weight: number) => {
      const side = sideOf(cut, element);
      sizes[side]! += weight;
      if (side === LEFT) this.#division.move(response, weight);
    };
    this.#division.restart();
    for (const unit of units) put(records.predictors[at]![unit]!, records.responses[unit]!, records.weights[unit]!);
    if (removed !== null) put(removed.predictors[at]!, removed.response, -1);
    if (added !== null) put(added.predictors[at]!, added.response, 1);
    return firstCut(cut, sizes, (left, right) => this.#division.gain(left, right), least, this.#minimumLeaf);
  }

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
      for (; next < changes.length && changes[next]!.value < value; next++) this.#addChange(changes[next]!);
      this.#add(value, this.#units.responses[unit]!, this.#units.weights[unit]!);
    }
    for (; next < changes.length; next++) this.#addChange(changes[next]!);
    this.#dropEmpty();
  }

  #addChange({ value, response, weight }: { value: number; response: number; weight: number }): void {
    this.#add(value, response, weight);
  }

  #add(value: number, response: number, weight: number): void {
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
