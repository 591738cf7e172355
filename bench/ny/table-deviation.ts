import type { Table } from '../../shared/table/table.ts';

/**
 * The sum of absolute differences between the counts of a table and of a dataset, over all tables of one number of
 * variables of which the last variable is one (001 section 3.1).
 *
 * @param dataset with the codes of the table; all variables are categorical
 * @param ways variables of each table of counts, from 1
 */
export function tableDeviation(table: Table, dataset: Table, ways: number): number {
  const last = table.columns.length - 1;
  const sets = subsets(
    Array.from({ length: last }, (_, v) => v),
    ways - 1,
  );
  return sets.reduce((sum, set) => sum + deviationOf(table, dataset, [...set, last]), 0);
}

function subsets(elements: readonly number[], size: number): number[][] {
  if (size === 0) return [[]];
  return elements.flatMap((first, place) =>
    subsets(elements.slice(place + 1), size - 1).map((rest) => [first, ...rest]),
  );
}

function deviationOf(table: Table, dataset: Table, variables: readonly number[]): number {
  const sizes = variables.map((v) => {
    const variable = table.schema.variables[v]!;
    return variable.type === 'categorical' ? variable.categories.length : 0;
  });
  const differences = new Int32Array(sizes.reduce((cells, size) => cells * size, 1));
  for (const [from, sign] of [
    [table, 1],
    [dataset, -1],
  ] as const) {
    for (let record = 0; record < from.records; record++) {
      let cell = 0;
      for (const [k, v] of variables.entries()) {
        const column = from.columns[v]!;
        if (column.type !== 'categorical') throw new RangeError('expected categorical variables');
        cell = cell * sizes[k]! + column.codes[record]!;
      }
      differences[cell]! += sign;
    }
  }
  return differences.reduce((sum, difference) => sum + Math.abs(difference), 0);
}
