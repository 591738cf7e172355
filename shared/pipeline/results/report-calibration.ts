import { readJson } from '../../artifacts/stored-json.ts';
import { runKeys } from '../../contracts/keys.ts';
import { calibrationSchema } from '../../contracts/results/calibration.ts';
import { renderCalibration } from '../../report/render-calibration.ts';
import type { Store } from '../../storage/store.ts';

/** Writes the HTML page of a calibration from its file. */
export async function reportCalibration(store: Store, { runId }: { runId: string }): Promise<void> {
  const keys = runKeys(runId).confidential;
  const page = await renderCalibration(await readJson(store, keys.calibration, calibrationSchema));
  await store.put(keys.calibrationReport, new TextEncoder().encode(page));
}
