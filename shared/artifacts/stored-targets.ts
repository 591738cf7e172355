import { decodeNpy, encodeNpy } from '../arrays/npy.ts';
import { runKeys } from '../contracts/keys.ts';
import type { CalibrationTargets } from '../risk/calibration/calibration-targets.ts';
import type { Store } from '../storage/store.ts';

/** The files of a replicate's targets: centres (targets x variables), truths, and records (from 0). */
export function encodeTargets(
  runId: string,
  { centres, truths, records }: CalibrationTargets,
): Map<string, Uint8Array> {
  const keys = runKeys(runId).targets;
  return new Map([
    [keys.centres, encodeNpy(centres, [truths.length, centres.length / truths.length])],
    [keys.truths, encodeNpy(truths, [truths.length])],
    [keys.records, encodeNpy(records, [records.length])],
  ]);
}

/** Reads what {@link encodeTargets} wrote. */
export async function readTargets(store: Store, runId: string): Promise<CalibrationTargets> {
  const keys = runKeys(runId).targets;
  return {
    centres: decodeNpy(await store.get(keys.centres), keys.centres).data as Uint16Array,
    truths: decodeNpy(await store.get(keys.truths), keys.truths).data as Uint32Array,
    records: decodeNpy(await store.get(keys.records), keys.records).data as Uint32Array,
  };
}
