import { readRunModel } from '../../artifacts/run-context.ts';
import { type RecordRelease, readDatasets } from '../../artifacts/stored-dataset.ts';
import { readDraws } from '../../artifacts/stored-draws.ts';
import { readStoredTable } from '../../artifacts/stored-table.ts';
import { factsOf } from '../../contracts/models/models.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { oneDraw, type ScoredDraw } from '../../model/chains/chain-draws.ts';
import { copiesInWords } from '../../report/words/copies-in-words.ts';
import { formatCount, formatEstimate } from '../../report/words/format-number.ts';
import { datasetAbsences, rowAbsences } from '../../risk/copies/absence.ts';
import { countCopies } from '../../risk/copies/count-copies.ts';
import { type ExpectedUniques, expectedUniques, judgeCopies } from '../../risk/copies/expected-uniques.ts';
import type { Store } from '../../storage/store.ts';
import type { Combinations } from '../../table/combinations.ts';
import { distinctRows } from '../../table/distinct-rows.ts';
import { hasAttributeRisk } from '../rounds/chains-needed.ts';

/**
 * Products of probabilities that are formed at most, a second or so: fewer draws of each chain are taken where all would be
 * more, but one of each, since chains differ more than the draws of one.
 */
export const MOST_PRODUCTS = 3e8;

/**
 * Counts the copies in the datasets of a run. Those of datasets made elsewhere are held against what the model expects; of datasets that
 * the run or an earlier one drew it is known how they were made.
 */
export async function copiesOfRun(store: Store, plan: Plan, release: RecordRelease | null, chains: number) {
  if (plan.purpose === 'synthesize') return { copies: null, notAssessable: null, warnings: [] };
  const { table, datasets } = release
    ? rowsOfRelease(release)
    : { table: (await readStoredTable(store, plan.runId)).combinations, datasets: await readDatasets(store, plan) };
  const records = datasets.map(({ counts }) => counts.reduce((sum, count) => sum + count, 0));
  const expected = await expectedInRun(store, plan, table, records, chains);
  const copies = countCopies(table, datasets, expected);
  const { sampleUniques } = plan.table;
  const verdict = plan.datasets.origin === 'elsewhere' ? judgeCopies(copies, sampleUniques) : 'explained';
  if (verdict === 'explained') return { copies, notAssessable: null, warnings: [] };
  const { occurrences, occurrencesExpected, occurrencesExpectedSe } = copies;
  const summed = `Counted in each dataset they are ${formatCount(occurrences)}, where ${formatEstimate(occurrencesExpected!, occurrencesExpectedSe!)} are expected`;
  const found = `${copiesInWords(copies, sampleUniques)}. ${copies.datasets.length > 1 ? `${summed}. ` : ''}That is more than the model explains.`;
  if (verdict === 'unexplained') {
    const message = `${found} A synthesizer that fits the table more closely does that, and so do records that were copied. Find out which: the risk is that under the model, and the copies are not of it.`;
    return { copies, notAssessable: null, warnings: [{ code: 'copies-unexplained', message }] };
  }
  const notAssessable = `${found} Records of the table were copied into the datasets, so that no figure for synthetic data applies.`;
  return { copies, notAssessable, warnings: [{ code: 'not-assessable', message: notAssessable }] };
}

/** Distinct rows of a table that keeps variables, which need not be categorical, and of its datasets. */
const rowsOfRelease = ({ table, datasets }: RecordRelease) => ({
  table: distinctRows(table).rows,
  datasets: datasets.map((dataset) => distinctRows(dataset).rows),
});

/**
 * How many unique combinations the model of a run expects in its datasets, or why that is not known.
 *
 * @param records rows of each dataset
 */
async function expectedInRun(
  store: Store,
  plan: Plan,
  table: Combinations,
  records: readonly number[],
  chains: number,
): Promise<ExpectedUniques | string> {
  if (!factsOf(plan.config.model).offers.includes('expected-copies')) return 'how many are expected is known under the DPMPM alone';
  if (!hasAttributeRisk(plan) || chains === 0) return 'no model was fitted to the table';
  const model = await readRunModel(store, plan.runId);
  const { support, synthesized } = model;
  const { sizes } = model.table;
  if (synthesized && support) return 'how many are expected is not known where values are impossible and some are kept';
  const draws: ScoredDraw[] = [];
  for (let chain = 1; chain <= chains; chain++) {
    const own = await readDraws(store, plan.runId, `base/${chain}`);
    const products = Math.max(1, table.count * sizes.length * own.classes * chains);
    const most = Math.max(1, Math.min(own.draws, Math.floor(MOST_PRODUCTS / products)));
    for (let i = 1; i <= most; i++) draws.push(oneDraw(own, Math.floor((i * own.draws) / most) - 1));
  }
  const absent = synthesized ? datasetAbsences(table, sizes, synthesized) : rowAbsences(table, sizes, support);
  return expectedUniques(
    draws.map((draw) => absent(draw)),
    synthesized ? records.map(() => 1) : records,
  );
}
