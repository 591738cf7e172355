import type { TableSchema } from '../contracts/schema.ts';

/** Text of a category as files show it; a missing value is an empty cell. */
export function categoryText(schema: TableSchema, variable: number, code: number): string | null {
  const described = schema.variables[variable]!;
  if (described.type !== 'categorical') throw new RangeError(`${described.name} is not categorical`);
  const { categories, missingCode } = described;
  return code === missingCode || code === categories.length ? null : categories[code]!;
}
