import type { ClassDivision } from '../../model/cart/class-division.ts';
import { exceedsGain } from '../../model/cart/criterion.ts';
import { ABSENT, type Cut, LEFT, RIGHT } from '../../model/cart/cut.ts';
import { halfway } from '../../model/cart/growth.ts';
import type { CellTables } from './cell-tables.ts';
import { OrderedCells } from './ordered-cells.ts';
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

  /**
   * The division that gains most, if any gains more than `least`.
   *
   * @param counts records of the node by class, as changed
   * @param removed a record of the node that is left out
   * @param added a record that is put into it
   */
  find(node: TreeNode, counts: Float64Array, least: number, removed: TreePlace | null, added: TreePlace | null): Cut | null {
    let cut: Cut | null = null;
    let gain = least;
    this.#tables.open(node, counts, removed, added);
    for (const [p, { variable, categories }] of this.#source.predictors.entries()) {
      if (categories === 0) {
        this.#ordered.open(node.orders.get(p)!, p, removed, added);
        const division = this.#divideOrdered(gain);
        if (division === null) continue;
        gain = division.gain;
        cut = { type: 'threshold', variable, threshold: division.threshold };
      } else {
        const cells = this.#tables.cellsOf(p);
        const division = this.#division.divide(cells, this.#minimumLeaf, gain);
        if (division === null) continue;
        gain = division.gain;
        const sides = new Uint8Array(categories).fill(ABSENT);
        for (const category of division.left) sides[category] = LEFT;
        for (const category of division.right) sides[category] = RIGHT;
        cut = { type: 'categories', variable, sides };
      }
    }
    this.#tables.close();
    return cut;
  }

  /** The best threshold of the predictor that is open. */
  #divideOrdered(least: number): { gain: number; threshold: number } | null {
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
