import { scoresCells } from '../../contracts/candidates.ts';
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
  value: 4,
  valueWritten: 12,
  /** A candidate given another variable, by which a simple predictor guesses. */
  guessed: 0.008,
  /** The figures of a row; whether it is in the table; and each column of its line in `attribute-risk.csv`. */
  row: 21,
  membership: 25,
  columnWritten: 0.9,
  /** A product of probabilities, from which it is found how many copies are expected. */
  product: 0.013,
  /** A row that the report reads, that is in the first charts, that is held by itself, and that is in all other sections. */
  rowRead: 7,
  rowDrawn: 5,
  rowHeld: 140,
  rowShown: 11,
  /** The first charts of any report, and its other sections. */
  charts: 2e6,
  sections: 4.5e6,
} as const;

/** Units of work of putting a scenario together: of all its values and of guessing them, of all its rows, and of a line of each table. */
export function riskUnits(plan: Plan, scenario: Scenario) {
  const rows = scenario.batches.at(-1)?.to ?? 0;
  const asksMembership = methodOf(plan.config, scenario).membershipReason(plan.config) === null;
  return {
    values: rows * (valueSets(plan, scenario) * MICROSECONDS.value + pairsGuessed(plan, scenario) * MICROSECONDS.guessed),
    rows: rows * (MICROSECONDS.row + (asksMembership ? MICROSECONDS.membership : 0)),
    valueWritten: MICROSECONDS.valueWritten,
    rowWritten: (Object.keys(ATTRIBUTE_RISK.columns).length + plan.table.variables) * MICROSECONDS.columnWritten,
  };
}

/** Candidates of a row, each given every other variable; of several unknown variables, which are few, none is counted. */
function pairsGuessed({ table }: Plan, { candidates, candidatesPerCombination }: Scenario): number {
  const areSingle = typeof candidates === 'string' || candidates.unknown.length === 1;
  return areSingle && !scoresCells(candidates) ? candidatesPerCombination * (table.variables - 1) : 0;
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

/** Units of work of a report of ranked rows: of reading those of all scenarios, of what comes before the rows that it holds, of each of these, and of all. */
export function reportUnits(rows: number, scenarios: number) {
  const { rowRead, rowDrawn, rowHeld, rowShown, charts, sections } = MICROSECONDS;
  const read = scenarios * rows * rowRead;
  const drawn = rows * rowDrawn + charts;
  return { read, drawn, rowHeld, all: read + drawn + Math.min(rows, ROWS_HELD) * rowHeld + rows * rowShown + sections };
}
