import { runKeys } from '../contracts/keys.ts';
import { type DatasetSource, datasetSourceSchema } from '../contracts/plan.ts';
import type { DpmpmState } from '../model/dpmpm.ts';
import type { Store } from '../storage/store.ts';
import type { Combinations } from '../table/combinations.ts';
import { stateOfDraw } from './sample-chain.ts';
import { readDraws } from './stored-draws.ts';
import { readJson } from './stored-json.ts';
import { readCombinations } from './stored-table.ts';

/** A synthetic dataset of a run and where it came from. */
export interface StoredDataset {
  readonly combinations: Combinations;
  readonly source: DatasetSource;
}

/** Reads where a synthetic dataset (numbered from 1) came from, without the dataset. */
export function readDatasetSource(store: Store, runId: string, dataset: number): Promise<DatasetSource> {
  return readJson(store, runKeys(runId).dataset(dataset).source, datasetSourceSchema);
}

/** Reads one synthetic dataset (numbered from 1). */
export async function readDataset(store: Store, runId: string, dataset: number): Promise<StoredDataset> {
  return {
    source: await readDatasetSource(store, runId, dataset),
    combinations: await readCombinations(store, runKeys(runId).dataset(dataset)),
  };
}

/** The draw that generated a dataset, or null for a dataset made elsewhere. */
export async function readGeneratingState(
  store: Store,
  runId: string,
  { chain, draw }: DatasetSource,
): Promise<DpmpmState | null> {
  if (chain === null || draw === null) return null;
  return stateOfDraw(await readDraws(store, runId, chain), draw);
}
