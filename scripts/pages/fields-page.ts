import { DOCUMENTS } from './documents.ts';
import { FieldLists } from './fields-tree.ts';
import { TABLES } from './tables.ts';

/** What stands in angle brackets is no tag. */
const heading = (file: string) => file.replace(/^confidential\//, '').replaceAll('<', '\\<');

/** The page of every field and column, as it is to be. */
export function renderFields(): string {
  const lists = new FieldLists(
    DOCUMENTS.map(([file, , schema]) => [file, schema]),
    TABLES.map(({ file, columns }) => [`${file}.csv`, columns]),
  );
  const { errors, fields } = lists.head();
  const documents = DOCUMENTS.map(([file, what]) => `### ${heading(file)}\n\n\`${file}\`: ${what}.\n\n${lists.render(file)}\n`);
  const tables = TABLES.map(({ file, row }) => `### ${heading(`${file}.csv`)}\n\nOne row: ${row}.\n\n${lists.render(`${file}.csv`)}\n`);
  return `# Fields

What every column of every table and every field of every JSON document means, written by \`npm run docs:pages\` from the columns and schemas
themselves. Formulas are in [estimators](../explanation/estimators.md).

In CSV files an empty cell is a missing value. In JSON what is undefined is null, with a reason beside it.

| written | meaning |
| --- | --- |
| \`name: string\` | its type; without one it is a number, or an object whose fields follow |
| \`name[]\`, \`name?\`, \`name\\|null\` | a list; may be missing; may be null |
| \`*\` | any name |
| As in, As | what these fields, or all fields of that object, mean stands there |
| ° | \`...Reason\` beside it says why it is null |
| ± | \`...Se\` beside it (\`..._se\` in tables) is its standard error; a number after it is that of a line below |
| ±±± | three standard errors are beside it: \`...SimulationSe\`, how another evaluation of this release would differ (Monte Carlo), 0 where the figure is exact; \`...ReleaseSe\`, how another release of the table would differ; \`...Se\`, both together; the last two are null where nothing shows how releases differ, as for one dataset |

An object marked ± has an object of errors by the names of its figures beside it.

${errors}

Everywhere these fields mean:

${fields}

## Documents

${documents.join('\n')}
## Tables

Each is also written as Parquet where it can be large, with categories as text and counts as whole numbers. Such a file holds its part of this
page in its key-value metadata: \`synthrisk.row\` says what a row is, \`synthrisk.columns\` is a JSON object with the meaning of each column.

    pyarrow.parquet.read_schema("attribute-risk.parquet").metadata[b"synthrisk.columns"]                # Python
    arrow::read_parquet("attribute-risk.parquet", as_data_frame = FALSE)$metadata$synthrisk.columns     # R
    select decode(value) from parquet_kv_metadata('attribute-risk.parquet')                             -- DuckDB

${tables.join('\n')}`;
}
