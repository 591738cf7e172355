import type { Table } from '../../shared/table/table.ts';

/** Shares of the records in every cell of two variables, those of the second running fastest. */
export function jointShares(table: Table, first: string, second: string): Float64Array {
  const [one, other] = [first, second].map((name) => categoricalColumn(table, name));
  const shares = new Float64Array(one!.categories.length * other!.categories.length);
  for (let i = 0; i < table.records; i++) {
    shares[one!.codes[i]! * other!.categories.length + other!.codes[i]!]! += 1 / table.records;
  }
  return shares;
}

/** The mean of vectors of one length, element by element. */
export function meanOfAll(vectors: readonly Float64Array[]): Float64Array {
  return Float64Array.from(vectors[0]!, (_, at) => vectors.reduce((sum, vector) => sum + vector[at]!, 0) / vectors.length);
}

/** Half the sum of absolute differences: the share of records that would have to move. */
export function totalVariation(one: Float64Array, other: Float64Array): number {
  return one.reduce((sum, value, at) => sum + Math.abs(value - other[at]!), 0) / 2;
}

/**
 * Codes and categories of a variable.
 *
 * @throws RangeError when the table has no categorical variable of that name
 */
export function categoricalColumn(table: Table, name: string): { codes: ArrayLike<number>; categories: readonly string[] } {
  const place = table.schema.variables.findIndex((variable) => variable.name === name);
  const variable = table.schema.variables[place];
  const column = table.columns[place];
  if (variable?.type !== 'categorical' || column?.type !== 'categorical') {
    throw new RangeError(`no categorical variable ${name}`);
  }
  return { codes: column.codes, categories: variable.categories };
}
