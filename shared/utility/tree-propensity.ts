import { growCartTree } from '../model/cart/growth.ts';
import type { CartNode } from '../model/cart/tree.ts';
import type { RandomSource } from '../random/random-source.ts';
import { type Column, stackedTables, type Table } from '../table/table.ts';

/** Leaves have five records or more, and a split must lower the risk of the root: what synthpop's utility.gen asks of rpart. */
const GROWTH = { minimumLeaf: 5, complexity: 1e-8 };

/** A table and a dataset put below each other, and a last variable that says which records are the dataset's. */
export interface Stacked {
  readonly table: Table;
  /** Records of the table, which come first. */
  readonly first: number;
}

/** Puts a dataset below its table. */
export function stackTables(table: Table, dataset: Table): Stacked {
  const { schema, records, columns } = stackedTables([table, dataset]);
  // Its name serves nobody: trees go by places.
  const variables = [...schema.variables, { name: 'label', type: 'categorical' as const, categories: ['table', 'dataset'] }];
  const label: Column = { type: 'categorical', codes: new Uint8Array(records).fill(1, table.records) };
  return { table: { schema: { variables }, records, columns: [...columns, label] }, first: table.records };
}

/** How far records can be told from each other by a tree, and its leaves. */
export interface GrownTree {
  readonly pmse: number;
  readonly leaves: number;
}

/**
 * Mean squared distance of propensity scores from the dataset's share of the records, the scores being the shares of the
 * dataset's records in the leaves of a classification tree (Snoke et al. 2018 section 3).
 */
export function treePropensity({ table, first }: Stacked, labels?: Uint8Array): GrownTree {
  const last = table.columns.length - 1;
  const columns = table.columns.slice(0, last);
  const label: Column = labels ? { type: 'categorical', codes: labels } : table.columns[last]!;
  const tree = growCartTree({ ...table, columns: [...columns, label] }, last, Array.from(columns.keys()), GROWTH);
  const donors = tree.donors.type === 'categorical' ? tree.donors.codes : new Uint8Array(0);
  const share = (table.records - first) / table.records;
  let leaves = 0;
  const squares = (node: CartNode): number => {
    if (node.split) return squares(node.split.left) + squares(node.split.right);
    leaves++;
    let ones = 0;
    for (let i = node.from; i < node.to; i++) ones += donors[i]!;
    const records = node.to - node.from;
    const distance = ones / records - share;
    return records * distance * distance;
  };
  return { pmse: squares(tree.root) / table.records, leaves };
}

/** Labels of so many records of a table and of a dataset in an order by chance. */
export function permutedLabels(own: number, others: number, random: RandomSource): Uint8Array {
  const labels = new Uint8Array(own + others).fill(1, own);
  for (let i = labels.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    const kept = labels[i]!;
    labels[i] = labels[j]!;
    labels[j] = kept;
  }
  return labels;
}

/** Labels that each record of a table and its own row in a partially synthetic dataset swap by chance. */
export function swappedLabels(own: number, others: number, random: RandomSource): Uint8Array {
  const labels = new Uint8Array(own + others);
  for (let i = 0; i < own; i++) {
    const swapped = random.below(2);
    labels[i] = swapped;
    labels[own + i] = 1 - swapped;
  }
  return labels;
}
