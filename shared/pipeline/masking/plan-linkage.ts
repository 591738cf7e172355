import { encodeJson } from '../../artifacts/stored-json.ts';
import type { Config } from '../../contracts/config/config.ts';
import type { Linkage } from '../../contracts/config/linkage.ts';
import { InvalidConfigError, InvalidTableError } from '../../contracts/errors.ts';
import { keyedRunId } from '../../contracts/run/run-id.ts';
import type { Warning } from '../../contracts/run/warning.ts';
import { sha256 } from '../../contracts/sha256.ts';
import { VERSION } from '../../contracts/version.ts';
import { variablesInError, withErrors } from '../../masking/inject-errors.ts';
import { sampleRecords } from '../../masking/mask-table.ts';
import type { Streams } from '../../random/streams.ts';
import { NO_RECORD } from '../../risk/linkage/link-records.ts';
import { readingWithoutModel, readTable, readTableAs } from '../../table/files/read-table.ts';
import { variableNames } from '../../table/names-in-text.ts';
import { type Column, chosenRecords, type Table } from '../../table/table.ts';
import { namedPlaces, requireModelFree } from '../files/named-variables.ts';
import { ofFile } from '../files/read-files.ts';

/** What `reidentify` is asked to do. */
export interface LinkageRequest {
  readonly config: Config;
  readonly linkage: Linkage;
  /** Bytes of the confidential table, CSV or Parquet. */
  readonly table: Uint8Array;
  /** Bytes of the masked file. */
  readonly masked: Uint8Array;
  /** Bytes of the file that tells which record each row is; null where row i is record i. */
  readonly rows: Uint8Array | null;
  /** Key of the place where the results are kept, under which their id is formed. */
  readonly placeKey: Uint8Array;
}

/** Everything decided, and nothing done. */
export interface PlannedLinkage {
  readonly runId: string;
  readonly table: Table;
  readonly masked: Table;
  /** For each row of the masked file its record of the table, from 0. */
  readonly records: Uint32Array;
  /** Variables that are compared. */
  readonly variables: readonly number[];
  /** What was noticed in the files. */
  readonly warnings: readonly Warning[];
}

/**
 * Reads and checks everything that linkage needs. Nothing is written.
 *
 * @throws InvalidConfigError `unknown-variable`, `repeated-variable`, `sample-too-small`, `no-variable-in-error`,
 * `too-few-comparisons`, `too-many-bands`
 * @throws InvalidTableError `nothing-to-compare`, `other-records`, `invalid-rows`, `not-microaggregated`, and what
 * `readTable` and `readTableAs` throw
 * @throws UnsupportedOptionError `impute-without-model`
 */
export async function planLinkage(request: LinkageRequest): Promise<PlannedLinkage> {
  const { config, linkage } = request;
  const missing = requireModelFree(config);
  const reading = readingWithoutModel(config);
  const { table, notices } = await readTable(request.table, reading);
  const masked = await ofFile('the masked file', readTableAs(request.masked, table.schema, reading));
  const records = await recordsOfRows(request.rows, table.records, masked.table.records);
  const variables = comparedVariables(table, linkage);
  requireMicroaggregated(masked.table, linkage, variables);
  requireIntruderFile(table, linkage, variables);
  const { seed, missingCodes, numbers, count } = config;
  const files = [request.table, request.masked, ...(request.rows ? [request.rows] : [])];
  const hashes = await Promise.all(files.map(sha256));
  const identity = { linkage, seed, variables: config.variables, missing, missingCodes, numbers, count };
  return {
    runId: await keyedRunId(request.placeKey, encodeJson({ version: VERSION, purpose: 'reidentify', hashes, identity })),
    table,
    masked: masked.table,
    records,
    variables,
    warnings: [...new Set([...notices, ...masked.notices])].map((message) => ({ code: 'table-notice', message })),
  };
}

/** Which record of the table each row is. */
async function recordsOfRows(rows: Uint8Array | null, records: number, masked: number): Promise<Uint32Array> {
  if (rows === null) {
    if (records === masked) return Uint32Array.from({ length: masked }, (_, row) => row);
    throw new InvalidTableError(
      'other-records',
      `the masked file has ${masked} rows and the table ${records} records: expected as many, or --rows FILE, which says which record each row is`,
    );
  }
  const { table } = await ofFile('--rows', readTable(rows, { missing: 'refuse', judged: false }));
  const place = table.schema.variables.findIndex(({ name }) => name === 'record');
  const numbers = place < 0 ? [] : numbersOf(table, place);
  const known = new Set(numbers);
  const isRecord = (number: number) => Number.isInteger(number) && number >= 1 && number <= records;
  if (numbers.length !== masked || known.size !== masked || !numbers.every(isRecord)) {
    throw new InvalidTableError(
      'invalid-rows',
      `--rows: expected a column "record" with the number of a record from 1 to ${records} for each of the ${masked} rows of the masked file, none of them twice`,
    );
  }
  return Uint32Array.from(numbers, (number) => number - 1);
}

/** The numbers in a column, which is categorical where they are few. */
function numbersOf({ schema, columns }: Table, v: number): number[] {
  const column = columns[v]!;
  if (column.type === 'continuous') return [...column.values];
  const variable = schema.variables[v]!;
  const categories = variable.type === 'categorical' ? variable.categories.map(Number) : [];
  return Array.from(column.codes, (code) => categories[code]!);
}

function comparedVariables({ schema }: Table, { variables, bands, tolerate }: Linkage): number[] {
  const places =
    variables === null
      ? [...schema.variables.keys()].filter((v) => schema.variables[v]!.type === 'continuous')
      : namedPlaces(schema, '--variables', variables);
  if (places.length === 0) {
    throw new InvalidTableError(
      'nothing-to-compare',
      'the table has no continuous variable: name categorical ones with --variables, or declare "type: continuous" in the config',
    );
  }
  if (tolerate !== null && tolerate >= places.length) {
    throw new InvalidConfigError(
      'too-few-comparisons',
      `--tolerate: expected fewer than the ${places.length} variables that are compared; otherwise nothing would have to agree.`,
    );
  }
  if (bands !== null && bands > 3) {
    throw new InvalidConfigError('too-many-bands', '--bands: expected at most 3, as many as a metric has.');
  }
  return places;
}

/** Refuses a file whose rows do not share their values as microaggregation with this k would have them. */
function requireMicroaggregated(masked: Table, linkage: Linkage, variables: readonly number[]): void {
  const as = linkage.masked;
  if (!('k' in as) || as.k === null) return;
  const { k } = as;
  const continuous = variables.filter((v) => masked.columns[v]!.type === 'continuous');
  const sets = as.method === 'mdav' ? [continuous] : continuous.map((v) => [v]);
  const wrong = sets.filter((places) => places.length > 0 && fewestEqual(masked, places) < k);
  if (wrong.length === 0) return;
  throw new InvalidTableError(
    'not-microaggregated',
    `the masked file: fewer than ${k} rows share a value of ${variableNames(masked.schema, wrong.flat())}: expected a file made by --method ${as.method} with --k ${k}`,
  );
}

/** Rows that share their values, of those that share them with the fewest. */
function fewestEqual({ columns, records }: Table, places: readonly number[]): number {
  const counts = new Map<string, number>();
  for (let row = 0; row < records; row++) {
    const key = places
      .map((v) => {
        const column = columns[v]!;
        return column.type === 'continuous' ? column.values[row]! : column.codes[row]!;
      })
      .join(' ');
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  let fewest = records;
  for (const count of counts.values()) fewest = Math.min(fewest, count);
  return fewest;
}

function requireIntruderFile({ records }: Table, { intruderShare, errors }: Linkage, variables: readonly number[]): void {
  if (Math.round(intruderShare * records) < 2) {
    throw new InvalidConfigError('sample-too-small', '--intruder-share: the intruder would have fewer than two records.');
  }
  if (errors > 0 && variablesInError(variables.length, errors) === 0) {
    throw new InvalidConfigError(
      'no-variable-in-error',
      `--errors: expected at least half of one of the ${variables.length} variables; with less nothing would be wrong.`,
    );
  }
}

/** What an intruder has, and where the rows of a release are in it. */
export interface IntruderFile {
  readonly records: number;
  /** One a compared variable. */
  readonly columns: readonly Column[];
  /** For each row of the release its record in the file, from 0; -1 where he does not have it. */
  readonly own: Int32Array;
}

/**
 * The file of an intruder: the table, or some of its records drawn by chance, with errors in some of the variables of each
 * (Winkler 2004, section 3).
 *
 * @param rows for each row of the release its record of the table, from 0
 */
export function intruderFile(
  table: Table,
  variables: readonly number[],
  rows: Uint32Array,
  { intruderShare, errors }: Pick<Linkage, 'intruderShare' | 'errors'>,
  streams: Streams,
): IntruderFile {
  const held = intruderShare < 1 ? sampleRecords(streams.open('intruder/records'), table.records, intruderShare) : null;
  const file = held === null ? table : chosenRecords(table, held);
  const compared = variables.map((v) => file.columns[v]!);
  const columns = errors > 0 ? withErrors(streams.open('intruder/errors'), compared, errors) : compared;
  const place = new Int32Array(table.records).fill(NO_RECORD);
  if (held === null) for (let record = 0; record < table.records; record++) place[record] = record;
  else for (const [index, record] of held.entries()) place[record] = index;
  return { records: file.records, columns, own: Int32Array.from(rows, (record) => place[record]!) };
}
