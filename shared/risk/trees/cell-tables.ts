import type { ClassCells } from '../../model/cart/category-groups.ts';
import type { NodeSource, TreeNode } from './tree-node.ts';
import type { TreePlace } from './tree-variables.ts';

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
  readonly #sizes: Float64Array;
  readonly #starts: Uint32Array;
  readonly #classes: Uint32Array;
  readonly #counts: Float64Array;

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
    this.#sizes = new Float64Array(categories);
    this.#starts = new Uint32Array(categories + 1);
    this.#classes = new Uint32Array(categories * source.classes);
    this.#counts = new Float64Array(categories * source.classes);
  }

  /** Takes up a node with a change of one record; `counts` are its records by class, as changed. */
  open(node: TreeNode, counts: Float64Array, removed: TreePlace | null, added: TreePlace | null): void {
    if (node.tables === undefined) {
      const keeps = node.units.length * this.#source.predictors.length > this.#size;
      node.tables = keeps ? this.#count(node, new Uint32Array(this.#size)) : null;
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

  /** Takes the change back. */
  close(): void {
    this.#move(this.#added, -1);
    this.#move(this.#removed, 1);
    if (this.#open === this.#scratch) this.#clear(this.#node!);
  }

  /** The cells of a predictor in the open node, until those of another are asked for. */
  cellsOf(predictor: number): ClassCells {
    const { classes } = this.#source;
    const { categories } = this.#source.predictors[predictor]!;
    const present: number[] = [];
    let filled = 0;
    for (let category = 0; category < categories; category++) {
      const from = this.#offsets[predictor]! + category * classes;
      const first = filled;
      let size = 0;
      for (let k = 0; k < this.#presentCount; k++) {
        const one = this.#present[k]!;
        const count = this.#open[from + one]!;
        if (count === 0) continue;
        this.#classes[filled] = one;
        this.#counts[filled++] = count;
        size += count;
      }
      if (filled === first) continue;
      this.#sizes[present.length] = size;
      present.push(category);
      this.#starts[present.length] = filled;
    }
    return { present, sizes: this.#sizes.subarray(0, present.length), starts: this.#starts, classes: this.#classes, counts: this.#counts };
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
