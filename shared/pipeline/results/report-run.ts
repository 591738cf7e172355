import type { output, ZodType } from 'zod';
import { readHeading } from '../../artifacts/report-heading.ts';
import { contextOfScenario, readRunModel } from '../../artifacts/run-context.ts';
import { readCheckedJson, readJson } from '../../artifacts/stored-json.ts';
import { readFigures } from '../../artifacts/stored-part.ts';
import { readRecordTable } from '../../artifacts/stored-table.ts';
import { runKeys } from '../../contracts/keys.ts';
import { attackSummarySchema } from '../../contracts/results/attack.ts';
import { foundBoundsSchema } from '../../contracts/results/bounds.ts';
import { calibrationSchema } from '../../contracts/results/calibration.ts';
import { chainDiagnosticsSchema } from '../../contracts/results/chain-diagnostics.ts';
import { isRanked } from '../../contracts/results/ranked-figures.ts';
import {
  type RecordDetails,
  type RiskiestRows,
  ROWS_HELD,
  SCENARIO_COLUMNS,
  type ScenarioRows,
  type VariableDensities,
} from '../../contracts/results/record-details.ts';
import { remediesSchema } from '../../contracts/results/remedies.ts';
import { type AttributeRiskSummary, type Summary, summarySchema } from '../../contracts/results/summary.ts';
import { type AttributeRiskTable, attributeRiskTable, bayesFactorOf } from '../../contracts/results/tables/attribute-risk-table.ts';
import { planSchema } from '../../contracts/run/plan.ts';
import { countShare, type OnShare, unheard } from '../../contracts/stepwise.ts';
import { MOST_DETAILED, rankedOrder } from '../../report/records/record-data.ts';
import { renderReport } from '../../report/render-report.ts';
import type { ReportInput } from '../../report/review/report-input.ts';
import { VALUES_LISTED } from '../../report/sections/given-away-section.ts';
import { riskiestRows } from '../../report/sections/riskiest-section.ts';
import type { Store } from '../../storage/store.ts';
import { categoryText } from '../../table/category-text.ts';
import { methodOf } from '../methods/methods.ts';
import { continuousRows, readNumbers, readVariableDensities } from '../tables/continuous-rows.ts';
import { attributeRiskRows, recordVariables, tableRows } from '../tables/risk-tables.ts';
import { readShownValues } from '../tables/shown-values.ts';
import { reportUnits } from './closing-units.ts';
import { readIdentificationRisk } from './identify-records.ts';

/** Writes the HTML report of an assessed run from its files, with a calibration where one was put beside them. */
export async function reportRun(store: Store, { runId }: { runId: string }, onShare: OnShare = unheard): Promise<void> {
  const keys = runKeys(runId);
  const summary = await readJson(store, keys.confidential.summary, summarySchema);
  const assessed = summary.attributeRisk[0];
  const ranked = assessed && isRanked(assessed) ? assessed : null;
  const scenarios = await readScenarios(store, runId, summary);
  const table = ranked && (await readRiskTable(store, runId, summary.rounds.length, ranked, 1));
  const riskiest = table && Uint32Array.from(rankedOrder(table).slice(0, ROWS_HELD));
  const isListed = riskiest !== null && summary.attributeRisk.every(isRanked);
  const candidates = isListed ? await readCandidates(store, runId, summary.rounds.length, riskiest.slice(0, MOST_DETAILED)) : null;
  const detailed = candidates ? riskiest!.slice(0, MOST_DETAILED) : riskiest;
  const { densities, ...tables } = await readValueTables(store, runId, summary, detailed);
  const units = reportUnits(table?.rows ?? 0, summary.attributeRisk.length);
  const onUnits = countShare(units.all, onShare);
  onUnits(units.read);
  // The first of the rows comes after the charts.
  let { drawn } = units;
  const html = await renderReport({
    onRow: () => {
      onUnits(drawn + units.rowHeld);
      drawn = 0;
    },
    summary,
    heading: await readHeading(store, runId),
    table,
    ...tables,
    riskiest: scenarios.map(({ riskiest }) => riskiest),
    details: { ...(await readDetails(store, runId, summary, scenarios.slice(1))), candidates, densities },
    chains: assessed && (await store.head(keys.chains)) ? await readCheckedJson(store, keys.chains, chainDiagnosticsSchema) : null,
    inherent: await readWhereThere(store, keys.confidential.inherent, foundBoundsSchema),
    calibration: await readWhereThere(store, keys.confidential.calibration, calibrationSchema),
    attack: await readWhereThere(store, keys.confidential.attack, attackSummarySchema),
    remedies: await readWhereThere(store, keys.confidential.remedies, remediesSchema),
  });
  await store.put(keys.confidential.report, new TextEncoder().encode(html));
}

/** A document of a run that not every run has; null where this one has none. */
async function readWhereThere<Schema extends ZodType>(store: Store, key: string, schema: Schema): Promise<output<Schema> | null> {
  return (await store.head(key)) ? readJson(store, key, schema) : null;
}

/** What the first scenario of a run says of the values of single variables; null where it asks for none. */
interface ValueTables extends Pick<ReportInput, 'values' | 'continuous'> {
  readonly densities: readonly VariableDensities[];
}

async function readValueTables(
  store: Store,
  runId: string,
  { attributeRisk, rounds }: Summary,
  detailed: Uint32Array | null,
): Promise<ValueTables> {
  if (attributeRisk.length === 0 || attributeRisk[0]!.gainBitsMean === null) return { values: null, continuous: null, densities: [] };
  const context = contextOfScenario(await readRunModel(store, runId), 1);
  const beside = await methodOf(context.plan.config, context.scenario).readBeside?.(store, context, rounds.length);
  const held = detailed && new Set(detailed);
  const shown = { isShown: (row: number) => held === null || held.has(row), givenAway: VALUES_LISTED };
  return {
    values: attributeRisk[0]!.variables.length > 0 ? await readShownValues(store, context, rounds.length, beside ?? null, shown) : null,
    continuous: continuousRows(context, await readNumbers(store, context, rounds.length)),
    densities: await readVariableDensities(store, context, rounds.length),
  };
}

/** What is kept of one of several scenarios. */
interface ReadScenario {
  readonly riskiest: RiskiestRows;
  readonly rows: ScenarioRows;
}

/** What is kept of each of several scenarios, of whose tables one is in memory at a time. */
async function readScenarios(store: Store, runId: string, { attributeRisk, rounds }: Summary): Promise<ReadScenario[]> {
  const scenarios: ReadScenario[] = [];
  if (attributeRisk.length < 2 || !attributeRisk.every(isRanked)) return scenarios;
  for (const [s, risk] of attributeRisk.entries()) {
    const table = await readRiskTable(store, runId, rounds.length, risk, s + 1);
    const { scenario } = risk;
    const columns = Object.fromEntries(SCENARIO_COLUMNS.map((name) => [name, table.columns[name]]));
    scenarios.push({
      riskiest: riskiestOfScenario(scenario, table),
      rows: {
        scenario,
        numbers: table.ofRecords ? table.columns.record : table.columns.combination,
        columns: columns as ScenarioRows['columns'],
      },
    });
  }
  return scenarios;
}

/** What is shown of single rows beside the tables of the first scenario. */
async function readDetails(
  store: Store,
  runId: string,
  { attributeRisk, identificationRisk, synthesis }: Summary,
  others: readonly ReadScenario[],
): Promise<Omit<RecordDetails, 'candidates' | 'densities'>> {
  const ranked = attributeRisk.length > 0 && attributeRisk.every(isRanked);
  return {
    rows: ranked || (synthesis.kind === 'full' && attributeRisk.length === 0) ? null : await readMatchedRows(store, runId),
    scenarios: others.map(({ rows }) => rows),
    matches: await readIdentificationRisk(store, runId, identificationRisk),
  };
}

/** The attribute risk of a scenario (from 1) of a run, from the parts of a round. */
async function readRiskTable(
  store: Store,
  runId: string,
  round: number,
  { paretoKThreshold }: AttributeRiskSummary,
  scenario: number,
): Promise<AttributeRiskTable> {
  const context = contextOfScenario(await readRunModel(store, runId), scenario);
  const figures = await readFigures(store, context.scenario, round);
  const beside = await methodOf(context.plan.config, context.scenario).readBeside?.(store, context, round);
  const rowsOfPart = await attributeRiskRows(store, context, paretoKThreshold, beside ?? null);
  return attributeRiskTable(rowsOfPart({ from: 0, figures }));
}

/** Rows that are listed of a scenario. */
const ROWS_LISTED = 10;

/** The rows most at risk under a scenario, in the order of the report's list for the first: all that is kept of its table. */
function riskiestOfScenario(scenario: string, table: AttributeRiskTable): RiskiestRows {
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
        bayesFactor: bayesFactorOf(table, row),
        bayesFactorSe: columns.bayes_factor_se(row),
      })),
  };
}

/** The records of a run that ranks no candidates, with the values of all variables. */
async function readMatchedRows(store: Store, runId: string): Promise<RecordDetails['rows']> {
  const plan = await readCheckedJson(store, runKeys(runId).plan, planSchema);
  const table = await readRecordTable(store, plan);
  return { rows: table.records, variables: recordVariables(table) };
}

/** The likeliest candidates of some rows of a run's first scenario, by names and values; null for parts of a version that kept none. */
async function readCandidates(store: Store, runId: string, round: number, rows: Uint32Array): Promise<RecordDetails['candidates']> {
  const context = contextOfScenario(await readRunModel(store, runId), 1);
  const { schema } = context.table;
  const { codesOf } = await tableRows(store, context);
  const likeliest = await methodOf(context.plan.config, context.scenario).readLikeliest(store, context, round, { rows, codesOf });
  return (
    likeliest &&
    ((row) =>
      likeliest(row).map(({ changes, ...figures }) => ({
        changes: changes.map(({ variable, code }) => ({
          variable: schema.variables[variable]!.name,
          value: categoryText(schema, variable, code) ?? 'NA',
        })),
        ...figures,
      })))
  );
}
