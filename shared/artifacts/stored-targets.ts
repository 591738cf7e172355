import { decodeCheckedNpy, encodeCheckedNpy } from '../arrays/checked-npy.ts';
import { runKeys } from '../contracts/keys.ts';
import type { CalibrationTargets } from '../risk/calibration/calibration-targets.ts';
import type { Store } from '../storage/store.ts';

/** The files of a replicate's targets: centres (targets x variables), truths, and records (from 0). */
export function encodeTargets(runId: string, { centres, truths, records }: CalibrationTargets): Map<string, Uint8Array> {
  const keys = runKeys(runId).targets;
  return new Map([
    [keys.centres, encodeCheckedNpy(centres, [truths.length, centres.length / truths.length])],
    [keys.truths, encodeCheckedNpy(truths, [truths.length])],
    [keys.records, encodeCheckedNpy(records, [records.length])],
  ]);
}

/** Reads what {@link encodeTargets} wrote. */
export async function readTargets(store: Store, runId: string): Promise<CalibrationTargets> {
  const keys = runKeys(runId).targets;
  return {
    centres: decodeCheckedNpy(await store.get(keys.centres), keys.centres).data as Uint16Array,
    truths: decodeCheckedNpy(await store.get(keys.truths), keys.truths).data as Uint32Array,
    records: decodeCheckedNpy(await store.get(keys.records), keys.records).data as Uint32Array,
  };
}
