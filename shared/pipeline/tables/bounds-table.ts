import { double, int32, maybeDouble, type ResultTable, text } from '../../contracts/column.ts';
import type { BoundsRow } from '../../contracts/results/bounds.ts';

/** `inherent.csv`. */
export const INHERENT: ResultTable<BoundsRow> = {
  file: 'inherent',
  row: 'a bound, resample and scenario',
  columns: {
    bound: text('`minimum` or `maximum`.', (row) => row.bound),
    resample: int32('Number from 1.', (row) => row.resample),
    scenario: text('What the intruder knows.', (row) => row.scenario),
    exact_disclosures: int32(
      'Records all of whose synthesized values are disclosed; the same for every scenario.',
      (row) => row.exact_disclosures,
    ),
    expected_match_risk: double('Sum over records of T / c.', (row) => row.expected_match_risk),
    true_match_rate: double('Share of records whose own row is the only match.', (row) => row.true_match_rate),
    false_match_rate: maybeDouble('Share of false ones among unique matches; empty where undefined.', (row) => row.false_match_rate),
    unique_matches: int32('Records that one row alone matches.', (row) => row.unique_matches),
  },
};
