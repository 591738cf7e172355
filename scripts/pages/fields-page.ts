import { VARIABLES } from '../../shared/contracts/column.ts';
import { DOCUMENTS } from './documents.ts';
import { listFields } from './list-fields.ts';
import { TABLES } from './tables.ts';

/** What stands in angle brackets is no tag. */
const heading = (file: string) => file.replaceAll('<', '\\<');

const cell = (text: string) => text.replaceAll('|', '\\|');

function fieldRow({ path, type, always, sameAs, meaning }: ReturnType<typeof listFields>[number]): string {
  const same = sameAs === null ? '' : ` Its fields are those of \`${sameAs}\`.`;
  return `| \`${cell(path)}\` | ${cell(type)}${always ? '' : ', may be missing'} | ${cell(meaning ?? '')}${same} |`;
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
${listFields(schema).map(fieldRow).join('\n')}
`,
  );
  return `# Fields

Every column of every table and every field of every JSON document. This page is written by \`npm run docs:pages\` from
the columns and schemas themselves, where each meaning stands. Formulas are in [estimators](../explanation/estimators.md).

In CSV files an empty cell is a missing value; in JSON what is undefined is null, with a reason beside it. \`[]\` stands for
the elements of a list, \`*\` for any name.

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
