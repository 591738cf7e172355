import { encodeCheckedNpy } from '../../arrays/checked-npy.ts';
import { contextOfScenario, readRunContext, type ScenarioModel } from '../../artifacts/run-context.ts';
import { readCentres, readRecordDataset, readRecordTable, readTargets } from '../../artifacts/stored-table.ts';
import { NumericalError } from '../../contracts/errors.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { Task } from '../../contracts/run/plan.ts';
import { evaluateTerms } from '../../risk/attribute/expectation.ts';
import { createTruthScorer, heldValues } from '../../risk/calibration/calibration-targets.ts';
import { ranksCandidates } from '../../risk/intruder/candidate-space.ts';
import { createRatioScorer } from '../../risk/scoring/likelihood-ratio.ts';
import type { Store } from '../../storage/store.ts';
import { findCombinations } from '../../table/distinct-rows.ts';
import { recordCodes } from '../../table/record-codes.ts';
import { stackedVariables } from '../../table/replaced-columns.ts';
import { ownScorer } from '../synthesizers/synthesizers.ts';
import { estimatorTerms, type RowScorers } from './estimator-terms.ts';
import { mixedRowsOf } from './mixed-rows.ts';
import type { RowRange } from './other-people.ts';

/** Scorers of the targets `from` up to but without `to` (from 0) of a replicate, against what took their places. */
async function targetScorers(
  store: Store,
  { plan, scenario, table, space, synthesized }: ScenarioModel,
  { from, to }: RowRange,
): Promise<RowScorers> {
  const { variables } = table.combinations;
  const { truths, records: chosen } = await readTargets(store, plan.runId);
  const targets = {
    centres: (await readCentres(store, plan.runId)).subarray(from * variables, to * variables),
    truths: truths.subarray(from, to),
    records: chosen.subarray(from, to),
  };
  const size = {
    rows: to - from,
    length: (to - from) * space.perCombination,
    ...(scenario.phi === 'integrated' ? { combinations: findCombinations(table.combinations, heldValues(space, targets)) } : {}),
  };
  const own = ownScorer(plan, table, space, targets.centres);
  const alone = createTruthScorer(space, targets, own ?? undefined);
  if (synthesized === null || own) return { ...size, alone, withDataset: async () => alone };
  const records = await readRecordTable(store, plan);
  const variableOfColumn = stackedVariables(table.sizes, synthesized);
  const width = variableOfColumn.length;
  return {
    ...size,
    alone,
    withDataset: async (l) => {
      const { columns } = await readRecordDataset(store, plan, l, records);
      const own = synthesized.map((k) => columns[k]!);
      const centres = new Uint16Array(targets.truths.length * width);
      for (const [t, record] of targets.records.entries()) {
        centres.set(targets.centres.subarray(t * variables, (t + 1) * variables), t * width);
        centres.set(recordCodes(own, record, record + 1), t * width + variables);
      }
      return createTruthScorer(space, targets, createRatioScorer(space, centres, variableOfColumn));
    },
  };
}

/** What scores the targets of a replicate, and which of the candidates that it scores the truth is drawn from. */
interface TargetCandidates {
  readonly scorers: RowScorers;
  readonly from: number;
  readonly to: number;
}

/** The same of targets that are records with densities: a continuous variable's truth is drawn from its masses and cells. */
async function recordTargets(store: Store, context: ScenarioModel, range: RowRange): Promise<TargetCandidates> {
  const { records } = await readTargets(store, context.plan.runId);
  const { scorers, mixedSpace } = mixedRowsOf(store, context, records.subarray(range.from, range.to));
  return { scorers, from: ranksCandidates(context.space) ? 0 : context.space.perCombination, to: mixedSpace.perRecord };
}

/**
 * Log-likelihoods of the candidates of one batch of a replicate's targets, by the run's estimator and raised to its slope, each up to a
 * constant. Stored as targets x candidates; a batch that is there already is left alone.
 *
 * @throws NumericalError naming the target when an estimate is not a number
 */
export async function scoreTargets(store: Store, { runId, batch }: Extract<Task, { step: 'score' }>, onChain: () => void): Promise<void> {
  const key = runKeys(runId).scores(batch);
  if ((await store.head(key)) !== null) return;
  // A calibration is of one scenario.
  const context = contextOfScenario(await readRunContext(store, runId), 1);
  const { plan, streams, space, densities } = context;
  const { attributeRisk: settings } = plan.config;
  const { from, to } = plan.batches[batch - 1]!;
  const { scorers, ...drawn } = densities
    ? await recordTargets(store, context, { from, to })
    : { scorers: await targetScorers(store, context, { from, to }), from: 0, to: space.perCombination };
  const candidates = drawn.to - drawn.from;
  const { terms } = await estimatorTerms(store, context, plan.config.mcmc, scorers, onChain);
  const evaluate = evaluateTerms(terms, streams, drawn.to, 1);
  const scores = new Float64Array((to - from) * candidates);
  for (let t = 0; t < to - from; t++) {
    const values = evaluate(t)
      .subarray(drawn.from)
      .map((value) => value * settings.slope);
    if (!values.every((value) => Math.abs(value) < Infinity)) {
      throw new NumericalError('assessment-failed', `Target ${from + t + 1} has no finite estimate.`);
    }
    scores.set(values, t * candidates);
  }
  await store.put(key, encodeCheckedNpy(scores, [to - from, candidates]), { ifAbsent: true });
}
