import type { TableSchema } from '../contracts/schema.ts';

/** A number, and the categories of a variable whose codes take a byte; those of more take two. */
const DOUBLE = Float64Array.BYTES_PER_ELEMENT;
const BYTE_CATEGORIES = 256;

/** Bytes of one record in columns, of some variables or of all. */
export function recordBytes({ variables }: TableSchema, of: readonly number[] = [...variables.keys()]): number {
  return of.reduce((sum, v) => {
    const variable = variables[v]!;
    const few = variable.type === 'categorical' && variable.categories.length <= BYTE_CATEGORIES;
    return sum + (variable.type === 'continuous' ? DOUBLE : few ? 1 : 2);
  }, 0);
}
