import type { ScenarioModel } from '../../artifacts/run-context.ts';
import { readPartialDataset, readRecordTable } from '../../artifacts/stored-columns.ts';
import { readTargets } from '../../artifacts/stored-targets.ts';
import type { CalibrationTargets } from '../../risk/calibration/calibration-targets.ts';
import { createTruthScorer, heldValues } from '../../risk/calibration/truth-scorer.ts';
import { createRatioScorer } from '../../risk/scoring/likelihood-ratio.ts';
import type { Store } from '../../storage/store.ts';
import { findCombinations } from '../../table/distinct-rows.ts';
import { recordCodes } from '../../table/record-codes.ts';
import { stackedVariables } from '../../table/replaced-columns.ts';
import { ownScorer } from '../synthesizers/own-scorer.ts';
import type { RowScorers } from './estimator-terms.ts';

/** Scorers of the targets `from` up to but without `to` (from 0) of a replicate, against what took their places. */
export async function targetScorers(
  store: Store,
  { plan, scenario, table, space, synthesized }: ScenarioModel,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<RowScorers> {
  const { variables } = table.combinations;
  const all = await readTargets(store, plan.runId);
  const targets: CalibrationTargets = {
    centres: all.centres.subarray(from * variables, to * variables),
    truths: all.truths.subarray(from, to),
    records: all.records.subarray(from, to),
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
      const { columns } = await readPartialDataset(store, plan, l, records);
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
