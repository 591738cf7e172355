import { contextOfScenario, readRunModel } from '../../artifacts/run-context.ts';
import { readCheckedJson } from '../../artifacts/stored-json.ts';
import { readRecordTable } from '../../artifacts/stored-table.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { RecordDetails } from '../../contracts/results/record-details.ts';
import { planSchema } from '../../contracts/run/plan.ts';
import type { Store } from '../../storage/store.ts';
import { categoryText } from '../../table/category-text.ts';
import { methodOf } from '../methods/methods.ts';
import { recordVariables, tableRows } from '../tables/risk-tables.ts';

/** The records of a run that has no attribute risk, with the values of all variables. */
export async function readMatchedRows(store: Store, runId: string): Promise<RecordDetails['rows']> {
  const plan = await readCheckedJson(store, runKeys(runId).plan, planSchema);
  const table = await readRecordTable(store, plan);
  return { rows: table.records, variables: recordVariables(table) };
}

/** The likeliest candidates of the rows of a run's first scenario, by names and values; null for parts of a version that kept none. */
export async function readCandidates(store: Store, runId: string, round: number): Promise<RecordDetails['candidates']> {
  const context = contextOfScenario(await readRunModel(store, runId), 1);
  const { schema } = context.table;
  const { codesOf } = await tableRows(store, context);
  const likeliest = await methodOf(context.plan.config, context.scenario).readLikeliest(store, context, round, codesOf);
  return (
    likeliest &&
    ((row) =>
      likeliest(row).map(({ changes, ...figures }) => ({
        changes: changes.map(({ variable, code }) => ({
          variable: schema.variables[variable]!.name,
          value: categoryText(schema, variable, code) ?? 'NA',
        })),
        ...figures,
      })))
  );
}
