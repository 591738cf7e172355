import { chosenRecords, incompleteColumns, isMissing, type Table } from '../../table/table.ts';

/** Records whose values are missing in the same variables. */
export interface MissingPattern {
  /** The variables, of those asked about, in which these records have values. */
  readonly present: readonly number[];
  /** Numbers of the records in the table, ascending. */
  readonly records: Uint32Array;
  /** These records alone. */
  readonly table: Table;
}

/**
 * Divides the records of a table by where values of some categorical variables are missing and a model imputes them. One
 * pattern with everything present when there are none.
 */
export function missingPatterns(table: Table, categorical: readonly number[]): MissingPattern[] {
  const incomplete = new Set(incompleteColumns(table));
  const missing = categorical.filter((variable) => incomplete.has(variable));
  const all = Uint32Array.from({ length: table.records }, (_, record) => record);
  if (missing.length === 0) return [{ present: categorical, records: all, table }];
  const found = new Map<string, number[]>();
  for (const record of all) {
    const text = missing.filter((variable) => isMissing(table, variable, record)).join();
    const own = found.get(text);
    if (own) own.push(record);
    else found.set(text, [record]);
  }
  return [...found].map(([text, own]) => {
    const absent = new Set(text === '' ? [] : text.split(',').map(Number));
    const numbers = Uint32Array.from(own);
    return { present: categorical.filter((variable) => !absent.has(variable)), records: numbers, table: chosenRecords(table, numbers) };
  });
}
