import type { RunModel } from '../../../artifacts/run-context.ts';
import { readPartialDataset, readRecordTable } from '../../../artifacts/stored-columns.ts';
import { readDataset } from '../../../artifacts/stored-dataset.ts';
import type { ChainSampler } from '../../../model/chains/chain-sampler.ts';
import type { Store } from '../../../storage/store.ts';
import { stackCombinations } from '../../../table/distinct-rows.ts';
import type { ChainModel } from '../chain-model.ts';

/**
 * A run's model bound to its table with a dataset (numbered from 1). Records of a fully synthetic dataset come below
 * those of the table, since their classes are drawn anew. Values that were synthesized from a record's own class stand
 * beside the record's own.
 */
export async function bindStacked(
  store: Store,
  { plan, table, synthesized, bind, bindBeside }: RunModel & ChainModel,
  dataset: number,
): Promise<ChainSampler> {
  if (synthesized === null) {
    const { combinations } = await readDataset(store, plan.runId, dataset);
    return bind(stackCombinations(table.combinations, combinations));
  }
  const records = await readRecordTable(store, plan);
  return bindBeside(records, await readPartialDataset(store, plan, dataset, records));
}
