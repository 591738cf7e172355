import { type CandidateOfRow, type RecordDetails, ROWS_HELD, type ScenarioMatches } from '../../contracts/results/record-details.ts';
import type { AttributeRiskTable } from '../../contracts/results/tables/attribute-risk-table.ts';
import type { ContinuousRows } from '../../contracts/results/tables/continuous-risk-table.ts';
import type { VariableRiskTable } from '../../contracts/results/tables/variable-risk-table.ts';
import type { OnUnits } from '../../contracts/stepwise.ts';
import type { CandidatesOfRows, MarkedChart, MatchesOfRows, RecordData } from './browser/record-data.ts';
import { densityColumns, nearRise, rowsOfRecords } from './density-columns.ts';
import { column, riskColumns, scenarioColumns, Texts, valueColumns, variableColumns } from './record-columns.ts';
import { rounded, roundedOrNull } from './rounded.ts';

/**
 * Numbers that a page holds in the details of its rows at most, about 1.5 MB of them: where rows have more, those most at
 * risk have details.
 */
const DETAIL_NUMBERS = 350_000;

/** Numbers of a value by itself, of a candidate, of a scenario, of a dataset that is matched, and of a continuous variable. */
const NUMBERS_OF = { value: 7, candidate: 3, scenario: 6, match: 2, density: 13, mass: 2 } as const;

/** Characters that take what a number does. */
const CHARACTERS = 4;

/** Candidates that a run keeps of a row, at most, for what its details take. */
const CANDIDATES_KEPT = 12;

/** Rows that have details at most where the run keeps candidates: others need neither these nor values. */
export const MOST_DETAILED = Math.floor(DETAIL_NUMBERS / (NUMBERS_OF.candidate * CANDIDATES_KEPT));

/** What the records of a report are made of. */
export interface RecordsInput {
  /** The columns of `attribute-risk.csv` for the first scenario; null where there is no attribute risk. */
  readonly table: AttributeRiskTable | null;
  /** The rows of `variable-risk.csv` for the first scenario; null where no variable is asked for by itself. */
  readonly values: VariableRiskTable | null;
  /** The rows of `continuous-risk.csv` for the first scenario; null where no variable has a density. */
  readonly continuous: ContinuousRows | null;
  readonly details: RecordDetails;
  readonly charts: readonly MarkedChart[];
  /** Hears of each row that is held. */
  readonly onRow?: OnUnits;
}

/** The mean over datasets of the risk T/c of a record (from 0). */
const meanMatchRisk = ({ datasets, matches, own }: ScenarioMatches, record: number) => {
  let sum = 0;
  for (let at = record * datasets; at < (record + 1) * datasets; at++) {
    if (own[at]! > 0) sum += own[at]! / matches[at]!;
  }
  return sum / datasets;
};

/** Rows from that of the largest risk to the least. */
function riskOrder(rows: number, riskOf: (row: number) => number): number[] {
  const risk = Float64Array.from({ length: rows }, (_, row) => riskOf(row));
  return Array.from(risk.keys()).sort((a, b) => risk[b]! - risk[a]! || a - b);
}

/** The rows of a ranked table from that of the largest risk to the least: as the probability of the truth is by a uniform one. */
export const rankedOrder = ({ rows, columns }: AttributeRiskTable): number[] => riskOrder(rows, (row) => columns.ratio_to_uniform[row]!);

/**
 * What the page holds of rows, for its script; null where the run has no rows to show. Every number is that of the tables,
 * rounded as the page shows it.
 */
export function recordData({ table, values, continuous, details, charts, onRow }: RecordsInput): RecordData | null {
  const { scenarios, matches, candidates, densities } = details;
  const named = table ?? details.rows;
  if (named === null || named.rows === 0) return null;
  const ofRecords = table === null || table.ofRecords;
  const numberOf = (row: number) => (table === null ? row + 1 : (ofRecords ? table.columns.record : table.columns.combination)[row]!);
  const ofRecord = continuous && rowsOfRecords(continuous);
  const riseOf = ofRecord && ((row: number) => nearRise(continuous, ofRecord, numberOf(row)));
  const largestMatchRisk = (row: number) => Math.max(0, ...matches.map((one) => meanMatchRisk(one, row)));
  // By the ratio to uniform; where candidates are not ranked by the rise near numbers, else by the risk of a match.
  const order = table ? rankedOrder(table) : riskOrder(named.rows, riseOf ? (row) => riseOf(row) ?? -1 : largestMatchRisk);
  const rows = order.slice(0, ROWS_HELD);
  const variables = named.variables;
  const perRow =
    (values ? (NUMBERS_OF.value * values.rowsOfFile) / named.rows : 0) +
    (candidates ? NUMBERS_OF.candidate * CANDIDATES_KEPT : 0) +
    NUMBERS_OF.scenario * scenarios.length +
    NUMBERS_OF.match * matches.reduce((sum, { datasets }) => sum + datasets, 0) +
    densities.reduce(
      (sum, { masses, bounds }) => sum + NUMBERS_OF.density + NUMBERS_OF.mass * masses.length + (2 * bounds.length) / CHARACTERS,
      0,
    );
  const most = Math.floor(DETAIL_NUMBERS / Math.max(1, perRow));
  const detailedRows = rows.slice(0, most);
  const guesses = new Texts<string>();
  const detailedNumbers = detailedRows.map(numberOf);
  return {
    noun: ofRecords ? 'record' : 'combination',
    scenario: table?.columns.scenario(0) ?? null,
    rows: rows.length,
    rowsOfRun: named.rows,
    numbers: column(rows.map(numberOf)),
    variables: variableColumns(variables, rows),
    columns: {
      ...(table ? riskColumns(table, rows, onRow) : {}),
      ...(table?.ofRecords ? { shared: column(sharedBy(table, rows)) } : {}),
      ...(matches.length > 0 ? { match_risk: column(rows.map((row) => rounded(largestMatchRisk(row)))) } : {}),
      ...(riseOf ? { near_rise: column(rows.map((row) => roundedOrNull(riseOf(row)))) } : {}),
    },
    guess: table ? column(rows.map((row) => guessOf(table, row, guesses))) : -1,
    guesses: guesses.list,
    detailed: detailedRows.length,
    values: values ? valueColumns(values, detailedNumbers) : [],
    candidates: candidates
      ? candidatesOf(
          detailedRows.map(candidates),
          variables.map(({ name }) => name),
        )
      : null,
    densities: ofRecord ? densityColumns(continuous, ofRecord, densities, detailedNumbers) : [],
    scenarios: scenarios.map((one) => ({ scenario: one.scenario, columns: scenarioColumns(one, detailedNumbers) })),
    matches: matches.map((one) => matchesOf(one, detailedRows)),
    charts,
  };
}

/** Of each row the records of its combination. */
function sharedBy({ columns: { combination, count } }: AttributeRiskTable, rows: readonly number[]): number[] {
  const records = new Map<number, number>();
  for (const [row, number] of combination.entries()) {
    records.set(number, (records.get(number) ?? 0) + count[row]!);
  }
  return rows.map((row) => records.get(combination[row]!)!);
}

function guessOf({ columns }: AttributeRiskTable, row: number, guesses: Texts<string>): number {
  const variable = columns.first_guess_variable(row);
  if (variable === null) return -1;
  return guesses.placeOf(`${variable} = ${columns.first_guess_value(row) ?? ''}`);
}

function candidatesOf(rows: readonly (readonly CandidateOfRow[])[], names: readonly string[]): CandidatesOfRows {
  const places = new Map(names.map((name, place) => [name, place]));
  const keys = new Texts<string>();
  const changes: (readonly (readonly [number, string])[])[] = [];
  const placeOf = (candidate: CandidateOfRow) => {
    const own = candidate.changes.map(({ variable, value }) => [places.get(variable)!, value] as const);
    const place = keys.placeOf(JSON.stringify(own));
    changes[place] ??= own;
    return place;
  };
  return {
    candidates: rows.map((row) => row.map(placeOf)),
    changes,
    after: rows.map((row) => row.map(({ after }) => rounded(after))),
    before: rows.map((row) => column(row.map(({ before }) => (before === null ? null : rounded(before))))),
  };
}

function matchesOf({ scenario, datasets, matches, own }: ScenarioMatches, rows: readonly number[]): MatchesOfRows {
  const of = (array: Int32Array) => rows.map((row) => [...array.subarray(row * datasets, (row + 1) * datasets)]);
  return { scenario, matches: of(matches), own: of(own) };
}
