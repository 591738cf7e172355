import type { OfScenario, RunModel } from '../../artifacts/run-context.ts';
import { NO_ROWS, type SomeCombinations } from '../../artifacts/stored-draws.ts';
import { readRecordDataset } from '../../artifacts/stored-table.ts';
import { normalPriorOf } from '../../model/mixed/normal-prior.ts';
import { priorDraw } from '../../risk/mixed/class-tables.ts';
import type { MixedSpace } from '../../risk/mixed/mixed-space.ts';
import { densityScorer, recordCandidates } from '../../risk/mixed/record-candidates.ts';
import { priorOf } from '../../risk/prior/row-priors.ts';
import type { Store } from '../../storage/store.ts';
import { chosenRecords } from '../../table/table.ts';
import type { RiskRows } from './risk-rows.ts';

/** The records `from` up to but without `to` (from 0) of a run by the model `mixed`, with all candidates of theirs. */
export function readMixedRows(
  store: Store,
  model: RunModel & OfScenario,
  { from, to }: { readonly from: number; readonly to: number },
): RowsOfMixed {
  const chosen = Uint32Array.from({ length: to - from }, (_, i) => from + i);
  return mixedRowsOf(store, model, chosen, { from, to, of: model.plan.table.records });
}

/** Rows with what an intruder considers for each. */
type RowsOfMixed = RiskRows & { readonly mixedSpace: MixedSpace };

/** The same of some records, by their numbers; `combinations` are these as draws have them. */
export function mixedRowsOf(
  store: Store,
  { plan, densities, scenario, space }: RunModel & OfScenario,
  chosen: Uint32Array,
  combinations: SomeCombinations = chosen,
): RowsOfMixed {
  if (densities === undefined) throw new RangeError('the run has no densities');
  const rows = chosen.length;
  const isPartial = plan.config.synthesis.synthesized !== 'all';
  const {
    space: own,
    scorer,
    outside,
    beside,
    ...candidates
  } = recordCandidates(chosenRecords(densities.records, chosen), { ...densities, listed: space }, normalPriorOf(plan.config.model));
  const size = { rows, length: rows * own.perRecord };
  const others = { ...candidates, counts: new Uint32Array(rows).fill(1), priors: priorOf(scenario.prior), mixedSpace: own };
  if (scenario.knows) {
    const alone = densityScorer({ space: own, outside }, rows);
    const prior = priorDraw(densities.view);
    return { ...others, scorers: { ...size, alone, withDataset: async () => alone, combinations: NO_ROWS, prior } };
  }
  return {
    ...others,
    scorers: {
      ...size,
      alone: scorer,
      withDataset: async (l) =>
        isPartial ? beside(chosenRecords(await readRecordDataset(store, plan, l, densities.records), chosen)) : scorer,
      combinations,
    },
  };
}
