import { ArtifactError } from '../contracts/errors.ts';
import { runKeys } from '../contracts/keys.ts';
import { type DatasetSource, datasetSourceSchema, type Plan } from '../contracts/run/plan.ts';
import type { ChainState } from '../model/chains/chain-sampler.ts';
import { stateOfDraw } from '../model/chains/sample-chain.ts';
import type { Store } from '../storage/store.ts';
import type { Combinations } from '../table/combinations.ts';
import { synthesizedVariables } from '../table/synthesized-variables.ts';
import type { Column } from '../table/table.ts';
import { encodeColumns, readPartialDataset } from './stored-columns.ts';
import { readDraws } from './stored-draws.ts';
import { readCheckedJson } from './stored-json.ts';
import { encodeCombinations, readCombinations } from './stored-table.ts';

/**
 * What a dataset holds: its combinations, or, where variables are kept, the columns of the others in the order of the
 * table's records, by index of their variable.
 */
export type DatasetRows = Combinations | ReadonlyMap<number, Column>;

/** The files of a dataset but its source. */
export function encodeDataset(keys: ReturnType<ReturnType<typeof runKeys>['dataset']>, rows: DatasetRows): Map<string, Uint8Array> {
  return 'codes' in rows ? encodeCombinations(keys, rows) : encodeColumns(keys.records, rows);
}

/** A synthetic dataset of a run and where it came from. */
export interface StoredDataset {
  readonly combinations: Combinations;
  readonly source: DatasetSource;
}

/** Reads where a synthetic dataset (numbered from 1) came from, without the dataset. */
export function readDatasetSource(store: Store, runId: string, dataset: number): Promise<DatasetSource> {
  return readCheckedJson(store, runKeys(runId).dataset(dataset).source, datasetSourceSchema);
}

/** Reads one synthetic dataset (numbered from 1). */
export async function readDataset(store: Store, runId: string, dataset: number): Promise<StoredDataset> {
  return {
    source: await readDatasetSource(store, runId, dataset),
    combinations: await readCombinations(store, runKeys(runId).dataset(dataset)),
  };
}

/** Reads what a synthetic dataset (numbered from 1) holds, as it is stored. */
export async function readDatasetRows(store: Store, plan: Plan, dataset: number): Promise<DatasetRows> {
  const { synthesized } = plan.config.synthesis;
  if (synthesized === 'all') return (await readDataset(store, plan.runId, dataset)).combinations;
  const { schema, columns } = await readPartialDataset(store, plan, dataset);
  return new Map(synthesizedVariables(synthesized, schema).map((k) => [k, columns[k]!]));
}

/** The draw that generated a dataset, or null for a dataset made elsewhere. */
export async function readGeneratingState(store: Store, runId: string, { chain, draw }: DatasetSource): Promise<ChainState | null> {
  if (chain === null || draw === null) return null;
  return stateOfDraw(await readDraws(store, runId, chain), draw);
}

/**
 * The draw that generated a dataset (numbered from 1).
 *
 * @throws ArtifactError `no-generating-draw` when it is not known
 */
export async function readGeneratingDraw(store: Store, { runId }: Plan, dataset: number): Promise<ChainState> {
  const state = await readGeneratingState(store, runId, await readDatasetSource(store, runId, dataset));
  if (state !== null) return state;
  throw new ArtifactError('no-generating-draw', `Dataset ${dataset} has no generating draw.`);
}
