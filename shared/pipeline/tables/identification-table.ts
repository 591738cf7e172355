import { parquetRead } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { rowsOf, writeTable } from '../../artifacts/write-table.ts';
import { double, int32, type ResultTable, text } from '../../contracts/column.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { IdentificationRiskSummary } from '../../contracts/results/identification.ts';
import type { ScenarioMatches } from '../../contracts/results/record-details.ts';
import { type IdentificationRisk, recordRisk } from '../../risk/identification/identification-risk.ts';
import type { Store } from '../../storage/store.ts';
import { parquetFile } from '../../table/files/read-parquet.ts';

/** The record and the dataset (from 0) of a row: of each record the datasets. */
const recordOf = ({ records }: IdentificationRisk, row: number) => Math.floor(row / records.length);
const datasetOf = ({ records }: IdentificationRisk, row: number) => row % records.length;
const matchesOf = (risk: IdentificationRisk, row: number) => risk.records[datasetOf(risk, row)]!;

/** `identification-risk.csv`. */
export const IDENTIFICATION_RISK: ResultTable<IdentificationRisk> = {
  file: 'identification-risk',
  row: 'a scenario, record and dataset',
  columns: {
    scenario: text('Its name, or what is known in it.', ({ summary }) => summary.scenario),
    record: int32('Number of the record, from 1.', (of, row) => recordOf(of, row) + 1),
    dataset: int32('Number of the dataset, from 1.', (of, row) => datasetOf(of, row) + 1),
    matches: int32('Rows that match, c.', (of, row) => matchesOf(of, row).matches[recordOf(of, row)]!),
    own_record_matches: int32('Whether its own row is one of them, T: 1 or 0.', (of, row) => matchesOf(of, row).own[recordOf(of, row)]!),
    risk: double('T / c.', (of, row) => recordRisk(matchesOf(of, row), recordOf(of, row))),
  },
};

/**
 * Stores `identification-risk.csv` and `.parquet`: one row a scenario, record and dataset, in this order. A scenario that does
 * not apply has none.
 *
 * @param records of the table
 */
export async function writeIdentificationRisk(
  store: Store,
  runId: string,
  risks: readonly IdentificationRisk[],
  records: number,
): Promise<void> {
  const parts = risks.map((risk) => rowsOf(records * risk.records.length, risk));
  await writeTable(store, runId, IDENTIFICATION_RISK, ...parts);
}

/** Matches of every record under each scenario that applies, records x datasets, as {@link writeIdentificationRisk} stored them. */
export async function readIdentificationRisk(
  store: Store,
  runId: string,
  risks: readonly IdentificationRiskSummary[],
): Promise<ScenarioMatches[]> {
  const applied = risks.filter((risk) => risk.applies);
  if (applied.length === 0) return [];
  const sizes = applied.map(({ records, datasets }) => records * datasets.length);
  const rows = sizes.reduce((sum, size) => sum + size, 0);
  const found = { matches: new Int32Array(rows), own_record_matches: new Int32Array(rows) };
  const bytes = await store.get(runKeys(runId).confidential.table(IDENTIFICATION_RISK.file).parquet);
  await parquetRead({
    file: parquetFile(bytes),
    compressors,
    columns: Object.keys(found),
    onChunk: ({ columnName, columnData, rowStart }) => {
      found[columnName as keyof typeof found].set(columnData as ArrayLike<number>, rowStart);
    },
  });
  let from = 0;
  return applied.map(({ scenario, datasets }, s) => {
    const to = from + sizes[s]!;
    const own = { matches: found.matches.subarray(from, to), own: found.own_record_matches.subarray(from, to) };
    from = to;
    return { scenario, datasets: datasets.length, ...own };
  });
}
