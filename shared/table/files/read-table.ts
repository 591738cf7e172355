import type { Config } from '../../contracts/config/config.ts';
import { InvalidTableError } from '../../contracts/errors.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { unknownVariable } from '../../contracts/settings/unknown-variable.ts';
import type { Table } from '../table.ts';
import { variablesInWords } from '../variables-in-words.ts';
import { ColumnEncoder, type EncodedColumn, MAX_DISTINCT_CODES } from './column-encoder.ts';
import { columnNames } from './column-names.ts';
import { ruleOfOverride, ruleOfVariable } from './column-rule.ts';
import { mergeCategories } from './merge-categories.ts';
import { decompressed } from './open-table-file.ts';
import { readCsv } from './read-csv.ts';
import { isParquet, readParquet } from './read-parquet.ts';

/**
 * What to do with missing values (an empty cell, or `NA`): refuse the file, make them a category, or leave them to
 * the model, which imputes them.
 */
export type MissingRule = Config['synthesis']['missing'];

/** A table and what its user should know of how it was read. Notices hold no value of the table. */
export type TableWithNotices = { table: Table; notices: string[] };

/**
 * Reads the confidential table from the bytes of a CSV or Parquet file, gzipped or not, told apart by content. Each variable's
 * type is inferred unless `variables` overrides it: numbers with more than MAX_DISTINCT_CODES distinct values are continuous,
 * everything else is categorical. Categories are kept as text (`01` is not `1`) in numeric order when all are
 * numbers, else by code unit. Under `missing: 'category'` a missing value is the last category, `''`; under `'impute'`
 * it has a code, but is no category ({@link Column}).
 *
 * Errors: InvalidTableError with codes `empty-file`, `no-records`, `header-is-data`, `one-record` (a risk needs
 * someone else), `no-category`, `too-many-categories`, `value-outside-categories`, `value-below-breaks`, `not-a-number`,
 * `missing-values`, and those of `columnNames`, `decompressed`, `readCsv` and `readParquet`; InvalidConfigError with code `unknown-variable` for an
 * override of a variable that the table lacks, and those of `ruleOfOverride` and `mergeCategories`.
 */
export async function readTable(
  bytes: Uint8Array,
  options: { variables?: Config['variables']; missing: MissingRule },
): Promise<TableWithNotices> {
  const { variables = {} } = options;
  const overrides = new Map(Object.entries(variables));
  const { table, notices } = await read(bytes, options.missing, 2, (names) =>
    names.map((name, index) =>
      name === undefined
        ? undefined
        : new ColumnEncoder(name, index + 1, ruleOfOverride(name, overrides.get(name))),
    ),
  );
  // Only now is it known that the header is none of the records, so that its names may be told.
  const names = table.schema.variables.map((variable) => variable.name);
  for (const name of overrides.keys()) {
    if (!names.includes(name)) throw unknownVariable(`variables.${name}`, name, names);
  }
  return { table: mergeCategories(table, variables), notices };
}

/**
 * Reads another file of the same variables, such as a synthetic dataset, into the codes of `schema`. Columns
 * may come in another order; the table has the schema's order. Missing values are refused, or get the schema's
 * missing category. Any number of records from 1.
 *
 * Errors: those of `readTable` that concern the file, and InvalidTableError with codes `unknown-variable` and
 * `absent-variable`; `value-outside-categories` for a category that the schema lacks; `missing-values` for one
 * in a variable that has no missing category.
 */
export async function readTableAs(
  bytes: Uint8Array,
  schema: TableSchema,
  options: { missing: MissingRule },
): Promise<TableWithNotices> {
  const variableOfName = new Map(schema.variables.map((variable) => [variable.name, variable]));
  const { table, notices } = await read(bytes, options.missing, 1, (names) => {
    const absent = [...schema.variables.keys()].filter((v) => !names.includes(schema.variables[v]!.name));
    if (absent.length > 0) {
      throw new InvalidTableError(
        'absent-variable',
        `no column is called like ${variablesInWords(schema, absent)} of the confidential table: expected in the header the names of all its variables, as that writes them`,
      );
    }
    return names.map((name, index) => {
      if (name === undefined) return undefined;
      const variable = variableOfName.get(name);
      if (variable === undefined) {
        throw new InvalidTableError(
          'unknown-variable',
          `column ${index + 1} is not called like a variable of the confidential table: expected only its ${variableOfName.size} variables`,
          { column: index + 1 },
        );
      }
      return new ColumnEncoder(name, index + 1, ruleOfVariable(variable));
    });
  });
  const columnOfName = new Map(
    table.schema.variables.map(({ name }, index) => [name, table.columns[index]!]),
  );
  const columns = schema.variables.map(({ name }) => columnOfName.get(name)!);
  return { table: { schema, records: table.records, columns }, notices };
}

type OpenNamedColumns = (names: readonly (string | undefined)[]) => (ColumnEncoder | undefined)[];

async function read(
  bytes: Uint8Array,
  missing: MissingRule,
  fewestRecords: number,
  open: OpenNamedColumns,
): Promise<TableWithNotices> {
  const notices: string[] = [];
  let encoders: ColumnEncoder[] = [];
  const openColumns = (header: readonly string[]) => {
    const names = columnNames(header);
    const opened = open(names);
    for (const [index, name] of names.entries()) {
      if (name === undefined) notices.push(`column ${index + 1} holds row names and was dropped`);
    }
    encoders = opened.filter((encoder) => encoder !== undefined);
    return opened;
  };
  const plain = await decompressed(bytes);
  if (isParquet(plain)) await readParquet(plain, openColumns);
  else notices.push(...readCsv(plain, openColumns));

  const records = encoders[0]?.records ?? 0;
  if (records === 0) {
    const expected = fewestRecords === 1 ? 'one' : 'two';
    throw new InvalidTableError(
      'no-records',
      `the file has a header but no records: expected at least ${expected}`,
    );
  }
  refuseHeaderOfData(encoders);
  // Before the columns are judged: one record gives every column a single category.
  if (records < fewestRecords) {
    throw new InvalidTableError('one-record', 'the table has one record: expected at least two');
  }
  const withMissing = encoders.filter((encoder) => encoder.missing > 0);
  if (missing === 'refuse' && withMissing.length > 0) throw missingValues(withMissing);
  const handling = missing === 'impute' ? 'impute' : 'category';
  const encoded = encoders.map((encoder) => encoder.finish(handling));
  refuseMissingNumbers(withMissing, encoded);
  notices.push(...columnNotices(withMissing, encoded, handling));
  return {
    table: {
      schema: { variables: encoded.map(({ variable }) => variable) },
      records,
      columns: encoded.map(({ column }) => column),
    },
    notices,
  };
}

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

const missingByColumn = (encoders: readonly ColumnEncoder[]) =>
  encoders.map(({ number, missing }) => `${missing} in column ${number}`).join(', ');

function missingValues(withMissing: readonly ColumnEncoder[]): InvalidTableError {
  const first = withMissing.reduce((a, b) => (b.firstMissingRow < a.firstMissingRow ? b : a));
  return new InvalidTableError(
    'missing-values',
    `missing values (an empty cell or NA): ${missingByColumn(withMissing)}; the first is in row ${first.firstMissingRow}, column ${first.number}; expected none, or in the config "missing: impute", which leaves them to the model, or "missing: category", which makes them a category of their own`,
    { row: first.firstMissingRow, column: first.number },
  );
}

/** A number cannot be missing as a category, so a continuous variable with missing values is refused. */
function refuseMissingNumbers(
  withMissing: readonly ColumnEncoder[],
  encoded: readonly EncodedColumn[],
): void {
  const continuous = new Set(
    encoded.filter(({ column }) => column.type === 'continuous').map(({ variable }) => variable.name),
  );
  const refused = withMissing.filter(({ name }) => continuous.has(name));
  if (refused.length === 0) return;
  const { firstMissingRow: row, number: column } = refused[0]!;
  throw new InvalidTableError(
    'missing-values',
    `missing values in continuous variables: ${missingByColumn(refused)}; the first is in row ${row}; "missing: category" and "missing: impute" serve categorical variables only: expected a number in each record, or "type: categorical" in the config`,
    { row, column },
  );
}

function columnNotices(
  withMissing: readonly ColumnEncoder[],
  encoded: readonly EncodedColumn[],
  handling: 'category' | 'impute',
): string[] {
  const naming = (isConcerned: (column: EncodedColumn) => boolean) =>
    encoded
      .filter(isConcerned)
      .map(({ variable }) => variable.name)
      .join(', ');
  const continuous = naming((column) => column.inferredContinuous);
  const identifiers = naming((column) => column.looksLikeIdentifier);
  const padded = naming((column) => column.hasPaddedCategories);
  const missing = withMissing.map((encoder) => `${encoder.name} ${encoder.missing}`).join(', ');
  return [
    continuous &&
      `numbers with more than ${MAX_DISTINCT_CODES} distinct values, read as continuous: ${continuous}`,
    identifiers && `nearly every record has a value of its own, as in an identifier: ${identifiers}`,
    padded && `some categories begin or end with spaces, which were kept: ${padded}`,
    missing &&
      `missing values ${handling === 'impute' ? 'are left to the model' : 'were made a category'}: ${missing}`,
  ].filter((notice) => notice !== '');
}
