import { RandomStream } from '../../shared/random/random-stream.ts';
import type { Column, Table } from '../../shared/table/table.ts';

/** Numbers of categories of seven variables, as of a household survey. */
const SIZES = [2, 5, 8, 4, 6, 9, 12];

/** A table, and datasets in which its last categorical and its continuous variables are synthesized. */
export interface MatchingTables {
  readonly table: Table;
  readonly datasets: readonly Table[];
}

/** Tables of some of seven skewed categorical variables, and of long-tailed continuous ones. */
export function matchingTables(
  records: number,
  { datasets, categorical, continuous }: { datasets: number; categorical: number; continuous: number },
): MatchingTables {
  const random = new RandomStream(1, 'bench/matching');
  const sizes = SIZES.slice(0, categorical);
  const variables = [
    ...sizes.map((size, v) => ({
      name: `C${v + 1}`,
      type: 'categorical' as const,
      categories: Array.from({ length: size }, (_, code) => String(code)),
    })),
    ...Array.from({ length: continuous }, (_, v) => ({ name: `X${v + 1}`, type: 'continuous' as const })),
  ];
  const columns: Column[] = [
    ...sizes.map((size): Column => {
      const codes = Uint8Array.from({ length: records }, () => Math.floor(size * random.uniform() * random.uniform()));
      return { type: 'categorical', codes };
    }),
    ...Array.from({ length: continuous }, (): Column => {
      const values = Float64Array.from({ length: records }, () => 10_000 / Math.sqrt(1 - random.uniform()));
      return { type: 'continuous', values };
    }),
  ];
  const table = { schema: { variables }, records, columns };
  const synthesized = (column: Column, v: number): Column => {
    if (column.type === 'continuous') {
      return { type: 'continuous', values: column.values.map((value) => value * (0.5 + random.uniform())) };
    }
    if (v !== categorical - 1) return column;
    const size = sizes[v]!;
    const codes = column.codes.map((code) => (random.uniform() < 0.5 ? code : Math.floor(size * random.uniform())));
    return { type: 'categorical', codes };
  };
  return { table, datasets: Array.from({ length: datasets }, () => ({ ...table, columns: columns.map(synthesized) })) };
}
