import type { Dpmpm } from '../model/dpmpm.ts';
import type { Store } from '../storage/store.ts';
import { combinationsFromCodes, stackCombinations } from '../table/combinations.ts';
import { recordCodes } from '../table/record-codes.ts';
import type { RunContext } from './run-context.ts';
import { stackedColumns, stackedVariables } from './stacked-columns.ts';
import { readPartialDataset, readRecordTable } from './stored-columns.ts';
import { readDataset } from './stored-dataset.ts';

/**
 * A run's model bound to its table with a dataset (numbered from 1). Records of a fully synthetic dataset come below
 * those of the table, since their classes are drawn anew. Values that were synthesized from a record's own class stand
 * beside the record's own, in columns that share the variable.
 */
export async function bindStacked(
  store: Store,
  { plan, table, synthesized, bind }: RunContext,
  dataset: number,
): Promise<Dpmpm> {
  if (synthesized === null) {
    const { combinations } = await readDataset(store, plan.runId, dataset);
    return bind(stackCombinations(table.combinations, combinations));
  }
  const records = await readRecordTable(store, plan.runId);
  const partial = await readPartialDataset(store, plan.runId, dataset, records);
  const columns = stackedColumns(records, partial, synthesized);
  const codes = recordCodes(columns, 0, records.records);
  return bind(
    combinationsFromCodes(codes, records.records, columns.length).combinations,
    stackedVariables(table.sizes, synthesized),
  );
}
