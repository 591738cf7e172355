import type { OfScenario, RunContext } from '../../artifacts/run-context.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { Scenario } from '../../contracts/run/scenarios.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { mixedView } from '../../model/mixed/mixed-view.ts';
import { attributeRisk } from '../../risk/attribute/attribute-risk.ts';
import { spaceOfView } from '../../risk/mixed/record-candidates.ts';
import { estimatorTerms } from '../assess/estimator-terms.ts';
import { readMixedRows } from '../assess/mixed-rows.ts';
import { listedBytes, riskRequest, rowsWithin } from './listed-batches.ts';
import type { BatchBytes, RiskMethod } from './risk-method.ts';
import { sampled, summarizeSampled } from './sampled.ts';

/** Why nothing is found of who is in the table. */
const NO_MEMBERSHIP = 'the model mixed is not asked who is in the table';

/** What all chains say of a record's candidates, those of its continuous variables among them. */
function mixedBytes(plan: Plan, schema: TableSchema, scenario: Scenario): BatchBytes {
  const view = mixedView(schema, plan.config.variables);
  const sizes = view.sizes.slice(0, view.categorical.length);
  const { perRecord } = spaceOfView(view, [...view.continuous.keys()], sizes);
  const { fixed, perRow, perRowAtFirst } = listedBytes(plan, { ...scenario, candidatesPerCombination: perRecord });
  // In the kernel, the densities of a record's values in every class under the draw at hand.
  const densities = view.continuous.length * plan.classes * Float64Array.BYTES_PER_ELEMENT;
  // Beside a dataset records are scored by a kernel of its own, with sums and sums of squares of its own.
  const beside = plan.config.synthesis.synthesized === 'all' ? 0 : densities + 2 * perRecord * Float64Array.BYTES_PER_ELEMENT;
  return { fixed, perRow: perRow + densities + beside, perRowAtFirst: perRowAtFirst + densities + beside };
}

/** Candidates of categorical variables and of continuous ones, scored under every draw of the chains with densities. */
export const mixed: RiskMethod = {
  ...sampled,
  membershipReason: () => NO_MEMBERSHIP,
  batchBytes: mixedBytes,
  batchRows: (plan, schema, scenario, wanted) => rowsWithin(mixedBytes(plan, schema, scenario), wanted),
  async assess(store, context: RunContext & OfScenario, range, onUnit) {
    const rows = readMixedRows(store, context, range);
    const found = await estimatorTerms(store, context, range.chains, rows.scorers, onUnit);
    const { perRecord, categorical } = rows.mixedSpace;
    const request = { ...riskRequest(context, rows, found), candidates: perRecord, ranked: categorical.perCombination };
    return { risk: attributeRisk(request) };
  },
  terms: {
    code: 'candidates-of-mixed',
    message: 'A table of all candidates of one record is not offered with the model mixed: its first guess is in attribute-risk.csv.',
  },
  summarize: async (_, context, rows) => ({ ...summarizeSampled(context, rows), membership: { reason: NO_MEMBERSHIP } }),
};
