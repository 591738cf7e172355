import type { TableSchema } from '../contracts/schema.ts';
import type { Table } from './table.ts';

/** Indices of the variables of a partially synthetic release that are guessed at: the synthesized ones, in column order. */
export function guessedVariables(
  synthesized: 'all' | readonly string[],
  { variables }: TableSchema,
): number[] {
  return [...variables.keys()].filter(
    (v) => synthesized === 'all' || synthesized.includes(variables[v]!.name),
  );
}

/** The columns of these variables as a table of their own, row by row. */
export function guessedColumns(
  { synthesis }: { readonly synthesis: { readonly synthesized: 'all' | readonly string[] } },
  { schema, columns, records }: Table,
): Table {
  const guessed = guessedVariables(synthesis.synthesized, schema);
  return {
    schema: { ...schema, variables: guessed.map((v) => schema.variables[v]!) },
    records,
    columns: guessed.map((v) => columns[v]!),
  };
}
