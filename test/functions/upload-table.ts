import { stringify } from 'yaml';
import type { UploadBudget } from '../../shared/contracts/cloud/workflow.ts';
import type { Store } from '../../shared/storage/store.ts';
import { SMALL_SETTINGS } from '../pipeline/small-run.ts';
import { BUCKET } from './fake-bucket.ts';
import { plantKeys } from './plant-keys.ts';
import { uploadEvent } from './run-workflow.ts';

/**
 * Uploads keys, a config and then a table, and gives the event.
 *
 * @param settings of the run, or the text of its config
 * @param limits what the run may cost, and how many tasks share its chains
 */
export async function uploadTable(
  store: Store,
  name: string,
  table: Uint8Array,
  settings: object | string = SMALL_SETTINGS,
  limits?: UploadBudget,
): Promise<object> {
  const put = (file: string, text: string) => store.put(`incoming/${name}/${file}`, Buffer.from(text));
  await plantKeys(store, name);
  await put('run.yaml', typeof settings === 'string' ? settings : stringify(settings));
  if (limits) await put('budget.json', JSON.stringify(limits));
  await store.put(`incoming/${name}/table.csv`, table);
  return uploadEvent(BUCKET, `incoming/${name}/table.csv`);
}

/** What became of an upload, as those who made it may read it. */
export async function outcomeOf(
  store: Store,
  name: string,
): Promise<{ runId?: string; error?: { name: string; code: string; message: string } }> {
  return JSON.parse(Buffer.from(await store.get(`incoming/${name}/outcome.json`)).toString());
}
