import type { AttributeRiskTable } from '../../contracts/results/attribute-risk-table.ts';
import type { RiskiestRows } from '../../contracts/results/record-details.ts';
import { riskiestRows } from '../../report/sections/riskiest-section.ts';

/** Rows that are listed of a scenario. */
const ROWS_LISTED = 10;

/** The rows most at risk under a scenario, in the order of the report's list for the first: all that is kept of its table. */
export function riskiestOfScenario(scenario: string, table: AttributeRiskTable): RiskiestRows {
  const { columns, ofRecords } = table;
  return {
    scenario,
    ofRecords,
    rows: riskiestRows(table)
      .slice(0, ROWS_LISTED)
      .map((row) => ({
        number: (ofRecords ? columns.record : columns.combination)[row]!,
        count: columns.count[row]!,
        candidates: columns.candidates[row]!,
        rank: columns.rank[row]!,
        rankLow: columns.rank_low[row]!,
        rankHigh: columns.rank_high[row]!,
        priorProbability: columns.prior_probability[row]!,
        probability: columns.probability[row]!,
        probabilitySe: columns.probability_se[row]!,
        bayesFactor: columns.bayes_factor(row),
        bayesFactorSe: columns.bayes_factor_se(row),
      })),
  };
}
