import { categoryText } from './category-text.ts';
import type { Table } from './table.ts';

/** The records of a table as files hold them, one at a time. */
export function* recordTexts({ schema, records, columns }: Table): Generator<(string | number | null)[]> {
  for (let record = 0; record < records; record++) {
    yield columns.map((column, v) =>
      column.type === 'categorical' ? categoryText(schema, v, column.codes[record]!) : column.values[record]!,
    );
  }
}
