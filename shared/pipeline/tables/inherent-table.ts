import { INHERENT_COLUMNS, type InherentRow } from '../../contracts/results/inherent.ts';
import type { BoundedScenario } from '../../risk/bounds/bounded-scenario.ts';
import { BOUNDS, type Bound, type DisclosureMeasures } from '../../risk/bounds/inherent-bounds.ts';
import type { ParquetColumn } from '../../table/files/write-parquet.ts';

/**
 * The rows of `inherent.csv`: scenario within resample within bound.
 *
 * @param measures of every resample of each bound, in order
 */
export function inherentRows(
  scenarios: readonly BoundedScenario[],
  measures: Readonly<Record<Bound, readonly DisclosureMeasures[]>>,
): InherentRow[] {
  return BOUNDS.flatMap((bound) =>
    measures[bound].flatMap(({ disclosures, matchFigures }, index) =>
      matchFigures.map((figures, scenario) => ({
        bound,
        resample: index + 1,
        scenario: scenarios[scenario]!.scenario,
        exact_disclosures: disclosures.count,
        expected_match_risk: figures.expectedMatchRisk,
        true_match_rate: figures.trueMatchRate,
        false_match_rate: figures.falseMatchRate,
        unique_matches: figures.uniqueMatches,
      })),
    ),
  );
}

/** The columns of `inherent.csv` and `.parquet`, named and ordered by the contract. */
export function inherentColumns(rows: readonly InherentRow[]): ParquetColumn[] {
  return (Object.keys(INHERENT_COLUMNS) as (keyof InherentRow)[]).map(
    (name) => ({ name, type: INHERENT_COLUMNS[name], values: rows.map((row) => row[name]) }) as ParquetColumn,
  );
}
