import { type PartialRelease, readDatasets, readPartialRelease } from '../../artifacts/stored-dataset.ts';
import { readStreams } from '../../artifacts/stored-keys.ts';
import { readStoredTable } from '../../artifacts/stored-table.ts';
import type { Summary } from '../../contracts/results/summary.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { finish } from '../../contracts/stepwise.ts';
import type { Store } from '../../storage/store.ts';
import type { Combinations } from '../../table/combinations.ts';
import { rowsOfCombinations, rowsOfRecords } from '../../table/counted-rows.ts';
import { measureUtility } from '../../utility/measure-utility.ts';
import { openUtility } from '../../utility/open-utility.ts';
import type { UtilityInput } from '../../utility/utility-input.ts';
import { withoutMissing } from '../../utility/without-missing.ts';
import { writeUtilityTable } from './store-utility.ts';

/**
 * Measures how well a run's datasets serve for what its table does, and stores every figure as a table.
 *
 * @param release of partially synthetic datasets, where it has been read
 */
export async function measureRun(
  store: Store,
  plan: Plan,
  schema: TableSchema,
  synthesized: readonly number[],
  release: PartialRelease | null,
): Promise<Pick<Summary, 'utility' | 'utilityReason'>> {
  const { utility, variables } = plan.config;
  if (utility === 'off') {
    return { utility: null, utilityReason: 'It was not asked for (utility: off).' };
  }
  const opened = openUtility(utility, variables, schema, synthesized);
  const input = withoutMissing(await readInput(store, plan, release), opened.kind);
  if (input === null) {
    return { utility: null, utilityReason: 'Every record of the table lacks some value.' };
  }
  const streams = await readStreams(store, plan);
  const measured = finish(measureUtility(input, opened, (name) => streams.open(name)));
  await writeUtilityTable(store, plan.runId, measured);
  return { utility: measured.summary };
}

/** The table and the datasets of a run: as combinations, or where variables are kept record by record. */
async function readInput(store: Store, plan: Plan, release: PartialRelease | null): Promise<UtilityInput> {
  if (plan.config.synthesis.synthesized !== 'all') {
    const { table, datasets } = release ?? (await readPartialRelease(store, plan))!;
    return { table: rowsOfRecords(table), datasets: datasets.map(rowsOfRecords) };
  }
  const { schema, combinations } = await readStoredTable(store, plan.runId);
  const rowsOf = (of: Combinations) => rowsOfCombinations(schema, of);
  return { table: rowsOf(combinations), datasets: (await readDatasets(store, plan)).map(rowsOf) };
}
