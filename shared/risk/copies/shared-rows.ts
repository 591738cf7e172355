import { CombinationIndex } from '../../table/combination-index.ts';
import type { Combinations } from '../../table/combinations.ts';

/** How often the rows of a table occur in a dataset. */
export interface SharedRows {
  /** Rows of the dataset. */
  readonly records: number;
  /** Rows of the dataset that are equal to each combination of the table. */
  readonly counts: Uint32Array;
}

/**
 * Counts for each combination of a table how many rows of a dataset are equal to it in every variable, in time proportional
 * to the combinations of both.
 *
 * @param datasets with the codes of the table
 * @throws RangeError for a dataset of another number of variables
 */
export function sharedRows({ variables, codes, count }: Combinations, datasets: readonly Combinations[]): SharedRows[] {
  const index = new CombinationIndex(variables);
  for (let combination = 0; combination < count; combination++) index.add(codes, combination * variables, 1);
  return datasets.map((dataset) => {
    if (dataset.variables !== variables) {
      throw new RangeError(`expected rows of ${variables} variables, found ${dataset.variables}`);
    }
    const counts = new Uint32Array(count);
    let records = 0;
    for (let row = 0; row < dataset.count; row++) {
      const found = index.find(dataset.codes, row * variables);
      if (found !== -1) counts[found]! += dataset.counts[row]!;
      records += dataset.counts[row]!;
    }
    return { records, counts };
  });
}

/** Whether a dataset holds the rows of the table and no others, each as often, in whatever order. */
export function isSameTable(table: Combinations, { records, counts }: SharedRows): boolean {
  const own = table.counts.reduce((sum, count) => sum + count, 0);
  return records === own && counts.every((count, combination) => count === table.counts[combination]);
}
