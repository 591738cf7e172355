import type { Config } from '../../contracts/config/config.ts';
import { UTILITY_DEFAULTS } from '../../contracts/config/utility.ts';
import { UnsupportedOptionError } from '../../contracts/errors.ts';
import { factsOf } from '../../contracts/models/models.ts';
import { copiesOfTables } from '../../risk/copies/count-copies.ts';
import { countedRows, rowsOfRecords } from '../../table/counted-rows.ts';
import { readingWithoutModel, readTable } from '../../table/files/read-table.ts';
import { replacedColumns } from '../../table/replaced-columns.ts';
import { synthesizedVariables } from '../../table/synthesized-variables.ts';
import type { Column, Table } from '../../table/table.ts';
import { openUtility, refuseConstantResponses } from '../../utility/open-utility.ts';
import { type NamedFile, readFiles } from '../files/read-files.ts';

/** What `utility` is asked to do. Files are read when they are needed, so that the bytes of one are there at a time. */
export interface UtilityRequest {
  readonly config: Pick<Config, 'variables' | 'synthesis' | 'utility'> & Partial<Config>;
  /** The confidential table, CSV or Parquet. */
  readonly table: () => Promise<Uint8Array>;
  /** The datasets of a release, with the names of their files. */
  readonly datasets: readonly NamedFile[];
}

/**
 * Reads a table and its datasets, and finds what is to be measured. Where no synthesized variables are named, those count
 * as kept that all datasets have in every row as the table has them.
 *
 * @throws InvalidTableError with the name of the file for a dataset; UnsupportedOptionError `impute-without-model`; and what
 * `openUtility`, `refuseConstantResponses` and `replacedColumns` throw
 */
export async function planUtility({ config, table: open, datasets: files }: UtilityRequest) {
  const { variables, synthesis, utility } = config;
  const { missing, synthesized: named } = synthesis;
  if (missing === 'impute') {
    throw new UnsupportedOptionError(
      'impute-without-model',
      'Missing values are imputed by a model, and files are compared without one: use "missing: category".',
    );
  }
  const reading = readingWithoutModel(config);
  const { table, notices } = await readTable(await open(), reading);
  const settings = utility === 'off' ? UTILITY_DEFAULTS : utility;
  // What is asked for is refused before datasets are read.
  openUtility(settings, variables, table.schema, synthesizedVariables(named, table.schema));
  const datasets = await readFiles(files, table.schema, reading);
  const synthesized = named === 'all' ? changedVariables(table, datasets) : synthesizedVariables(named, table.schema);
  if (synthesized.length < table.schema.variables.length) {
    for (const [l, dataset] of datasets.entries()) replacedColumns(l + 1, dataset, table, synthesized);
  }
  const densities = config.model !== undefined && factsOf(config.model).offers.includes('densities');
  const opened = openUtility(settings, variables, table.schema, synthesized, densities);
  refuseConstantResponses(opened, table);
  const rows = opened.kind === 'full' ? countedRows : rowsOfRecords;
  return {
    input: { table: rows(table), datasets: datasets.map(rows) },
    opened,
    copied: copiesOfTables(table, datasets),
    notices: [...notices, ...keptNotice(named, table, synthesized)],
  };
}

function keptNotice(named: 'all' | readonly string[], { schema }: Table, synthesized: readonly number[]): string[] {
  if (named !== 'all' || synthesized.length === schema.variables.length) return [];
  const kept = schema.variables.filter((_, v) => !synthesized.includes(v)).map(({ name }) => name);
  return [`kept row by row in every dataset, so that the program assumes row i to be record i: ${kept.join(', ')}`];
}

/** Variables that some row of some dataset has otherwise; all of them where none of several values is kept, or all are. */
function changedVariables(table: Table, datasets: readonly Table[]): number[] {
  const all = [...table.schema.variables.keys()];
  if (datasets.some(({ records }) => records !== table.records)) return all;
  const changed = all.filter((v) => datasets.some(({ columns }) => !sameColumn(columns[v]!, table.columns[v]!)));
  // A column of one value is the same in every order of the rows.
  const isKept = all.some((v) => !changed.includes(v) && !isConstant(valuesOf(table.columns[v]!)));
  return isKept && changed.length > 0 ? changed : all;
}

const isConstant = (values: ReturnType<typeof valuesOf>) => values.every((value) => value === values[0]);

const valuesOf = (column: Column) => (column.type === 'categorical' ? column.codes : column.values);

function sameColumn(first: Column, second: Column): boolean {
  const other = valuesOf(second);
  return valuesOf(first).every((value, record) => value === other[record]);
}
