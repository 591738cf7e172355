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

/** Reads one synthetic dataset (numbered from 1). */
export async function readDataset(store: Store, runId: string, dataset: number): Promise<StoredDataset> {
  const keys = runKeys(runId).dataset(dataset);
  return {
    source: await readJson(store, keys.source, datasetSourceSchema),
    combinations: await readCombinations(store, keys),
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
