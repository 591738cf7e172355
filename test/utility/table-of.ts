import type { Table } from '../../shared/table/table.ts';

/** A table of categorical variables with as many categories as are said, from rows of codes. */
export function tableOf(sizes: readonly number[], rows: readonly (readonly number[])[]): Table {
  const categories = (size: number) => Array.from({ length: size }, (_, code) => `v${code}`);
  return {
    schema: { variables: sizes.map((size, v) => ({ name: `V${v}`, type: 'categorical', categories: categories(size) })) },
    records: rows.length,
    columns: sizes.map((_, v) => ({ type: 'categorical', codes: Uint16Array.from(rows, (row) => row[v]!) })),
  };
}
