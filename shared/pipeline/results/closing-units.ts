import { factsOf } from '../../contracts/models/models.ts';
import { ROWS_HELD } from '../../contracts/results/record-details.ts';
import { ATTRIBUTE_RISK } from '../../contracts/results/tables/attribute-risk-table.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { openScenarios, type Scenario, valueSets } from '../../contracts/run/scenarios.ts';
import { MOST_PRODUCTS } from '../copies/copies-of-run.ts';
import { methodOf } from '../methods/methods.ts';
import { chainsNeeded, hasAttributeRisk } from '../rounds/chains-needed.ts';

/**
 * Microseconds, as a table of 200,000 combinations takes them. They say how the steps at the end of a run compare with each other: how
 * long they take is found while they run.
 */
const MICROSECONDS = {
  /** The figures of a value of a row, and its line in `variable-risk.csv`. */
  value: 6,
  valueWritten: 12,
  /** The figures of a row; whether it is in the table; and each column of its line in `attribute-risk.csv`. */
  row: 21,
  membership: 25,
  columnWritten: 0.9,
  /** A product of probabilities, from which it is found how many copies are expected. */
  product: 0.013,
  /** A row that the report reads, and draws; one that it holds by itself; and the details and charts of any. */
  rowRead: 10,
  rowDrawn: 7,
  rowHeld: 140,
  page: 4e6,
} as const;

/** Units of work of putting a scenario together: of all its values, of all its rows, and of a line of each table. */
export function riskUnits(plan: Plan, scenario: Scenario) {
  const rows = scenario.batches.at(-1)?.to ?? 0;
  const asksMembership = methodOf(plan.config, scenario).membershipReason(plan.config) === null;
  return {
    values: rows * valueSets(plan, scenario) * MICROSECONDS.value,
    rows: rows * (MICROSECONDS.row + (asksMembership ? MICROSECONDS.membership : 0)),
    valueWritten: MICROSECONDS.valueWritten,
    rowWritten: (Object.keys(ATTRIBUTE_RISK.columns).length + plan.table.variables) * MICROSECONDS.columnWritten,
  };
}

/** Units of work of counting the copies of a run. */
export function copiesUnits(plan: Plan): number {
  if (!hasAttributeRisk(plan) || !factsOf(plan.config.model).offers.includes('expected-copies')) return 0;
  const { combinations, variables } = plan.table;
  const draws = chainsNeeded(plan).base * plan.config.mcmc.draws;
  return Math.min(MOST_PRODUCTS, combinations * variables * plan.classes * draws) * MICROSECONDS.product;
}

/** Units of work of putting the results of a run together. */
export function aggregateUnits(plan: Plan): number {
  const ofScenarios = hasAttributeRisk(plan) ? openScenarios(plan) : [];
  return ofScenarios.reduce((sum, scenario) => {
    const units = riskUnits(plan, scenario);
    const rows = scenario.batches.at(-1)?.to ?? 0;
    return sum + units.values + units.rows + rows * (units.rowWritten + valueSets(plan, scenario) * units.valueWritten);
  }, copiesUnits(plan));
}

/** Units of work of a report of ranked rows: of those that it reads in all scenarios, of each that it holds, and all of them. */
export function reportUnits(rows: number, scenarios: number) {
  const { rowRead, rowDrawn, rowHeld, page } = MICROSECONDS;
  const read = scenarios * rows * rowRead;
  return { read, rowHeld, all: read + Math.min(rows, ROWS_HELD) * rowHeld + rows * rowDrawn + page };
}
