import { parquetRead } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import type { RecordRelease } from '../../artifacts/stored-dataset.ts';
import { encodeJson } from '../../artifacts/stored-json.ts';
import { rowsOf, writeTable } from '../../artifacts/write-table.ts';
import { double, int32, type ResultTable, text } from '../../contracts/column.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { IdentificationRiskSummary } from '../../contracts/results/identification.ts';
import type { ScenarioMatches } from '../../contracts/results/record-details.ts';
import type { Summary } from '../../contracts/results/summary.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { finish } from '../../contracts/stepwise.ts';
import { VERSION } from '../../contracts/version.ts';
import { renderIdentification } from '../../report/render-identification.ts';
import type { OpenedRelease } from '../../risk/bounds/open-bounds.ts';
import { disclosureRadii, summarizeAttributeDisclosures } from '../../risk/identification/attribute-disclosures.ts';
import { fullySyntheticRisk, type IdentificationRisk, identifyRelease, recordRisk } from '../../risk/identification/identification-risk.ts';
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
    record: int32('Number from 1.', (of, row) => recordOf(of, row) + 1),
    dataset: int32('Number of the dataset, from 1.', (of, row) => datasetOf(of, row) + 1),
    matches: int32('Rows that match, c.', (of, row) => matchesOf(of, row).matches[recordOf(of, row)]!),
    own_record_matches: int32(
      'Whether its own row is one of them, T: 1 or 0.',
      (of, row) => matchesOf(of, row).ownMatches[recordOf(of, row)]!,
    ),
    risk: double('T / c.', (of, row) => recordRisk(matchesOf(of, row), recordOf(of, row))),
  },
};

/**
 * Stores `identification-risk.csv` and `.parquet`: one row a scenario, record and dataset, in this order. A scenario that does not apply
 * has none.
 */
async function writeIdentificationRisk(store: Store, runId: string, risks: readonly IdentificationRisk[], records: number): Promise<void> {
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

/** What a summary says of risks that need rows which belong to records. */
export type IdentificationResults = Pick<
  Summary,
  'identificationRisk' | 'identificationRiskReason' | 'attributeDisclosures' | 'attributeDisclosuresReason'
>;

/** Name of the scenario that a fully synthetic release is told of when it was given none. */
const ANY_INTRUDER = 'record linkage';

/**
 * Identification risk of a run's datasets under each of its scenarios, and exact attribute disclosures, with the table
 * of all matches; where none can be measured, why.
 *
 * @param opened what the run's config says of its variables
 * @param release null where no variable is kept, or datasets alone were asked for
 */
export async function identifyRecords(
  store: Store,
  plan: Plan,
  schema: TableSchema,
  { synthesized, scenarios }: OpenedRelease,
  release: RecordRelease | null,
): Promise<IdentificationResults> {
  const names = (variables: readonly number[]) => variables.map((v) => schema.variables[v]!.name);
  if (plan.config.synthesis.synthesized === 'all') {
    const given = scenarios.map((one) => fullySyntheticRisk(one.name, names(one.known), names(one.synthesized ?? synthesized), 'declared'));
    return {
      identificationRisk: given.length > 0 ? given : [fullySyntheticRisk(ANY_INTRUDER, [], names(synthesized), 'declared')],
      attributeDisclosures: null,
      attributeDisclosuresReason: 'No row of fully synthetic data belongs to a record.',
    };
  }
  if (release === null) {
    const reason = 'Datasets alone were asked for.';
    return { identificationRisk: [], identificationRiskReason: reason, attributeDisclosures: null, attributeDisclosuresReason: reason };
  }
  const { table, datasets } = release;
  const risks = finish(identifyRelease(table, datasets, scenarios));
  if (risks.length > 0) await writeIdentificationRisk(store, plan.runId, risks, table.records);
  const radii = disclosureRadii(schema, scenarios, synthesized, 'equal');
  return {
    identificationRisk: risks.map(({ summary }) => summary),
    ...(risks.length === 0
      ? { identificationRiskReason: 'No intruder who matches was described: name what such a one knows (identification, --known).' }
      : {}),
    attributeDisclosures: {
      ...summarizeAttributeDisclosures(table, datasets, synthesized, radii),
      radii: Object.fromEntries(schema.variables.flatMap(({ name }, v) => (radii[v] ? [[name, radii[v]]] : []))),
    },
  };
}

/** Stands in keys for the id of a run: what `identify` stores is of none. */
export const IDENTIFY = 'identify';

/** Stores what `identify` found: the table of all matches, the figures of every scenario, and their page. */
export async function storeIdentification(store: Store, risks: readonly IdentificationRisk[], records: number): Promise<void> {
  const { confidential } = runKeys(IDENTIFY);
  const summaries = risks.map(({ summary }) => summary);
  const page = await renderIdentification(summaries, { version: VERSION });
  await writeIdentificationRisk(store, IDENTIFY, risks, records);
  await store.put(confidential.identification, encodeJson(summaries));
  await store.put(confidential.identificationReport, new TextEncoder().encode(page));
}
