import { readFileSync } from 'node:fs';
import { householdTable } from '../../examples/household-table.ts';
import { categorySizes } from '../../shared/table/category-sizes.ts';
import type { Combinations } from '../../shared/table/combinations.ts';
import { uniqueCombinations } from '../../shared/table/distinct-rows.ts';
import { readTable } from '../../shared/table/files/read-table.ts';

const RECORDS = 7000;

/** The table that all pieces are measured on. */
export interface BenchTable {
  /** Where it is from, for the heading. */
  readonly name: string;
  readonly records: number;
  readonly combinations: Combinations;
  readonly sizes: readonly number[];
}

/** The table of a file; without one, 7,000 records of the example's generator. */
export async function benchTable(file: string | undefined): Promise<BenchTable> {
  const bytes = file === undefined ? householdTable(1, RECORDS) : readFileSync(file);
  const { table } = await readTable(bytes, { missing: 'category' });
  return {
    name: file ?? 'household table',
    records: table.records,
    combinations: uniqueCombinations(table).combinations,
    sizes: categorySizes(table.schema),
  };
}
