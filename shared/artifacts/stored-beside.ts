import { decodeCheckedNpy, encodeCheckedNpy } from '../arrays/checked-npy.ts';
import { PARTS_AT_ONCE } from '../contracts/cloud/cloud-environment.ts';
import { runKeys } from '../contracts/keys.ts';
import { readAhead } from '../storage/read-ahead.ts';
import type { Store } from '../storage/store.ts';
import type { Assessed, PartReference } from './stored-part.ts';

/** What is kept of each row beside its risk, and of each of its value sets. */
const ROW_COLUMNS = ['probabilityFixed', 'proven', 'provenFixed'] as const;
const SET_COLUMNS = ['probabilityFixed', 'rightFixed', 'gainBitsFixed', 'proven', 'provenFixed'] as const;

/**
 * What is known of rows by trees beside their risk: the same with the divisions held as they are, and whether the release
 * proves the truth, nothing else being able to have led to it (1 or 0). One element a row, and in `values` a value set of
 * a row, rows x sets; 0 for sets without anything to guess. `proven` of a row: of any variable by itself.
 */
export type RowsBeside = { readonly [Name in (typeof ROW_COLUMNS)[number]]: Float64Array } & {
  readonly values: { readonly [Name in (typeof SET_COLUMNS)[number]]: Float64Array };
};

/** A {@link RowsBeside} to be filled. */
export function emptyBeside(rows: number, sets: number): RowsBeside {
  const columns = <Name extends string>(names: readonly Name[], length: number) =>
    Object.fromEntries(names.map((name) => [name, new Float64Array(length)])) as Record<Name, Float64Array>;
  return { ...columns(ROW_COLUMNS, rows), values: columns(SET_COLUMNS, rows * sets) };
}

/** Stores what is known beside the risk of a batch; it comes before the batch's part. */
export async function writeBeside(store: Store, part: PartReference, beside: RowsBeside): Promise<void> {
  const { beside: key } = runKeys(part.runId).part(part.round, part.batch);
  const arrays = [...ROW_COLUMNS.map((name) => beside[name]), ...SET_COLUMNS.map((name) => beside.values[name])];
  const whole = new Float64Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays) {
    whole.set(array, at);
    at += array.length;
  }
  await store.put(key, encodeCheckedNpy(whole, [whole.length]), { ifAbsent: true });
}

/** Reads what {@link writeBeside} wrote of all batches of a round, of so many value sets a row. */
export async function readBeside(store: Store, { runId, batches }: Assessed, round: number, sets: number): Promise<RowsBeside> {
  const found = emptyBeside(batches.at(-1)!.to, sets);
  const parts = readAhead(
    batches,
    async ({ batch, from, to }) => {
      const { beside: key } = runKeys(runId).part(round, batch);
      return { from, rows: to - from, data: decodeCheckedNpy(await store.get(key), key).data as Float64Array };
    },
    PARTS_AT_ONCE,
  );
  for await (const { from, rows, data } of parts) {
    let at = 0;
    for (const name of ROW_COLUMNS) {
      found[name].set(data.subarray(at, at + rows), from);
      at += rows;
    }
    for (const name of SET_COLUMNS) {
      found.values[name].set(data.subarray(at, at + rows * sets), from * sets);
      at += rows * sets;
    }
  }
  return found;
}
