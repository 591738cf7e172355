import { contextOfScenario, readRunModel, type ScenarioModel } from '../../artifacts/run-context.ts';
import { readCheckedJson } from '../../artifacts/stored-json.ts';
import { readCellParts, readLikeliest } from '../../artifacts/stored-part.ts';
import { readRecordTable } from '../../artifacts/stored-table.ts';
import { scoresCells } from '../../contracts/config/config.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { CandidateOfRow, RecordDetails } from '../../contracts/results/record-details.ts';
import { planSchema } from '../../contracts/run/plan.ts';
import { likeliestOf } from '../../risk/attribute/likeliest-candidates.ts';
import { candidateChanges } from '../../risk/intruder/candidate-space.ts';
import { cellOrder, codesOf } from '../../risk/intruder/cell-order.ts';
import type { Store } from '../../storage/store.ts';
import { categoryText } from '../../table/category-text.ts';
import { recordVariables, tableRows } from '../tables/risk-tables.ts';

/** The records of a run that has no attribute risk, with the values of all variables. */
export async function readMatchedRows(store: Store, runId: string): Promise<RecordDetails['rows']> {
  const plan = await readCheckedJson(store, runKeys(runId).plan, planSchema);
  const table = await readRecordTable(store, plan);
  return { rows: table.records, variables: recordVariables(table) };
}

/**
 * The likeliest candidates of the rows of a run's first scenario, from the parts of a round; null for parts of a version that
 * kept none.
 */
export async function readCandidates(store: Store, runId: string, round: number): Promise<RecordDetails['candidates']> {
  const context = contextOfScenario(await readRunModel(store, runId), 1);
  const { scenario, space, table } = context;
  const { codesOf: codesOfRow } = await tableRows(store, context);
  const changed = (changes: readonly { variable: number; code: number }[]): CandidateOfRow['changes'] =>
    changes.map(({ variable, code }) => ({
      variable: table.schema.variables[variable]!.name,
      value: categoryText(table.schema, variable, code) ?? 'NA',
    }));
  if (scoresCells(scenario.candidates)) return readCells(store, context, round, changed);
  const [first] = scenario.batches;
  if ((await store.head(runKeys(runId).part(round, first!.batch).likeliest)) === null) return null;
  const likeliest = await readLikeliest(store, scenario, round);
  return (row) =>
    likeliestOf(likeliest, row).map(({ candidate, before, after }) => ({
      changes: changed(candidateChanges(space, codesOfRow(row), candidate)),
      before,
      after,
    }));
}

/** The most probable cells of each combination, of which the prior is not kept. */
async function readCells(
  store: Store,
  { scenario, table }: ScenarioModel,
  round: number,
  changed: (changes: readonly { variable: number; code: number }[]) => CandidateOfRow['changes'],
): Promise<RecordDetails['candidates']> {
  const { guesses } = await readCellParts(store, scenario, round);
  const order = cellOrder(table.sizes);
  const { variables, codes: all } = table.combinations;
  return (row) =>
    Array.from({ length: guesses.perCombination }, (_, place) => {
      const at = row * guesses.perCombination + place;
      const own = all.subarray(row * variables, (row + 1) * variables);
      const changes = Array.from(codesOf(order, guesses.cells[at]!), (code, variable) => ({ variable, code }));
      return {
        changes: changed(changes.filter(({ variable, code }) => code !== own[variable])),
        before: null,
        after: guesses.probabilities[at]!,
      };
    });
}
