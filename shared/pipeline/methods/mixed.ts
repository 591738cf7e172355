import type { OfScenario, RunContext } from '../../artifacts/run-context.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { Scenario } from '../../contracts/run/scenarios.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { askedOfRecords, spaceOfView } from '../../risk/mixed/record-candidates.ts';
import { recordBytes } from '../../table/record-bytes.ts';
import { readMixedOthers } from '../assess/mixed-people.ts';
import { readMixedRows } from '../assess/mixed-rows.ts';
import { listedBytes, rowsWithin, withControl } from './listed-batches.ts';
import type { BatchBytes, RiskMethod } from './risk-method.ts';
import { assessRows, personNumbers, sampled } from './sampled.ts';

/** What all chains say of a record's candidates, those of its continuous variables among them. */
function mixedBytes(plan: Plan, schema: TableSchema, scenario: Scenario): BatchBytes {
  const asked = askedOfRecords(plan.config, schema, scenario.candidates);
  const { view } = asked;
  const { perRecord } = spaceOfView(asked);
  const { fixed, perRow, perRowAtFirst } = listedBytes(plan, { ...scenario, candidatesPerCombination: perRecord });
  // In the kernel, the densities of a record's values in every class under the draw at hand.
  const densities = view.continuous.length * plan.classes * Float64Array.BYTES_PER_ELEMENT;
  // Beside a dataset records are scored by a kernel of its own, with sums and sums of squares of its own.
  const beside = plan.config.synthesis.synthesized === 'all' ? 0 : densities + 2 * perRecord * Float64Array.BYTES_PER_ELEMENT;
  const own = { fixed, perRow: perRow + densities + beside, perRowAtFirst: perRowAtFirst + densities + beside };
  return withControl(plan, own, personNumbers(plan) + view.continuous.length * plan.classes, recordBytes(schema));
}

/** Candidates of categorical variables and of continuous ones, scored under every draw of the chains with densities. */
export const mixed: RiskMethod = {
  ...sampled,
  batchBytes: mixedBytes,
  batchRows: (plan, schema, scenario, wanted) => rowsWithin(mixedBytes(plan, schema, scenario), wanted),
  async assess(store, context: RunContext & OfScenario, range, onUnits) {
    const { mixedSpace, ...rows } = readMixedRows(store, context, range);
    const ofCandidates = { candidates: mixedSpace.perRecord, ranked: mixedSpace.categorical.perCombination };
    const readPeople = () => readMixedOthers(store, context, range);
    return assessRows(store, context, { rows, readPeople, ofCandidates }, range.chains, onUnits);
  },
  terms: {
    code: 'candidates-of-mixed',
    message: 'A table of all candidates of one record is not offered with the model mixed: its first guess is in attribute-risk.csv.',
  },
};
