import type { TableSchema } from '../contracts/schema.ts';

/** Variables of a table that has been read, in words: `variable AGE`, `variables AGE, INCOME`. */
export function variablesInWords({ variables }: TableSchema, indices: readonly number[]): string {
  const names = indices.map((index) => variables[index]!.name).join(', ');
  return `${indices.length === 1 ? 'variable' : 'variables'} ${names}`;
}
