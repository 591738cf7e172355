import { decodeCheckedNpy, encodeCheckedNpy } from '../arrays/checked-npy.ts';
import { PARTS_AT_ONCE } from '../contracts/cloud/cloud-environment.ts';
import { runKeys } from '../contracts/keys.ts';
import { emptyLikeliest, LIKELIEST_NUMBERS } from '../risk/attribute/likeliest-candidates.ts';
import { WITHOUT_DATASETS } from '../risk/attribute/value-figures.ts';
import { gainEvaluations, VALUE_COLUMNS, VALUE_SUMS, type ValueRisk } from '../risk/attribute/value-risk.ts';
import { readAhead } from '../storage/read-ahead.ts';
import type { Store } from '../storage/store.ts';
import type { Assessed, PartReference } from './stored-part.ts';

/** Numbers that a part has of a value set of a row. */
export const VALUE_NUMBERS = VALUE_COLUMNS.length;

/** Stores what a batch tells of values. It comes before the batch's part, which says that all is whole. */
export async function writeValuePart(
  store: Store,
  { runId, round, batch }: PartReference,
  { columns, sums, squares, gains, datasets }: ValueRisk,
): Promise<void> {
  const keys = runKeys(runId).part(round, batch);
  const once = { ifAbsent: true };
  await store.put(keys.values, encodeCheckedNpy(columns, [columns.length / VALUE_COLUMNS.length, VALUE_COLUMNS.length]), once);
  await store.put(keys.valueSums, encodeCheckedNpy(sums, [sums.length / VALUE_SUMS.length, VALUE_SUMS.length]), once);
  await store.put(keys.valueSquares, encodeCheckedNpy(squares, [squares.length]), once);
  const evaluations = gainEvaluations(datasets);
  await store.put(keys.valueGains, encodeCheckedNpy(gains, [gains.length / evaluations, evaluations]), once);
}

/**
 * Reads what {@link writeValuePart} wrote of all batches of a round.
 *
 * @param sets value sets of a row
 */
export async function readValueParts(store: Store, { runId, batches }: Assessed, round: number, sets: number): Promise<ValueRisk> {
  const width = sets * VALUE_COLUMNS.length;
  const columns = new Float64Array(batches.at(-1)!.to * width);
  let sums: Float64Array | undefined;
  let squares: Float64Array | undefined;
  let gains: Float64Array | undefined;
  const parts = readAhead(
    batches,
    async ({ batch, from, to }) => {
      const keys = runKeys(runId).part(round, batch);
      const read = async (key: string) => decodeCheckedNpy(await store.get(key), key).data as Float64Array;
      return {
        ...{ from, to, columns: await read(keys.values), sums: await read(keys.valueSums) },
        ...{ squares: await read(keys.valueSquares), gains: await read(keys.valueGains) },
      };
    },
    PARTS_AT_ONCE,
  );
  for await (const part of parts) {
    columns.set(part.columns, part.from * width);
    const evaluations = part.gains.length / (part.to - part.from);
    gains ??= new Float64Array(batches.at(-1)!.to * evaluations);
    gains.set(part.gains, part.from * evaluations);
    sums = part.sums.map((sum, i) => sum + (sums?.[i] ?? 0));
    squares = part.squares.map((sum, i) => sum + (squares?.[i] ?? 0));
  }
  const datasets = sums!.length / (sets * VALUE_SUMS.length) - WITHOUT_DATASETS;
  return { columns, sums: sums!, squares: squares!, gains: gains!, datasets };
}

/** Stores the likeliest candidates of a batch, as `likeliest-candidates.ts` has them; it comes before the batch's part. */
export async function writeLikeliest(store: Store, { runId, round, batch }: PartReference, likeliest: Float64Array): Promise<void> {
  const shape = [likeliest.length / LIKELIEST_NUMBERS, LIKELIEST_NUMBERS];
  await store.put(runKeys(runId).part(round, batch).likeliest, encodeCheckedNpy(likeliest, shape), { ifAbsent: true });
}

/** The likeliest candidates of all rows of a round. */
export async function readLikeliest(store: Store, { runId, batches }: Assessed, round: number): Promise<Float64Array> {
  const whole = emptyLikeliest(batches.at(-1)!.to);
  const parts = readAhead(
    batches,
    async ({ batch, from }) => {
      const key = runKeys(runId).part(round, batch).likeliest;
      return { from, data: decodeCheckedNpy(await store.get(key), key).data as Float64Array };
    },
    PARTS_AT_ONCE,
  );
  for await (const { from, data } of parts) whole.set(data, from * LIKELIEST_NUMBERS);
  return whole;
}
