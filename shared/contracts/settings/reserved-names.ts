import type { ResultTable } from '../column.ts';
import { RECONSTRUCTION } from '../results/reconstruction/reconstruction-table.ts';
import { ATTRIBUTE_RISK, CANDIDATES } from '../results/tables/attribute-risk-table.ts';

/**
 * Names that no variable may have, since a column of `attribute-risk.csv`, of a candidate table or of `reconstruction.csv` has them.
 *
 * @param ofRecords whether the rows of the former are records, and numbered as such
 * @param ofTrees whether the model is of trees, of which that table tells more
 * @param reconstructs whether an intruder knows nothing, so that there is the last of them
 */
export function reservedNames(ofRecords: boolean, ofTrees: boolean, reconstructs = false): string[] {
  const treeColumns: readonly (keyof typeof ATTRIBUTE_RISK.columns)[] = ['probability_fixed', 'proven'];
  const always = ({ columns }: ResultTable<never>) =>
    Object.entries(columns).flatMap(([name, column]) => (column.type === 'variables' || column.when ? [] : [name]));
  return [
    ...new Set([
      ...(ofRecords ? ['record'] : []),
      ...always(ATTRIBUTE_RISK),
      ...always(CANDIDATES),
      ...(ofTrees ? treeColumns : []),
      ...(reconstructs ? always(RECONSTRUCTION) : []),
    ]),
  ];
}
