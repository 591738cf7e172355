import { ATTRIBUTE_RISK_COLUMNS, CANDIDATE_COLUMNS } from '../results/attribute-risk-table.ts';

/**
 * Names that no variable may have, since a column of `attribute-risk.csv` or of a candidate table has them.
 *
 * @param ofRecords whether the rows of the former are records, and numbered as such
 */
export function reservedNames(ofRecords: boolean): string[] {
  const { ofRecords: record, beforeVariables, afterVariables } = ATTRIBUTE_RISK_COLUMNS;
  return [
    ...new Set([
      ...Object.keys({ ...(ofRecords ? record : {}), ...beforeVariables, ...afterVariables }),
      ...CANDIDATE_COLUMNS,
    ]),
  ];
}
