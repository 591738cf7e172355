import type { TableSchema } from '../contracts/schema.ts';
import type { Table } from './table.ts';

/** Text of a category as files show it; null, an empty cell, for a missing value. */
export function categoryText(schema: TableSchema, variable: number, code: number): string | null {
  const described = schema.variables[variable]!;
  if (described.type !== 'categorical') throw new RangeError(`${described.name} is not categorical`);
  const { categories, missingCode } = described;
  return code === missingCode || code === categories.length ? null : categories[code]!;
}

/** The records of a table as files hold them, one at a time. */
export function* recordTexts({ schema, records, columns }: Table): Generator<(string | number | null)[]> {
  for (let record = 0; record < records; record++) {
    yield columns.map((column, v) => {
      if (column.type === 'categorical') return categoryText(schema, v, column.codes[record]!);
      const value = column.values[record]!;
      return Number.isNaN(value) ? null : value;
    });
  }
}

/** Whether a cell's text stands for a missing value: empty, or `NA` as R writes it. Spaces alone do not. */
export const isMissingText = (text: string): boolean => text === '' || text === 'NA';
