import type { CandidateOfRow, RecordDetails, VariableDensities } from '../../../shared/contracts/results/record-details.ts';
import type { AttributeRiskTable } from '../../../shared/contracts/results/tables/attribute-risk-table.ts';
import type { ContinuousNumber, ContinuousRows } from '../../../shared/contracts/results/tables/continuous-risk-table.ts';

/** Candidates of a row, the likeliest first: its first guess, the truth, and some others. */
function candidatesOf({ columns, variables }: AttributeRiskTable, row: number): CandidateOfRow[] {
  const before = columns.prior_probability[row]!;
  const truth = { changes: [], before, after: columns.probability[row]! };
  const guess = columns.first_guess_variable(row);
  const guessed =
    guess === null
      ? []
      : [{ changes: [{ variable: guess, value: columns.first_guess_value(row)! }], before, after: columns.first_guess_probability[row]! }];
  const others = variables
    .slice(0, 4)
    .map(({ name }, v) => ({ changes: [{ variable: name, value: `other ${v}` }], before, after: truth.after / (v + 2) }));
  return [...guessed, truth, ...others].toSorted((a, b) => b.after - a.after);
}

/** What is told of the rows of a table beside it: candidates, and another intruder who has all records of the first row. */
export function detailsOf(table: AttributeRiskTable): RecordDetails {
  const { columns } = table;
  const others = <Column extends { subarray(from: number): Column }>(column: Column) => column.subarray(1);
  return {
    rows: null,
    candidates: (row) => candidatesOf(table, row),
    densities: [],
    scenarios: [
      {
        scenario: 'model',
        numbers: others(table.ofRecords ? columns.record : columns.combination),
        columns: {
          candidates: others(columns.candidates),
          prior_probability: others(columns.prior_probability).map((prior) => prior * 1.5),
          probability: others(columns.probability).map((probability) => probability * 0.7),
          probability_se: others(columns.probability_se),
          rank: others(columns.rank),
          rank_low: others(columns.rank_low),
          rank_high: others(columns.rank_high),
        },
      },
    ],
    matches: [],
  };
}

/** The same with matches of every row in two datasets, as records have them. */
export function matchedDetailsOf(table: AttributeRiskTable): RecordDetails {
  const datasets = 2;
  const matches = Int32Array.from({ length: table.rows * datasets }, (_, at) => (7 * at) % 5);
  return {
    ...detailsOf(table),
    matches: [{ scenario: 'neighbours', datasets, matches, own: matches.map((count) => (count % 2 === 1 ? 1 : 0)) }],
  };
}

/** An income of each row, from -1,000 to 1,000, with a mass at 0 and one above the range. */
const incomeOf = (row: number) => (row % 7 === 0 ? 0 : ((row * 37) % 2000) - 1000);

/** What continuous-risk.csv says of the incomes of some rows. */
export function incomeRows(rows: number): ContinuousRows {
  const figures: Readonly<Record<ContinuousNumber, (row: number) => number>> = {
    withinBefore: () => 0.1,
    withinAfter: (row) => 0.1 + (row % 10) / 20,
    withinSe: () => 0.004,
    gainBits: (row) => (row % 10) / 4 - 0.5,
    claimedBits: () => 0.21,
    crpsBefore: () => 210,
    crpsAfter: () => 190,
    lowBefore: () => -800,
    highBefore: () => 850,
    medianBefore: () => -20,
    lowAfter: (row) => Math.max(-900, incomeOf(row) - 300),
    highAfter: (row) => Math.min(2000, incomeOf(row) + 300),
    medianAfter: (row) => incomeOf(row) + 15,
  };
  return {
    rows,
    scenario: 'one-change',
    recordOf: (row) => row + 1,
    variableOf: () => 'INCOME OF HOUSEHOLD',
    truthOf: incomeOf,
    figure: (row, name) => figures[name](row),
  };
}

/** The distributions of these: a broad bell before, a narrow one about the value after. */
export function incomeDensities(): VariableDensities {
  const CELLS = 40;
  const middles = Array.from({ length: CELLS }, (_, c) => -1000 + (2000 * (c + 0.5)) / CELLS);
  const believed = (centre: number, width: number) => {
    const bell = middles.map((middle) => Math.exp(-(((middle - centre) / width) ** 2) / 2));
    const total = bell.reduce((sum, one) => sum + one, 0);
    return Float32Array.from([0.15, 0.05, ...bell.map((one) => (0.8 * one) / total)]);
  };
  return {
    variable: 'INCOME OF HOUSEHOLD',
    near: 'within 10 %',
    masses: [0, 2000],
    bounds: Array.from({ length: CELLS + 1 }, (_, c) => -1000 + (2000 * c) / CELLS),
    of: (record) => ({ before: believed(-20, 500), after: believed(incomeOf(record), 180) }),
  };
}
