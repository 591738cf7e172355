import { keptPatterns } from '../../shared/risk/bounds/resample-synthesized.ts';
import type { Column, Table } from '../../shared/table/table.ts';

/**
 * A table of known variables and one that joins others: its categories are the combinations of theirs that some record
 * has, in order of first appearance. It stands last, and its name joins theirs.
 *
 * @param known names of categorical variables
 * @param joined names of categorical variables, at least one
 * @throws RangeError for a name that the table does not have, or that of a continuous variable
 */
export function joinedTable(table: Table, known: readonly string[], joined: readonly string[]): Table {
  const [kept, parts] = [known, joined].map((names) => names.map((name) => categorical(table, name)));
  const { variables } = table.schema;
  const { count, ofRecord } = keptPatterns(table, parts!, 1);
  const categories = new Array<string>(count);
  for (const [record, combination] of ofRecord.entries()) {
    categories[combination] ??= parts!.map((v) => categoryOf(table, v, record)).join(', ');
  }
  const column: Column = { type: 'categorical', codes: Uint16Array.from(ofRecord) };
  const variable = { name: joined.join(' and '), type: 'categorical' as const, categories };
  return {
    schema: { variables: [...kept!.map((v) => variables[v]!), variable] },
    records: table.records,
    columns: [...kept!.map((v) => table.columns[v]!), column],
  };
}

function categorical({ schema }: Table, name: string): number {
  const index = schema.variables.findIndex((variable) => variable.name === name);
  if (schema.variables[index]?.type === 'categorical') return index;
  throw new RangeError(`the table has no categorical variable ${name}`);
}

function categoryOf({ schema, columns }: Table, index: number, record: number): string {
  const [variable, column] = [schema.variables[index]!, columns[index]!];
  if (variable.type !== 'categorical' || column.type !== 'categorical') {
    throw new RangeError(`variable ${variable.name} is not categorical`);
  }
  return variable.categories[column.codes[record]!]!;
}
