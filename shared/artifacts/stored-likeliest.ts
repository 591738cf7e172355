import { decodeCheckedNpy, encodeCheckedNpy } from '../arrays/checked-npy.ts';
import { PARTS_AT_ONCE } from '../contracts/cloud/cloud-environment.ts';
import { runKeys } from '../contracts/keys.ts';
import type { Plan } from '../contracts/run/plan.ts';
import { emptyLikeliest, LIKELIEST_NUMBERS } from '../risk/attribute/likeliest-candidates.ts';
import { readAhead } from '../storage/read-ahead.ts';
import type { Store } from '../storage/store.ts';
import type { PartReference } from './stored-part.ts';

/** Stores the likeliest candidates of a batch, as `likeliest-candidates.ts` has them; it comes before the batch's part. */
export async function writeLikeliest(
  store: Store,
  { runId, round, batch }: PartReference,
  likeliest: Float64Array,
): Promise<void> {
  const shape = [likeliest.length / LIKELIEST_NUMBERS, LIKELIEST_NUMBERS];
  await store.put(runKeys(runId).part(round, batch).likeliest, encodeCheckedNpy(likeliest, shape), {
    ifAbsent: true,
  });
}

/** The likeliest candidates of all rows of a round. */
export async function readLikeliest(
  store: Store,
  { runId, batches }: Plan,
  round: number,
): Promise<Float64Array> {
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
