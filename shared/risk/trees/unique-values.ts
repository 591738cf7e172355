import { sideOf } from '../../model/cart/cut.ts';
import { growSynthesisTree } from '../../model/cart/synthesis.ts';
import { type CartNode, type CartTree, dropRecords } from '../../model/cart/tree.ts';
import { expm1, log1p } from '../../numeric/portable-math.ts';
import type { Column } from '../../table/table.ts';
import { datasetColumns, elementAt, type TreeRelease } from './tree-variables.ts';

/** What trees release of the values that one record alone has, one element a record: who knows all others sees whose they are. */
export interface UniqueValues {
  /** 1 for a record whose value no other one has. */
  readonly unique: Uint8Array;
  /**
   * Probability that a row of any dataset is given the value, the variables visited before it being as released; 0 for
   * other records.
   */
  readonly probability: Float64Array;
  /** Number of rows that were given it; 0 for other records. */
  readonly released: Uint32Array;
}

/**
 * The values of one synthesized variable that one record alone has. Of s rows that come to rest in a node with n donors
 * none is given the value of one of them with probability (1 - 1/n)^s: the product over the nodes that hold the record is
 * the probability that its value is not released.
 *
 * @param place of the variable in the order of visits, from 0
 * @throws RangeError for smoothed continuous values, which are no donor's, for trees of bootstrap samples, and as
 * `growSynthesisTree`
 */
export function uniqueValues(release: TreeRelease, place: number): UniqueValues {
  const { table, settings } = release;
  const variable = settings.synthesized[place]!;
  const column = table.columns[variable]!;
  if (settings.proper === true) throw new RangeError('trees of bootstrap samples have no closed form');
  if (settings.smoothing && column.type === 'continuous') {
    throw new RangeError('smoothed values are those of no record');
  }
  const tree = growSynthesisTree(table, settings, place);
  const resting = countResting(tree, release);
  const unique = markUniqueValues(column, table.records);
  const released = countReleased(release, place, unique);
  const probability = new Float64Array(table.records);
  for (let record = 0; record < table.records; record++) {
    if (unique[record] === 1) probability[record] = -expm1(logWithheld(tree, table.columns, record, resting));
  }
  return { unique, probability, released };
}

/** Number of rows of all datasets that were given the value of each record that is marked; 0 for other records. */
export function countReleased({ table, settings, datasets }: TreeRelease, place: number, marked: Uint8Array): Uint32Array {
  const column = table.columns[settings.synthesized[place]!]!;
  const given = countValues(
    datasets.map((columns) => columns[place]!),
    table.records,
  );
  return Uint32Array.from(marked, (mark, record) => (mark === 1 ? (given.get(elementAt(column, record)) ?? 0) : 0));
}

/** 1 for each record whose value no other one has. */
export function markUniqueValues(column: Column, records: number): Uint8Array {
  const holders = countValues([column], records);
  return Uint8Array.from({ length: records }, (_, record) => (holders.get(elementAt(column, record)) === 1 ? 1 : 0));
}

function countResting(tree: CartTree, release: TreeRelease): Map<CartNode, number> {
  const resting = new Map<CartNode, number>();
  for (const columns of datasetColumns(release)) {
    dropRecords(tree, columns, release.table.records, (node, rows) => {
      resting.set(node, (resting.get(node) ?? 0) + rows.length);
    });
  }
  return resting;
}

function countValues(columns: readonly Column[], records: number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const column of columns) {
    for (let record = 0; record < records; record++) {
      const value = elementAt(column, record);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  return counts;
}

/** Logarithm of the probability that no row is given the value of a record. */
function logWithheld({ root }: CartTree, columns: readonly Column[], record: number, resting: ReadonlyMap<CartNode, number>): number {
  let sum = 0;
  for (let node: CartNode | undefined = root; node !== undefined; ) {
    const rows = resting.get(node) ?? 0;
    if (rows > 0) sum += rows * log1p(-1 / (node.to - node.from));
    if (node.split === null) break;
    const { cut, left, right }: NonNullable<CartNode['split']> = node.split;
    node = [left, right][sideOf(cut, elementAt(columns[cut.variable]!, record))];
  }
  return sum;
}
