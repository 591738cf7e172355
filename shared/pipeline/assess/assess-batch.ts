import { readRunContext } from '../../artifacts/run-context.ts';
import { writeCellPart } from '../../artifacts/stored-cell-part.ts';
import { hasPart, writePart } from '../../artifacts/stored-part.ts';
import { writeSearch } from '../../artifacts/stored-search.ts';
import { writeValuePart } from '../../artifacts/stored-value-part.ts';
import { scoresCells } from '../../contracts/config/config.ts';
import { NumericalError } from '../../contracts/errors.ts';
import type { Task } from '../../contracts/run/plan.ts';
import { attributeRisk } from '../../risk/attribute/attribute-risk.ts';
import type { Store } from '../../storage/store.ts';
import { readRoundChains } from '../rounds/stored-judgement.ts';
import { assessAllCells } from './assess-all-cells.ts';
import { estimatorTerms } from './estimator-terms.ts';
import { readRiskRows } from './risk-rows.ts';

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
  const context = await readRunContext(store, runId);
  const { plan, streams, space } = context;
  const { attributeRisk: settings } = plan.config;
  const chains = await readRoundChains(store, plan, round);
  const { from, to } = plan.batches[batch - 1]!;
  try {
    if (scoresCells(settings.candidates)) {
      const cells = await assessAllCells(store, context, chains, { from, to }, onUnit);
      await writeCellPart(store, { runId, round, batch }, cells);
      if (cells.searched) await writeSearch(store, { runId, round, batch }, cells.searched);
      await writePart(store, { runId, round, batch }, cells.risk);
      return;
    }
    const { counts, scorers, considered, sets } = await readRiskRows(store, context, { from, to });
    const { terms, effectiveDraws, paretoK } = await estimatorTerms(store, plan, chains, scorers, onUnit);
    const risk = attributeRisk({
      terms,
      counts,
      candidates: space.perCombination,
      considered,
      streams,
      slope: settings.slope,
      sets,
      effectiveDraws,
      paretoK,
    });
    await writeValuePart(store, { runId, round, batch }, risk.values);
    await writePart(store, { runId, round, batch }, risk);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new NumericalError('assessment-failed', `Batch ${batch} (from row ${from + 1}): ${error.message}.`);
  }
}
