import { PLACE_KEY, uploadKeys } from '../../shared/contracts/keys.ts';
import { encodeKey } from '../../shared/contracts/secret-key.ts';
import type { Store } from '../../shared/storage/store.ts';
import { TEST_KEYS } from '../test-keys.ts';

/** Lets an upload of this name become the run that has `TEST_KEYS`: in a bucket whose place has no other key. */
export async function plantKeys(store: Store, name: string): Promise<void> {
  const { releaseKey } = uploadKeys(`incoming/${name}/table.csv`)!;
  await store.put(PLACE_KEY, encodeKey(TEST_KEYS.placeKey));
  await store.put(releaseKey, encodeKey(await TEST_KEYS.releaseKey('')));
}
