import { decodeCheckedNpy, encodeCheckedNpy } from '../arrays/checked-npy.ts';
import { runKeys } from '../contracts/keys.ts';
import { type TableSchema, tableSchema } from '../contracts/schema.ts';
import type { Store } from '../storage/store.ts';
import { categorySizes } from '../table/category-sizes.ts';
import type { Combinations } from '../table/combinations.ts';
import { readCheckedJson } from './stored-json.ts';

/** Keys of a set of combinations and their counts. */
interface CombinationKeys {
  readonly combinations: string;
  readonly counts: string;
}

/** The files of a set of combinations: codes (combinations x variables) and counts. */
export function encodeCombinations(keys: CombinationKeys, value: Combinations): Map<string, Uint8Array> {
  return new Map([
    [keys.combinations, encodeCheckedNpy(value.codes, [value.count, value.variables])],
    [keys.counts, encodeCheckedNpy(value.counts, [value.count])],
  ]);
}

/** Reads what {@link encodeCombinations} wrote. */
export async function readCombinations(store: Store, keys: CombinationKeys): Promise<Combinations> {
  const { data: codes, shape } = decodeCheckedNpy(await store.get(keys.combinations), keys.combinations);
  const { data: counts } = decodeCheckedNpy(await store.get(keys.counts), keys.counts);
  const [count, variables] = shape as [number, number];
  return { count, variables, codes: codes as Uint16Array, counts: counts as Uint32Array };
}

/** The table of a run as its steps need it: schema, numbers of categories, combinations with counts. */
export interface StoredTable {
  readonly schema: TableSchema;
  readonly sizes: readonly number[];
  readonly combinations: Combinations;
}

/** Reads the table of a run. */
export async function readStoredTable(store: Store, runId: string): Promise<StoredTable> {
  const keys = runKeys(runId).table;
  const schema = await readCheckedJson(store, keys.schema, tableSchema);
  return { schema, sizes: categorySizes(schema), combinations: await readCombinations(store, keys) };
}
