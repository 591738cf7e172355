import type { RandomStream } from '../random/random-stream.ts';
import type { CountedRows } from '../table/counted-rows.ts';

/** A table and its datasets. Where variables are kept all have a row a record, and row i of each belongs to record i. */
export interface UtilityInput {
  readonly table: CountedRows;
  readonly datasets: readonly CountedRows[];
}

/** Opens a stream of random numbers by name; none of them is published. */
export type OpenStream = (name: string) => RandomStream;
