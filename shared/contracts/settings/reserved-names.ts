import type { ResultTable } from '../column.ts';
import { ATTRIBUTE_RISK, CANDIDATES } from '../results/attribute-risk-table.ts';

/** Names that no variable may have, since a column of `attribute-risk.csv`, whose rows may be records, or of a candidate table has them. */
export function reservedNames(ofRecords: boolean): string[] {
  const always = ({ columns }: ResultTable<never>) =>
    Object.entries(columns).flatMap(([name, column]) => (column.type === 'variables' || column.when ? [] : [name]));
  return [...new Set([...(ofRecords ? ['record'] : []), ...always(ATTRIBUTE_RISK), ...always(CANDIDATES)])];
}
