import type { Table } from '../../table/table.ts';

/** How a variable of a record is held against a value. */
export type Comparison = '==' | '!=' | '<=' | '>=' | '<' | '>';

/** One condition: a variable, and the code of a category or a value. */
export interface Condition {
  readonly variable: number;
  readonly comparison: Comparison;
  readonly value: number;
}

/** Conditions that a record meets all of, by ascending variable. */
export type Query = readonly Condition[];

/** Queries that ask for the same have the same text. */
export const queryText = (query: Query): string =>
  query.map(({ variable, comparison, value }) => `${variable}${comparison}${value}`).join('&');

/** Codes or values of a variable. */
export function numbersOf({ columns }: Table, variable: number): ArrayLike<number> {
  const column = columns[variable]!;
  return column.type === 'categorical' ? column.codes : column.values;
}

function meets(found: number, comparison: Comparison, value: number): boolean {
  switch (comparison) {
    case '==':
      return found === value;
    case '!=':
      return found !== value;
    case '<=':
      return found <= value;
    case '>=':
      return found >= value;
    case '<':
      return found < value;
    case '>':
      return found > value;
  }
}

/** How many records of a table meet a query; counting ends at `most`. */
export function countMatches(table: Table, query: Query, most: number): number {
  const columns = query.map(({ variable }) => numbersOf(table, variable));
  let matches = 0;
  for (let record = 0; record < table.records; record++) {
    let all = true;
    for (let c = 0; c < query.length && all; c++) {
      all = meets(columns[c]![record]!, query[c]!.comparison, query[c]!.value);
    }
    if (all && ++matches === most) return matches;
  }
  return matches;
}

/** Whether one record of a table alone meets a query. */
export const singlesOut = (table: Table, query: Query): boolean => countMatches(table, query, 2) === 1;
