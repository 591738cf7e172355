import { VARIABLES } from '../../shared/contracts/column.ts';
import { listFields } from '../../shared/contracts/settings/list-fields.ts';
import { DOCUMENTS } from './documents.ts';
import { TABLES } from './tables.ts';

/** What stands in angle brackets is no tag. */
const heading = (file: string) => file.replaceAll('<', '\\<');

const cell = (text: string) => text.replaceAll('|', '\\|');

type Field = ReturnType<typeof listFields>[number];

/** What follows the name of a figure that has its errors beside it, which the page explains once. */
const ERRORS = ['Se', 'SimulationSe', 'ReleaseSe'];

/** The rows of a document. Of a figure with all of its errors beside it one row says so. */
function fieldRows(fields: readonly Field[]): string[] {
  const paths = new Set(fields.map(({ path }) => path));
  const figures = fields.map(({ path }) => path).filter((path) => ERRORS.every((ending) => paths.has(path + ending)));
  const errors = new Set(figures.flatMap((path) => ERRORS.map((ending) => path + ending)));
  return fields.filter(({ path }) => !errors.has(path)).map((field) => fieldRow(field, errors.has(`${field.path}Se`)));
}

function fieldRow({ path, type, always, sameAs, meaning }: Field, hasErrors: boolean): string {
  const same = sameAs === null ? '' : ` Its fields are those of \`${sameAs}\`.`;
  return `| \`${cell(path)}\` | ${cell(type)}${always ? '' : ', may be missing'} | ${cell(meaning ?? '')}${same}${hasErrors ? ' ±' : ''} |`;
}

/** The page of every field and column, as it is to be. */
export function renderFields(): string {
  const tables = TABLES.map(
    ({ file, row, columns }) => `### ${heading(file)}.csv

One row: ${row}.

| column | meaning |
| --- | --- |
${Object.entries(columns)
  .map(([name, { meaning }]) => `| ${name === VARIABLES ? name : `\`${name}\``} | ${cell(meaning)} |`)
  .join('\n')}
`,
  );
  const documents = DOCUMENTS.map(
    ([file, what, schema]) => `### ${heading(file.replace(/^confidential\//, ''))}

\`${file}\`: ${what}.

| field | type | meaning |
| --- | --- | --- |
${fieldRows(listFields(schema)).join('\n')}
`,
  );
  return `# Fields

Every column of every table and every field of every JSON document. This page is written by \`npm run docs:pages\` from
the columns and schemas themselves, where each meaning stands. Formulas are in [estimators](../explanation/estimators.md).

In CSV files an empty cell is a missing value; in JSON what is undefined is null, with a reason beside it. \`[]\` stands for
the elements of a list, \`*\` for any name. \`...Reason\` says why a field beside it is null.

A figure marked ± has three standard errors beside it. \`...SimulationSe\`: how another evaluation of this release would differ (Monte
Carlo), 0 where the figure is exact. \`...ReleaseSe\`: how another release of the table would differ. \`...Se\`: both together. The last two
are null where nothing shows how releases differ, as for one dataset.

## Tables

Each is also written as Parquet where it can be large, with categories as text and counts as whole numbers. Such a file
holds its part of this page in its key-value metadata: \`synthrisk.row\` says what a row is, and \`synthrisk.columns\` is a
JSON object with the meaning of each column by its name. Read it with

    pyarrow.parquet.read_schema("attribute-risk.parquet").metadata[b"synthrisk.columns"]                # Python
    arrow::read_parquet("attribute-risk.parquet", as_data_frame = FALSE)$metadata$synthrisk.columns     # R
    select decode(value) from parquet_kv_metadata('attribute-risk.parquet')                             -- DuckDB

${tables.join('\n')}
## Documents

${documents.join('\n')}`;
}
