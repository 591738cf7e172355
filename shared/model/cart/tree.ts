import type { Column } from '../../table/table.ts';
import { ABSENT, type Cut, LEFT } from './cut.ts';
import { RecordDivider } from './record-divider.ts';

/** A node of a tree. Its donors are those of the tree from `from` to before `to`; every node has some. */
export interface CartNode {
  readonly from: number;
  readonly to: number;
  /** Null for a leaf. */
  readonly split: { readonly cut: Cut; readonly left: CartNode; readonly right: CartNode } | null;
}

/** A classification or regression tree with the observed values of its response. */
export interface CartTree {
  readonly root: CartNode;
  /** Values of the response, one a record, leaf after leaf. */
  readonly donors: Column;
}

/**
 * Drops all records of a table down a tree, and visits each node where some come to rest: the leaves to which their
 * values lead, and the nodes where they lead no further because no record there had their category. Throws RangeError
 * if the column of a predictor has another type than it had when the tree was grown.
 *
 * @param columns of a table like the one that the tree was grown on, which may hold other values
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
