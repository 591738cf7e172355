import type { CountedRows } from './counted-rows.ts';
import type { Column } from './table.ts';

/**
 * Rows of a table and of its datasets with bands in place of continuous variables: bands of about equal numbers of the
 * table's records, ends among its values. Equal values share a band, so that there may be fewer.
 *
 * @param bands at most, from 2
 */
export function bandedRows(
  table: CountedRows,
  datasets: readonly CountedRows[],
  bands: number,
): { table: CountedRows; datasets: CountedRows[] } {
  const cuts = table.columns.map((column) => (column.type === 'continuous' ? quantileCuts(column.values, table.counts, bands) : null));
  const schema = {
    variables: table.schema.variables.map((variable, v) =>
      cuts[v] === null
        ? variable
        : {
            name: variable.name,
            type: 'categorical' as const,
            categories: Array.from({ length: cuts[v]!.length + 1 }, (_, band) => `band ${band + 1}`),
          },
    ),
  };
  const banded = (rows: CountedRows): CountedRows => ({
    ...rows,
    schema,
    columns: rows.columns.map((column, v): Column => {
      const own = cuts[v];
      if (!own || column.type === 'categorical') return column;
      return { type: 'categorical', codes: Uint16Array.from(column.values, (value) => bandOf(own, value)) };
    }),
  });
  return { table: banded(table), datasets: datasets.map(banded) };
}

/** Values from which a new band begins, ascending. */
function quantileCuts(values: Float64Array, counts: Float64Array, bands: number): number[] {
  const order = Uint32Array.from(values, (_, row) => row).sort((a, b) => values[a]! - values[b]!);
  const records = counts.reduce((sum, count) => sum + count, 0);
  const cuts: number[] = [];
  let below = 0;
  let band = 0;
  for (let place = 0; place < order.length; place++) {
    const value = values[order[place]!]!;
    if (place === 0 || value !== values[order[place - 1]!]) {
      const own = Math.floor((bands * below) / records);
      if (own > band) {
        cuts.push(value);
        band = own;
      }
    }
    below += counts[order[place]!]!;
  }
  return cuts;
}

/** How many cuts are not above a value. */
function bandOf(cuts: readonly number[], value: number): number {
  let [low, high] = [0, cuts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cuts[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
