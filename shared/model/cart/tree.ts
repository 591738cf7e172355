import type { Column } from '../../table/table.ts';
import { ABSENT, type Cut, LEFT, RIGHT } from './cut.ts';

/** A node of a tree. Its donors are those of the tree from `from` to before `to`; every node has some. */
export interface CartNode {
  readonly from: number;
  readonly to: number;
  readonly split: { readonly cut: Cut; readonly left: CartNode; readonly right: CartNode } | null;
}

/** A classification or regression tree with the observed values of its response. */
export interface CartTree {
  readonly root: CartNode;
  /** Values of the response, one a record, leaf after leaf. */
  readonly donors: Column;
}

/**
 * Drops all records of a table down a tree, and visits each node where some come to rest: leaves, and nodes where no
 * record had their category. Throws RangeError if a predictor has another type than when the tree was grown.
 *
 * @param visit takes the node and the numbers of its records, ascending, which are not to be kept
 */
export function dropRecords(
  { root }: CartTree,
  columns: readonly Column[],
  records: number,
  visit: (node: CartNode, records: Uint32Array) => void,
): void {
  const order = Uint32Array.from({ length: records }, (_, record) => record);
  const divider = new RecordDivider(records);
  const drop = (node: CartNode, from: number, to: number): void => {
    if (from === to) return;
    if (node.split === null) {
      visit(node, order.subarray(from, to));
      return;
    }
    const { cut, left, right } = node.split;
    divider.takeSides(cut, columns[cut.variable]!, order, from, to);
    const start = divider.bringForward(ABSENT, order, from, to);
    if (start > from) visit(node, order.subarray(from, start));
    const middle = divider.bringForward(LEFT, order, start, to);
    drop(left, start, middle);
    drop(right, middle, to);
  };
  drop(root, 0, records);
}

/** Divides ranges of orders of records by the side on which a cut puts them, each side in the order that it had. */
export class RecordDivider {
  /** Side of each record of the range whose sides were taken last. */
  readonly #sides: Uint8Array;
  readonly #spare: Uint32Array;

  constructor(records: number) {
    this.#sides = new Uint8Array(records);
    this.#spare = new Uint32Array(records);
  }

  /** Notes the side of the records `order[from .. to)`. Throws RangeError if the cut does not fit the type of its column. */
  takeSides(cut: Cut, column: Column, order: Uint32Array, from: number, to: number): void {
    if (cut.type === 'threshold' && column.type === 'continuous') {
      const { values } = column;
      for (let i = from; i < to; i++) {
        const record = order[i]!;
        this.#sides[record] = values[record]! < cut.threshold ? LEFT : RIGHT;
      }
    } else if (cut.type === 'categories' && column.type === 'categorical') {
      const { codes } = column;
      for (let i = from; i < to; i++) {
        const record = order[i]!;
        this.#sides[record] = cut.sides[codes[record]!]!;
      }
    } else {
      throw new RangeError(`a cut by ${cut.type} does not fit a ${column.type} column`);
    }
  }

  /** Puts the records of one side before all others in `order[from .. to)`; returns where these others begin. */
  bringForward(side: number, order: Uint32Array, from: number, to: number): number {
    let ahead = from;
    let behind = 0;
    for (let i = from; i < to; i++) {
      const record = order[i]!;
      if (this.#sides[record] === side) order[ahead++] = record;
      else this.#spare[behind++] = record;
    }
    order.set(this.#spare.subarray(0, behind), ahead);
    return ahead;
  }
}
