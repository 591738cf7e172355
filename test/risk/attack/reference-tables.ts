import type { TableSchema } from '../../../shared/contracts/schema.ts';
import type { Table } from '../../../shared/table/table.ts';

/** A categorical variable with categories v0, v1, ... */
const categorical = (name: string, size: number) => ({
  name,
  type: 'categorical' as const,
  categories: Array.from({ length: size }, (_, code) => `v${code}`),
});

/** The variables of the tables that `reference.py` and `reference.R` draw as well. */
export const ATTACK_SCHEMA: TableSchema = {
  variables: [
    categorical('A', 3),
    categorical('B', 4),
    categorical('C', 6),
    categorical('D', 2),
    { name: 'X', type: 'continuous' },
    { name: 'Y', type: 'continuous' },
  ],
};

/** Whole numbers of Lehmer's generator, exact in doubles here as in R and Python. */
export function lehmer(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (48271 * state) % 2147483647;
    return state % bound;
  };
}

export function drawTable(below: (bound: number) => number, records: number): Table {
  const codes = () => new Uint8Array(records);
  const [a, b, c, d] = [codes(), codes(), codes(), codes()];
  const [x, y] = [new Float64Array(records), new Float64Array(records)];
  for (let i = 0; i < records; i++) {
    a[i] = below(3);
    b[i] = Math.min(3, below(5));
    c[i] = Math.min(5, below(9));
    d[i] = below(100) < 20 + 30 * a[i]! ? 1 : 0;
    x[i] = 1000 + 500 * a[i]! + below(2003);
    y[i] = 2000 + 700 * b[i]! + below(997);
  }
  return {
    schema: ATTACK_SCHEMA,
    records,
    columns: [
      ...[a, b, c, d].map((own) => ({ type: 'categorical' as const, codes: own })),
      ...[x, y].map((values) => ({ type: 'continuous' as const, values })),
    ],
  };
}

/** The tables of `reference.py` and `reference.R`: 80 records, a dataset of 80, and a control of 50. */
export function attackTables(): { table: Table; dataset: Table; control: Table } {
  const below = lehmer(2024);
  const table = drawTable(below, 80);
  const dataset = drawTable(below, 80);
  return { table, dataset, control: drawTable(below, 50) };
}
