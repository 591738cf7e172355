import type { CandidateOfRow, RecordDetails } from '../../../shared/contracts/results/record-details.ts';
import type { AttributeRiskTable } from '../../../shared/contracts/results/tables/attribute-risk-table.ts';

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
