import { chooseReleaseKey, newKeys, storeReleaseKey } from '../../shared/artifacts/stored-keys.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { parseKey } from '../../shared/contracts/secret-key.ts';
import { maskingOf } from '../../shared/contracts/settings/masking-settings.ts';
import { finish } from '../../shared/contracts/stepwise.ts';
import { maskTable } from '../../shared/masking/mask-table.ts';
import { planMasking } from '../../shared/pipeline/masking/plan-masking.ts';
import { maskingResult, storeMasking } from '../../shared/pipeline/masking/store-masking.ts';
import { KeyedStreams } from '../../shared/random/streams.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import { zipped } from './archive.ts';
import { configOf } from './chosen.ts';
import type { Masked, Questions } from './questions.ts';

/** Masks a table, as the command `mask` does. */
export async function maskChosen({ flags, releaseKey, ...chosen }: Questions['mask']['asked']): Promise<Masked> {
  const config = configOf(chosen);
  const masking = maskingOf(flags);
  const { placeKey } = newKeys();
  const planned = await planMasking({ config, masking, table: chosen.table, placeKey });
  const { runId } = planned;
  const store = new MemoryStore();
  const key = await chooseReleaseKey(store, runId, releaseKey && parseKey(releaseKey, 'release-key'));
  await storeReleaseKey(store, runId, key);
  const streams = new KeyedStreams(key, config.seed);
  const masked = finish(maskTable(planned.table, masking, planned.places, (name) => streams.openReleased(name)));
  const result = maskingResult(planned, { masking, seed: config.seed }, masked);
  await storeMasking(store, masked, result);
  const { confidential, root } = runKeys(runId);
  const files: [string, Uint8Array][] = [];
  for (const name of await store.list(root)) files.push([`${runId}/${name.slice(root.length)}`, await store.get(name)]);
  return { result, page: new TextDecoder().decode(await store.get(confidential.maskingReport)), archive: zipped(files) };
}
