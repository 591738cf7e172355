import { encodeCheckedNpy } from '../../arrays/checked-npy.ts';
import { encodeDataset } from '../../artifacts/stored-dataset.ts';
import { writeDraws } from '../../artifacts/stored-draws.ts';
import { encodeCheckedJson, encodeJson } from '../../artifacts/stored-json.ts';
import { refuseOtherKey, storeReleaseKey } from '../../artifacts/stored-keys.ts';
import { encodeColumns, encodeCombinations, encodePrior, encodeTargets } from '../../artifacts/stored-table.ts';
import { runKeys } from '../../contracts/keys.ts';
import { type DatasetSource, openPlanOf, type Plan } from '../../contracts/run/plan.ts';
import type { Store } from '../../storage/store.ts';
import { recordCodes } from '../../table/record-codes.ts';
import type { Table } from '../../table/table.ts';
import type { PlannedRun } from './planned-run.ts';

/** The files of a control: its codes, people x variables; or its columns where the model takes records as they are. */
function controlFiles(
  keys: ReturnType<typeof runKeys>['table'],
  { schema, records, columns }: Table,
  ofCombinations: boolean,
): Iterable<[string, Uint8Array]> {
  if (!ofCombinations) return encodeColumns(keys.controlRecords, columns.entries());
  return [[keys.control, encodeCheckedNpy(recordCodes(columns, 0, records), [records, schema.variables.length])]];
}

/**
 * Writes what anybody may know of a plan, of whose file no checksum says whether it is as it was: a run that goes on writes it again.
 */
export async function storeOpenPlan(store: Store, plan: Plan): Promise<void> {
  if (plan.purpose !== 'replicate') await store.put(runKeys(plan.runId).openPlan, encodeJson(openPlanOf(plan)));
}

/**
 * Writes what {@link planRun} decided, but for what is there; the plan comes last, and says that everything before it is there.
 *
 * @param signal ends the work between two replicates, of which a calibration may have very many
 * @throws ArtifactError as {@link refuseOtherKey}, before anything is written; the reason of `signal`
 */
export async function storePlannedRun(store: Store, planned: PlannedRun, signal?: AbortSignal): Promise<Plan> {
  const { plan, releaseKey, schema, combinations, records, support, prior, control, known, datasets, replicates } = planned;
  const keys = runKeys(plan.runId);
  const once = { ifAbsent: true };
  await refuseOtherKey(plan, releaseKey);
  await storeReleaseKey(store, plan.runId, releaseKey);
  await store.put(keys.table.schema, encodeCheckedJson(schema), once);
  if (combinations) {
    for (const [key, bytes] of encodeCombinations(keys.table, combinations)) await store.put(key, bytes, once);
  }
  for (const [key, bytes] of encodeColumns(keys.table.records, records?.columns.entries() ?? [])) {
    await store.put(key, bytes, once);
  }
  if (support) {
    const { rules, codes } = support.zeros;
    await store.put(keys.table.structuralZeros, encodeCheckedNpy(codes, [rules, schema.variables.length]), once);
  }
  for (const [key, bytes] of encodePrior(
    plan.runId,
    prior.map(({ weights }) => weights),
  )) {
    await store.put(key, bytes, once);
  }
  if (control)
    for (const [key, bytes] of controlFiles(keys.table, control.people, combinations !== null)) await store.put(key, bytes, once);
  for (const [knowledge, counts] of known) {
    await store.put(keys.table.known(knowledge), encodeCheckedNpy(counts, [counts.length]), once);
  }
  for (const [l, { rows, source, draw }] of datasets.entries()) {
    const dataset = keys.dataset(l + 1);
    for (const [key, bytes] of encodeDataset(dataset, rows)) await store.put(key, bytes, once);
    if (draw) await writeDraws(store, plan.runId, `synthesis/${l + 1}`, draw);
    const stored: DatasetSource = draw ? { ...source, chain: `synthesis/${l + 1}`, draw: 0 } : source;
    await store.put(dataset.source, encodeCheckedJson(stored), once);
  }
  for (const replicate of replicates) {
    signal?.throwIfAborted();
    for (const [key, bytes] of encodeTargets(replicate.plan.runId, replicate.targets)) {
      await store.put(key, bytes, once);
    }
    await storePlannedRun(store, replicate);
  }
  if (plan.purpose !== 'replicate') await store.put(keys.openPlan, encodeJson(openPlanOf(plan)), once);
  await store.put(keys.plan, encodeCheckedJson(plan), once);
  return plan;
}
