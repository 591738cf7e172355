import { contextOfScenario, readRunContext } from '../../artifacts/run-context.ts';
import { writeBeside } from '../../artifacts/stored-beside.ts';
import { writeCellPart } from '../../artifacts/stored-cell-part.ts';
import { hasPart, writeDatasetSums, writePart } from '../../artifacts/stored-part.ts';
import { writeSearch } from '../../artifacts/stored-search.ts';
import { writeLikeliest, writeValuePart } from '../../artifacts/stored-value-part.ts';
import { scoresCells } from '../../contracts/config/config.ts';
import { NumericalError } from '../../contracts/errors.ts';
import { factsOf } from '../../contracts/models/models.ts';
import type { Task } from '../../contracts/run/plan.ts';
import { attributeRisk } from '../../risk/attribute/attribute-risk.ts';
import { withLeftOut } from '../../risk/attribute/left-out-risk.ts';
import { separateDatasets } from '../../risk/attribute/separate-datasets.ts';
import { exactRisk, exactValues } from '../../risk/exact/exact-risk.ts';
import type { Store } from '../../storage/store.ts';
import { readRoundChains } from '../rounds/stored-judgement.ts';
import { assessAllCells } from './assess-all-cells.ts';
import { assessExactCells } from './assess-exact-cells.ts';
import { assessTrees } from './assess-trees.ts';
import { readRiskRows } from './risk-rows.ts';
import { rowTerms } from './row-terms.ts';

/**
 * Attribute risk of one batch of rows, which are combinations, or records of partially synthetic data: scores every
 * candidate under every draw of the run's chains, puts the estimator together, and stores its part. A part that is
 * there already is left alone.
 *
 * @param onUnit called after each chain is scored; where all cells are candidates, after each chain that is read and
 * each block of cells
 * @throws NumericalError naming the batch when an estimate is not a number
 */
export async function assessBatch(
  store: Store,
  { runId, round, batch }: Extract<Task, { step: 'assess' }>,
  onUnit: () => void,
): Promise<void> {
  if (await hasPart(store, { runId, round, batch })) return;
  const whole = await readRunContext(store, runId);
  const { scenario: number, from, to } = whole.plan.batches[batch - 1]!;
  const context = contextOfScenario(whole, number);
  const { plan, scenario, streams, space } = context;
  const { attributeRisk: settings } = plan.config;
  const chains = await readRoundChains(store, plan, round);
  try {
    if (factsOf(plan.config.model).method === 'grown') {
      const { risk, beside } = await assessTrees(store, context, { from, to }, onUnit);
      await writeValuePart(store, { runId, round, batch }, risk.values);
      await writeLikeliest(store, { runId, round, batch }, risk.likeliest);
      await writeBeside(store, { runId, round, batch }, beside);
      await writePart(store, { runId, round, batch }, risk);
      return;
    }
    if (scoresCells(scenario.candidates)) {
      const cells =
        settings.estimator === 'exact'
          ? await assessExactCells(store, context, { from, to }, onUnit)
          : await assessAllCells(store, context, chains, { from, to }, onUnit);
      await writeCellPart(store, { runId, round, batch }, cells);
      if (cells.searched) await writeSearch(store, { runId, round, batch }, cells.searched);
      await writePart(store, { runId, round, batch }, cells.risk);
      return;
    }
    const rows = await readRiskRows(store, context, { from, to });
    const { counts, considered, sets, priors, leftOut } = rows;
    const found = await rowTerms(store, context, chains, rows, onUnit);
    const { terms, effectiveDraws, paretoK, privacyLoss } = found;
    const request = {
      terms,
      counts,
      candidates: space.perCombination,
      considered,
      streams,
      slope: settings.slope,
      priors,
      sets,
      effectiveDraws,
      paretoK,
    };
    const scored = attributeRisk(request);
    if (scenario.knows) {
      await writeDatasetSums(store, { runId, round, batch }, separateDatasets(request));
    }
    const risk = leftOut ? withLeftOut(scored, leftOut, sets.count) : scored;
    const values = privacyLoss ? exactValues(risk.values) : risk.values;
    await writeValuePart(store, { runId, round, batch }, values);
    await writeLikeliest(store, { runId, round, batch }, risk.likeliest);
    await writePart(store, { runId, round, batch }, privacyLoss ? exactRisk(risk, privacyLoss) : risk);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new NumericalError('assessment-failed', `Batch ${batch} (from row ${from + 1}): ${error.message}.`);
  }
}
