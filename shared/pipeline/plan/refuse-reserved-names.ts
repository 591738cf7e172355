import { InvalidTableError } from '../../contracts/errors.ts';
import { ATTRIBUTE_RISK_COLUMNS, CANDIDATE_COLUMNS } from '../../contracts/results/attribute-risk-table.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { variablesInWords } from '../../table/variables-in-words.ts';

/**
 * Refuses variables that are named like a column of `attribute-risk.csv` or of a candidate table, which would then have
 * two.
 *
 * @param ofRecords whether the rows of the former are records, and numbered as such
 * @throws InvalidTableError `reserved-variable-name`
 */
export function refuseReservedNames({ variables }: TableSchema, ofRecords: boolean): void {
  const { ofRecords: record, beforeVariables, afterVariables } = ATTRIBUTE_RISK_COLUMNS;
  const reserved = [
    ...new Set([
      ...Object.keys({ ...(ofRecords ? record : {}), ...beforeVariables, ...afterVariables }),
      ...CANDIDATE_COLUMNS,
    ]),
  ];
  const named = [...variables.keys()].filter((v) => reserved.includes(variables[v]!.name));
  if (named.length === 0) return;
  throw new InvalidTableError(
    'reserved-variable-name',
    `${variablesInWords({ variables }, named)}: the tables of results have a column of such a name; expected any name but ${reserved.join(', ')}`,
  );
}
