import type { Config } from '../../contracts/config/config.ts';
import type { NumberFormat } from '../../contracts/config/reading.ts';
import { DEFAULT_DECIMALS } from '../../contracts/continuous.ts';
import { InvalidConfigError, InvalidTableError } from '../../contracts/errors.ts';
import { inCommand } from '../../contracts/in-command.ts';
import { factsOf } from '../../contracts/models/models.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { unknownVariable } from '../../contracts/settings/nearest-name.ts';
import { type ColumnFinding, type EncodedColumn, judgeColumns } from '../columns/judge-columns.ts';
import { namesInText } from '../names-in-text.ts';
import { chosenElements, repeated, type Table } from '../table.ts';
import { ColumnEncoder, MAX_DISTINCT_CODES } from './column-encoder.ts';
import { columnNames } from './column-names.ts';
import { ruleOfOverride, ruleOfVariable } from './column-rule.ts';
import { eitherReader, numberReader } from './decimal-number.ts';
import { mergeCategories } from './merge-categories.ts';
import { decompressed } from './open-table-file.ts';
import { readCsv } from './read-csv.ts';
import { isParquet, readParquet } from './read-parquet.ts';
import { isWorkbook, readWorkbook } from './read-workbook.ts';

/** How a table is read, as its config says. */
export interface TableReading {
  readonly missing: Config['synthesis']['missing'];
  readonly variables?: Config['variables'];
  /** Texts that stand for missing values, where a variable has none of its own. */
  readonly missingCodes?: readonly string[] | undefined;
  readonly numbers?: NumberFormat | undefined;
  /** The column with the number of records of each row. */
  readonly count?: string | undefined;
  /** False for a file that is no table of records, whose columns may hold what a variable cannot. */
  readonly judged?: boolean;
  /** Whether the model has densities: declared numbers have the decimals that are declared, and may have missing values for it to impute. */
  readonly hasDensities?: boolean;
  /** True where nothing is fitted, so that missing values cannot be left to a model. */
  readonly isModelFree?: boolean;
}

/** How the table of a config is read. */
export function readingOf(config: Pick<Config, 'variables' | 'synthesis'> & Partial<Config>): TableReading {
  const { variables, missingCodes, numbers, count, synthesis, model } = config;
  const hasDensities = model !== undefined && factsOf(model).offers.includes('densities');
  return { missing: synthesis.missing, variables, missingCodes, numbers, count, hasDensities };
}

/** The same where nothing is fitted. */
export const readingWithoutModel = (config: Parameters<typeof readingOf>[0]): TableReading => ({ ...readingOf(config), isModelFree: true });

/** A table and what its user should know of how it was read. Notices hold no value of the table. */
export type TableWithNotices = { table: Table; notices: string[] };

/** A column of an {@link InspectedTable}. */
export type InspectedColumn = EncodedColumn & { number: number; missing: number };

/** A table as it would be read if nothing of its columns were refused. Missing values are a category, or NaN. */
export type InspectedTable = {
  /** Names in the order of the file; undefined for a column of row names. */
  names: (string | undefined)[];
  records: number;
  columns: InspectedColumn[];
  findings: ColumnFinding[];
  /** Why a column does not hold what is declared of it, by its name: it is read as if nothing were. */
  contradicted: ReadonlyMap<string, InvalidTableError>;
  notices: string[];
};

/**
 * Reads the confidential table from the bytes of a CSV or Parquet file, gzipped or not, or of an Excel workbook, recognised
 * by content. Each variable's type is inferred unless `variables` overrides it: numbers with more than {@link MAX_DISTINCT_CODES}
 * distinct values are continuous, everything else is categorical, and so are numbers of which some begin with a zero that is
 * not needed (`007`). Under `missing: 'category'` a missing value is the last category, `''`; under `'impute'` it has a code,
 * but is no category. Rows with a count stand for as many records, one after the other.
 *
 * @throws InvalidTableError `no-variables`, `no-records`, `header-is-data`, `one-record` (a risk needs someone else),
 * `missing-values`, `not-a-count`, `too-many-records`, the code of what {@link judgeColumns} refuses, and those of readers and
 * {@link ColumnEncoder}; InvalidConfigError `unknown-variable`, `count-with-others`, and those of rules and merged categories
 */
export async function readTable(bytes: Uint8Array, reading: TableReading): Promise<TableWithNotices> {
  const file = await readEncoders(bytes, 2, reading, openConfidential(reading));
  refuseUnknown(reading, file.names);
  if (reading.missing === 'refuse') refuseMissing(file.encoders, otherThanMissing(reading));
  const columns = finishColumns(file, reading);
  const findings = reading.judged === false ? [] : judgeColumns(columns, file.records);
  refuseFindings(findings, file.encoders);
  return {
    table: mergeCategories(tableOf(columns, file.records), reading.variables ?? {}),
    notices: [...file.notices, ...columnNotices(file.encoders, columns, reading.missing), ...findings.map(({ message }) => message)],
  };
}

/**
 * Reads a confidential table without refusing anything that is odd of its columns, to describe them. Categories are not
 * merged, and a column without any value has no category. Throws those errors of {@link readTable} that leave nothing to describe.
 */
export async function inspectTable(bytes: Uint8Array, reading: TableReading): Promise<InspectedTable> {
  const contradicted = new Map<string, InvalidTableError>();
  for (;;) {
    const variables = Object.fromEntries(Object.entries(reading.variables ?? {}).filter(([name]) => !contradicted.has(name)));
    let header: readonly (string | undefined)[] = [];
    const open = openConfidential({ ...reading, variables });
    try {
      const file = await readEncoders(bytes, 1, reading, (names) => {
        header = names;
        return open(names);
      });
      refuseUnknown(reading, file.names);
      return inspected(file, contradicted);
    } catch (error) {
      if (!(error instanceof InvalidTableError)) throw error;
      const name = header[(error.where.column ?? 0) - 1];
      if (name === undefined || !Object.hasOwn(variables, name)) throw error;
      contradicted.set(name, error);
    }
  }
}

function inspected(file: ReadFile, contradicted: InspectedTable['contradicted']): InspectedTable {
  const columns = file.encoders.map((encoder) => ({
    ...expandedColumn(encoder.finish('category', 'allow-empty'), file.rowOfRecord),
    number: encoder.number,
    missing: encoder.missing,
  }));
  const { names, records, notices } = file;
  return { names, records, columns, findings: judgeColumns(columns, records), contradicted, notices };
}

/**
 * Reads another file of the same variables, such as a synthetic dataset, into the codes of `schema`, in whatever order its
 * columns come. Missing values are refused, or get the schema's missing category. Columns that the table's config drops may
 * be there or not, and so may its count. Numbers are as {@link eitherReader} reads them.
 *
 * @throws as {@link readTable}, and InvalidTableError `unknown-variable`, `absent-variable`, and `value-outside-categories`
 * for a category that the schema lacks
 */
export function readTableAs(bytes: Uint8Array, schema: TableSchema, reading: TableReading): Promise<TableWithNotices> {
  return readInCodes(bytes, schema, reading, openAs(schema, reading));
}

/**
 * Reads more records of the source of the confidential table into the codes of its `schema`: what {@link readTableAs} reads, but
 * written as the table is, with its numbers in bands and its categories merged as they are there, and missing values left open
 * where the table leaves them to the model.
 *
 * @throws as {@link readTableAs}
 */
export function readMoreRecords(bytes: Uint8Array, schema: TableSchema, reading: TableReading): Promise<TableWithNotices> {
  return readInCodes(bytes, schema, reading, openAs(schema, reading, true));
}

async function readInCodes(
  bytes: Uint8Array,
  schema: TableSchema,
  reading: TableReading,
  open: OpenNamedColumns,
): Promise<TableWithNotices> {
  const file = await readEncoders(bytes, 1, reading, open);
  if (reading.missing === 'refuse') refuseMissing(file.encoders, null);
  const columns = finishColumns(file, reading);
  const columnOfName = new Map(columns.map(({ variable, column }) => [variable.name, column]));
  return {
    table: { schema, records: file.records, columns: schema.variables.map(({ name }) => columnOfName.get(name)!) },
    notices: [...file.notices, ...columnNotices(file.encoders, columns, reading.missing)],
  };
}

type OpenNamedColumns = (names: readonly (string | undefined)[]) => (ColumnEncoder | undefined)[];

/** Columns of the confidential table, as its config overrides them. */
function openConfidential({ variables = {}, missingCodes, numbers, count, hasDensities }: TableReading): OpenNamedColumns {
  const overrides = new Map(Object.entries(variables));
  const numberOf = numberReader(numbers);
  return (names) =>
    names.map((name, index) => {
      if (name === undefined) return undefined;
      const override = overrides.get(name);
      if (name === count) {
        if (override === undefined) return new ColumnEncoder(name, index + 1, { type: 'continuous' }, { numberOf });
        throw new InvalidConfigError(
          'count-with-others',
          `variables.${name}: the column is the count of each row, and no variable; remove one of the two`,
        );
      }
      const rule = ruleOfOverride(name, override, missingCodes);
      if (rule === 'dropped') return undefined;
      return new ColumnEncoder(name, index + 1, rule, {
        missingCodes: override?.missingCodes ?? missingCodes,
        numberOf,
        range: override?.range,
        decimals: decimalsOf(override, rule, hasDensities),
      });
    });
}

/** Decimals of a column at most: those that are declared, or of a number with a density those that stand for none. */
const decimalsOf = (
  override: Partial<NonNullable<TableReading['variables']>[string]> | undefined,
  { type }: { readonly type: string },
  hasDensities = false,
) => override?.decimals ?? (hasDensities && type === 'continuous' ? DEFAULT_DECIMALS : undefined);

/** Refuses settings of columns that the table lacks; called once it is known that its header is none of the records. */
function refuseUnknown({ variables = {}, count }: TableReading, names: readonly (string | undefined)[]): void {
  const told = names.filter((name) => name !== undefined);
  for (const name of Object.keys(variables)) {
    if (!told.includes(name)) throw unknownVariable(`variables.${name}`, name, told);
  }
  if (count !== undefined && !told.includes(count)) throw unknownVariable('count', count, told);
}

/** Columns of a file of the variables of a schema, whose cells may be as those of its table. */
function openAs(schema: TableSchema, reading: TableReading, likeTable = false): OpenNamedColumns {
  const { variables = {}, missingCodes, numbers, count, hasDensities } = reading;
  const variableOfName = new Map(schema.variables.map((variable) => [variable.name, variable]));
  const isDropped = (name: string) => Object.hasOwn(variables, name) && variables[name]!.drop === true;
  const numberOf = likeTable ? numberReader(numbers) : eitherReader(numbers);
  return (names) => {
    const absent = schema.variables.map(({ name }) => name).filter((name) => !names.includes(name));
    if (absent.length > 0) {
      throw new InvalidTableError(
        'absent-variable',
        `no column is called ${namesInText(absent)}: expected in the header the names of all variables of the confidential table, as that writes them`,
      );
    }
    return names.map((name, index) => {
      if (name === undefined || isDropped(name)) return undefined;
      if (name === count) return new ColumnEncoder(name, index + 1, { type: 'continuous' }, { numberOf });
      const variable = variableOfName.get(name);
      if (variable === undefined) {
        throw new InvalidTableError(
          'unknown-variable',
          `column ${index + 1} is not called like a variable of the confidential table: expected only its ${variableOfName.size} variables${Object.values(variables).some(({ drop }) => drop) ? ', and columns that its config drops' : ''}`,
          { column: index + 1 },
        );
      }
      const own = Object.hasOwn(variables, name) ? variables[name]! : {};
      const rule = ruleOfVariable(variable, likeTable ? own : undefined);
      return new ColumnEncoder(name, index + 1, rule, {
        missingCodes: own.missingCodes ?? missingCodes,
        numberOf,
        // A density is of the declared range: what made a number beyond it is not the model.
        range: likeTable || hasDensities ? own.range : undefined,
        decimals: likeTable ? decimalsOf(own, rule, hasDensities) : undefined,
      });
    });
  };
}

/** A file that was read whole, its columns not yet finished. */
interface ReadFile {
  readonly names: (string | undefined)[];
  /** Of the variables, without that of the count. */
  readonly encoders: readonly ColumnEncoder[];
  readonly records: number;
  /** For each record its row; null where each row is a record. */
  readonly rowOfRecord: Uint32Array | null;
  readonly notices: string[];
}

async function readEncoders(bytes: Uint8Array, fewestRecords: number, { count }: TableReading, open: OpenNamedColumns): Promise<ReadFile> {
  const notices: string[] = [];
  let opened: (ColumnEncoder | undefined)[] = [];
  let names: (string | undefined)[] = [];
  const openColumns = (header: readonly string[]) => {
    names = columnNames(header);
    opened = open(names);
    for (const [index, name] of names.entries()) {
      if (name === undefined) notices.push(`column ${index + 1} holds row names and was dropped`);
    }
    return opened;
  };
  const plain = await decompressed(bytes);
  if (isParquet(plain)) await readParquet(plain, openColumns);
  else if (isWorkbook(plain)) await readWorkbook(plain, openColumns);
  else notices.push(...readCsv(plain, openColumns));

  const all = opened.filter((encoder) => encoder !== undefined);
  const encoders = all.filter(({ name }) => name !== count);
  if (encoders.length === 0) throw new InvalidTableError('no-variables', 'no column is left: expected a variable at least');
  const expected = fewestRecords === 1 ? 'one' : 'two';
  const rows = encoders[0]!.records;
  if (rows === 0) throw new InvalidTableError('no-records', `the file has a header but no records: expected at least ${expected}`);
  refuseHeaderOfData(all);
  const counter = all.find(({ name }) => name === count);
  const rowOfRecord = counter === undefined ? null : countedRecords(counter);
  const records = rowOfRecord?.length ?? rows;
  // Before the columns are judged: one record gives every column a single category.
  if (records < fewestRecords) {
    throw new InvalidTableError('one-record', `the table has ${records === 0 ? 'no record' : 'one record'}: expected at least ${expected}`);
  }
  return { names, encoders, records, rowOfRecord, notices };
}

/** More records than any run can hold. */
const MAX_RECORDS = 1e8;

/** For each record its row, where a column says how many records a row stands for. */
function countedRecords(counter: ColumnEncoder): Uint32Array {
  const { column } = counter.finish('category');
  const counts = column.type === 'continuous' ? column.values : new Float64Array(0);
  const wrong = counts.findIndex((count) => !(Number.isInteger(count) && count >= 0));
  if (wrong >= 0) {
    throw new InvalidTableError(
      'not-a-count',
      `row ${wrong + 1}, column \`${counter.name}\`: expected a whole number from 0, since the column is the count of each row (--count)`,
      { row: wrong + 1, column: counter.number },
    );
  }
  const records = counts.reduce((sum, count) => sum + count, 0);
  if (records > MAX_RECORDS) {
    throw new InvalidTableError(
      'too-many-records',
      `Column \`${counter.name}\` counts more than ${MAX_RECORDS} records in all: expected the number of records of each row, not an estimate for the population.`,
      { column: counter.number },
    );
  }
  return repeated(counts, records);
}

/** A column of rows as one of records. */
const expandedColumn = (encoded: EncodedColumn, rowOfRecord: Uint32Array | null): EncodedColumn =>
  rowOfRecord === null ? encoded : { ...encoded, column: chosenElements(encoded.column, rowOfRecord) };

/** The columns with their records, missing values as the rule says. */
function finishColumns(
  { encoders, rowOfRecord }: ReadFile,
  { missing, hasDensities = false, isModelFree = false }: TableReading,
): EncodedColumn[] {
  const withMissing = encoders.filter((encoder) => encoder.missing > 0);
  const columns = encoders.map((encoder) => encoder.finish(missing === 'impute' ? 'impute' : 'category'));
  if (missing !== 'impute' || !hasDensities) refuseMissingNumbers(withMissing, columns, { hasDensities, isModelFree });
  return columns.map((column) => expandedColumn(column, rowOfRecord));
}

const tableOf = (columns: readonly EncodedColumn[], records: number): Table => ({
  schema: { variables: columns.map(({ variable }) => variable) },
  records,
  columns: columns.map(({ column }) => column),
});

/** Refuses a file whose names are likely its first record, of which nothing is to be told. */
function refuseHeaderOfData(encoders: readonly ColumnEncoder[]): void {
  const column = encoders.find((encoder) => encoder.holdsOwnName())?.number;
  if (column === undefined) return;
  throw new InvalidTableError(
    'header-is-data',
    `the name of column ${column} is also a value in that column, as where a file has no header: expected the names of the variables in its first line (in Parquet, in its schema); add them, or rename the column if it is called like one of its categories`,
    { column },
  );
}

/** Refuses columns that would make the answer wrong as they are, with the flags that decide what they are. */
function refuseFindings(findings: readonly ColumnFinding[], encoders: readonly ColumnEncoder[]): void {
  const refused = findings.filter((finding) => finding.refused);
  if (refused.length === 0) return;
  const first = refused[0]!;
  const column = encoders.find(({ name }) => name === first.variable)!.number;
  throw new InvalidTableError(
    first.code,
    [
      ...refused.map(({ message, flags }) => `${message} Write ${flags.join(' or ')}.`),
      '`synthrisk plan TABLE --write-config run.yaml` writes a config that settles this for every column.',
    ].join('\n'),
    { column },
  );
}

const missingByColumn = (encoders: readonly ColumnEncoder[]) => encoders.map(({ name, missing }) => `${missing} in \`${name}\``).join(', ');

/** What could become of missing values of the confidential table. */
function otherThanMissing({ isModelFree = false }: TableReading): string {
  const imputed = isModelFree ? '' : '--missing impute, which leaves them to the model, or ';
  return `${imputed}--missing category, which makes them a category of their own (in a config "synthesis: { missing: ${isModelFree ? 'category' : 'impute'} }")`;
}

/** Refuses missing values; `instead` says what could become of them, if anything. */
function refuseMissing(encoders: readonly ColumnEncoder[], instead: string | null): void {
  const withMissing = encoders.filter((encoder) => encoder.missing > 0);
  if (withMissing.length === 0) return;
  const first = withMissing.reduce((a, b) => (b.firstMissingRow < a.firstMissingRow ? b : a));
  throw new InvalidTableError(
    'missing-values',
    `missing values (an empty cell, NA or a code that was declared): ${missingByColumn(withMissing)}; the first is in row ${first.firstMissingRow}, column \`${first.name}\`; expected none${instead === null ? ', as in the confidential table' : `, or ${instead}`}`,
    { row: first.firstMissingRow, column: first.number },
  );
}

/** A number cannot be missing as a category, so a continuous variable with missing values is refused. */
function refuseMissingNumbers(
  withMissing: readonly ColumnEncoder[],
  encoded: readonly EncodedColumn[],
  { hasDensities, isModelFree }: { hasDensities: boolean; isModelFree: boolean },
): void {
  const continuous = new Set(encoded.filter(({ column }) => column.type === 'continuous').map(({ variable }) => variable.name));
  const refused = withMissing.filter(({ name }) => continuous.has(name));
  if (refused.length === 0) return;
  const { firstMissingRow: row, number: column, name } = refused[0]!;
  const imputed = hasDensities
    ? '--missing category serves categorical variables only: expected --missing impute, which leaves them to the model; or, where no number applies, one that says so, such as 0, declared a mass (masses: [0]); or bands'
    : 'numbers may be missing under the model mixed alone, by --missing impute: expected that, a number in each record, bands';
  const serves = isModelFree ? 'expected a number in each record, bands' : imputed;
  throw new InvalidTableError(
    'missing-values',
    `missing values in continuous variables: ${missingByColumn(refused)}; the first is in row ${row}; ${serves} (--breaks ${inCommand(`${name}=0,10,100`)}) or "type: categorical" in the config`,
    { row, column },
  );
}

function columnNotices(encoders: readonly ColumnEncoder[], encoded: readonly EncodedColumn[], rule: TableReading['missing']): string[] {
  const naming = (isConcerned: (column: EncodedColumn) => boolean) =>
    encoded
      .filter(isConcerned)
      .map(({ variable }) => variable.name)
      .join(', ');
  const continuous = naming(({ inferred, variable }) => inferred && variable.type === 'continuous');
  const codes = naming(({ inferred, traits }) => inferred && traits?.form === 'zero-codes' && traits.distinct > MAX_DISTINCT_CODES);
  const padded = naming(({ variable, traits }) => variable.type === 'categorical' && traits?.isPadded === true);
  const missing = encoders
    .filter((encoder) => encoder.missing > 0)
    .map((encoder) => `${encoder.name} ${encoder.missing}`)
    .join(', ');
  return [
    continuous && `numbers with more than ${MAX_DISTINCT_CODES} distinct values, read as continuous: ${continuous}`,
    codes && `codes that begin with zeros, read as categories: ${codes}`,
    padded && `some categories begin or end with spaces, which were kept: ${padded}`,
    missing && `missing values ${rule === 'impute' ? 'are left to the model' : 'were made a category'}: ${missing}`,
  ].filter((notice) => notice !== '');
}
