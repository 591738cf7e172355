import { InvalidTableError } from '../../contracts/errors.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { reservedNames } from '../../contracts/settings/reserved-names.ts';
import { variableNames } from '../../table/names-in-text.ts';

/**
 * Refuses variables that are named like a column of `attribute-risk.csv` or of a candidate table, which would then have
 * two.
 *
 * @param ofRecords whether the rows of the former are records, and numbered as such
 * @throws InvalidTableError `reserved-variable-name`
 */
export function refuseReservedNames(schema: TableSchema, ofRecords: boolean): void {
  const { variables } = schema;
  const reserved = reservedNames(ofRecords);
  const named = [...variables.keys()].filter((v) => reserved.includes(variables[v]!.name));
  if (named.length === 0) return;
  throw new InvalidTableError(
    'reserved-variable-name',
    `${variableNames(schema, named)}: the tables of results have a column of such a name; rename it in the file, drop it (--drop), or say that it is the count of each row (--count); expected any name but ${reserved.join(', ')}`,
  );
}
