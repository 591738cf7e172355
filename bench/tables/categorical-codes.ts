import type { Table } from '../../shared/table/table.ts';

/** Codes of all variables; continuous ones are cut at their quintiles. */
export function categoricalCodes(table: Table): { codes: Uint16Array; sizes: number[] } {
  const variables = table.columns.length;
  const codes = new Uint16Array(table.records * variables);
  const sizes = table.columns.map((column, k) => {
    if (column.type === 'categorical') {
      for (let i = 0; i < table.records; i++) codes[i * variables + k] = column.codes[i]!;
      const variable = table.schema.variables[k]!;
      return variable.type === 'categorical' ? variable.categories.length : 0;
    }
    const sorted = column.values.toSorted();
    const cuts = [...new Set([0.2, 0.4, 0.6, 0.8].map((q) => sorted[Math.floor(q * sorted.length)]!))];
    for (let i = 0; i < table.records; i++) {
      codes[i * variables + k] = cuts.filter((cut) => column.values[i]! >= cut).length;
    }
    return cuts.length + 1;
  });
  return { codes, sizes };
}
