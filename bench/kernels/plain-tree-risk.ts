import { sideOf } from '../../shared/model/cart/cut.ts';
import { fitCart } from '../../shared/model/cart/synthesis.ts';
import type { CartNode, CartTree } from '../../shared/model/cart/tree.ts';
import { elementAt, type TreeRelease } from '../../shared/risk/trees/tree-variables.ts';
import type { Column, Table } from '../../shared/table/table.ts';

/** Attribute risk of trees by its definition: all trees are grown again for every candidate, and every row dropped. */

/** The nodes that a row passes, down to the one where it comes to rest. */
function pathOf({ root }: CartTree, columns: readonly Column[], row: number): CartNode[] {
  const path = [root];
  for (let node = root; node.split !== null; ) {
    const { cut, left, right } = node.split;
    const next = [left, right][sideOf(cut, elementAt(columns[cut.variable]!, row))];
    if (next === undefined) break;
    node = next;
    path.push(node);
  }
  return path;
}

/** Records of a table that pass each node of a tree, by class of the response. */
function countDonors(tree: CartTree, { columns, records }: Table, response: number): Map<CartNode, number[]> {
  const counts = new Map<CartNode, number[]>();
  for (let record = 0; record < records; record++) {
    const one = elementAt(columns[response]!, record);
    for (const node of pathOf(tree, columns, record)) {
      const own = counts.get(node) ?? [];
      own[one] = (own[one] ?? 0) + 1;
      counts.set(node, own);
    }
  }
  return counts;
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + (count ?? 0), 0);

/** The table with other values of the synthesized variables in one record. */
function withCandidate({ table, settings }: TreeRelease, record: number, candidate: ArrayLike<number>): Table {
  const columns = table.columns.map((column, variable): Column => {
    const place = settings.synthesized.indexOf(variable);
    if (place < 0) return column;
    if (column.type === 'categorical') {
      const codes = column.codes.slice();
      codes[record] = candidate[place]!;
      return { type: 'categorical', codes };
    }
    const values = column.values.slice();
    values[record] = candidate[place]!;
    return { type: 'continuous', values };
  });
  return { ...table, columns };
}

/** The table without a record. */
function without({ schema, records, columns }: Table, record: number): Table {
  const others = (_: number, i: number) => i !== record;
  return {
    schema,
    records: records - 1,
    columns: columns.map((column) =>
      column.type === 'categorical'
        ? { type: 'categorical', codes: column.codes.filter(others) }
        : { type: 'continuous', values: column.values.filter(others) },
    ),
  };
}

/** log P(Z | table) with trees that hold the records of the table as donors. */
function logLikelihood({ settings, datasets }: TreeRelease, table: Table, trees: readonly CartTree[]): number {
  let result = 0;
  for (const [place, response] of settings.synthesized.entries()) {
    const tree = trees[place]!;
    const donors = countDonors(tree, table, response);
    for (const dataset of datasets) {
      const columns = [...table.columns];
      for (const [k, variable] of settings.synthesized.entries()) columns[variable] = dataset[k]!;
      for (let row = 0; row < table.records; row++) {
        const counts = donors.get(pathOf(tree, columns, row).at(-1)!) ?? [];
        result += Math.log((counts[elementAt(dataset[place]!, row)] ?? 0) / (sum(counts) || 1));
      }
    }
  }
  return result;
}

/**
 * log P(Z | D_i^x), but for what is the same for all x.
 *
 * @param exact false for the divisions that the trees have on D
 */
export function plainLogLikelihood(release: TreeRelease, record: number, candidate: ArrayLike<number>, exact: boolean): number {
  const changed = withCandidate(release, record, candidate);
  const { trees } = fitCart(exact ? changed : release.table, release.settings);
  return logLikelihood(release, changed, trees);
}

/** Prior probability of a candidate, with the options of `createTreeRisk`. */
export function plainPrior(
  { table, settings, datasets }: TreeRelease,
  record: number,
  candidate: ArrayLike<number>,
  { exact, priorRecords }: { exact: boolean; priorRecords: number },
): number {
  const others = without(table, record);
  const { trees } = fitCart(exact ? others : table, settings);
  const { columns } = withCandidate({ table, settings, datasets }, record, candidate);
  let prior = 1;
  for (const [place, response] of settings.synthesized.entries()) {
    const donors = countDonors(trees[place]!, others, response);
    const counts = pathOf(trees[place]!, columns, record)
      .map((node) => donors.get(node) ?? [])
      .findLast((one) => sum(one) > 0)!;
    const described = table.schema.variables[response]!;
    const classes = described.type === 'categorical' ? described.categories.length : 0;
    const alike = counts[candidate[place]!] ?? 0;
    prior *= (alike + priorRecords / classes) / (sum(counts) + priorRecords);
  }
  return prior;
}
