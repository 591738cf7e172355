import { parquetRead } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { writeColumns } from '../../artifacts/write-columns.ts';
import { runKeys } from '../../contracts/keys.ts';
import {
  IDENTIFICATION_RISK_COLUMNS,
  type IdentificationRiskSummary,
} from '../../contracts/results/identification.ts';
import type { ScenarioMatches } from '../../contracts/results/record-details.ts';
import { type IdentificationRisk, recordRisk } from '../../risk/identification/identification-risk.ts';
import type { Store } from '../../storage/store.ts';
import { parquetFile } from '../../table/files/read-parquet.ts';
import type { ParquetColumn } from '../../table/files/write-parquet.ts';

/** Where a row stands in the table: scenarios one after the other, in each the records, of each the datasets. */
interface Place {
  readonly risk: IdentificationRisk;
  readonly record: number;
  readonly dataset: number;
}

/** The places of rows `from` up to but without `to`. */
function placesOf(risks: readonly IdentificationRisk[], records: number, from: number, to: number): Place[] {
  const places: Place[] = [];
  let first = 0;
  for (const risk of risks) {
    const datasets = risk.records.length;
    const end = first + records * datasets;
    for (let row = Math.max(from, first); row < Math.min(to, end); row++) {
      const place = row - first;
      places.push({ risk, record: Math.floor(place / datasets), dataset: place % datasets });
    }
    first = end;
  }
  return places;
}

/**
 * Stores `identification-risk.csv` and `.parquet`: one row a scenario, record and dataset. A scenario that does not apply
 * has none.
 *
 * @param records of the table
 */
export async function writeIdentificationRisk(
  store: Store,
  runId: string,
  risks: readonly IdentificationRisk[],
  records: number,
): Promise<void> {
  const rows = risks.reduce((sum, risk) => sum + records * risk.records.length, 0);
  const { identificationRiskCsv, identificationRiskParquet } = runKeys(runId).confidential;
  const fields: Record<keyof typeof IDENTIFICATION_RISK_COLUMNS, (place: Place) => string | number> = {
    scenario: ({ risk }) => risk.summary.scenario,
    record: ({ record }) => record + 1,
    dataset: ({ dataset }) => dataset + 1,
    matches: ({ risk, record, dataset }) => risk.records[dataset]!.matches[record]!,
    own_record_matches: ({ risk, record, dataset }) => risk.records[dataset]!.own[record]!,
    risk: ({ risk, record, dataset }) => recordRisk(risk.records[dataset]!, record),
  };
  await writeColumns(store, identificationRiskCsv, identificationRiskParquet, rows, (from, to) => {
    const places = placesOf(risks, records, from, to);
    return Object.entries(IDENTIFICATION_RISK_COLUMNS).map(
      ([name, type]) =>
        ({
          name,
          type,
          values: places.map(fields[name as keyof typeof IDENTIFICATION_RISK_COLUMNS]),
        }) as ParquetColumn,
    );
  });
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
  const bytes = await store.get(runKeys(runId).confidential.identificationRiskParquet);
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
    const own = {
      matches: found.matches.subarray(from, to),
      own: found.own_record_matches.subarray(from, to),
    };
    from = to;
    return { scenario, datasets: datasets.length, ...own };
  });
}
