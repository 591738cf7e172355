import { DOCUMENTS } from './documents.ts';
import { FieldLists } from './fields-tree.ts';
import { TABLES } from './tables.ts';

/** What stands in angle brackets is no tag. */
const heading = (file: string) => file.replace(/^confidential\//, '').replaceAll('<', '\\<');

/** Where a document lies, if not where its heading says. */
const folderOf = (file: string) => (file.startsWith('confidential/') ? ', in `confidential/`' : '');

/** The page of every field and column, as it is to be. */
export function renderFields(): string {
  const lists = new FieldLists(
    DOCUMENTS.map(([file, , schema]) => [file, schema]),
    TABLES.map(({ file, columns }) => [`${file}.csv`, columns]),
  );
  const { errors, fields } = lists.head();
  const documents = DOCUMENTS.map(([file, what]) => `### ${heading(file)}\n\n${what}${folderOf(file)}.\n\n${lists.render(file)}\n`);
  const tables = TABLES.map(({ file, row }) => `### ${heading(`${file}.csv`)}\n\nOne row: ${row}.\n\n${lists.render(`${file}.csv`)}\n`);
  return `# Fields

Every field of every JSON document and every column of every table, written by \`npm run docs:pages\` from schemas and columns. Formulas are in
[estimators](../explanation/estimators.md), types of \`summary.json\` in the npm package. What is missing or undefined is
null in JSON, an empty cell in CSV.

| written | meaning |
| --- | --- |
| \`a[]\`, \`a?\`, \`a\\|null\`, \`*\` | a list; may be missing; may be null; any name |
| a name alone | means what it says, or what it meant where it last stood above |
| \`aBefore\`, \`aAfter\` | without the release, and with it |
| As | what that object and its fields mean |
| ° | \`aReason\` says why it is null |
| ± | \`aSe\` (\`a_se\` in tables; of an object one for each figure) is its standard error, of the kind below that the number names |
| ±±± | \`aSimulationSe\`: how another evaluation of this release would differ (Monte Carlo); \`aReleaseSe\`: how another release would; \`aSe\`: both. The last two are null where nothing shows how releases differ, as with one dataset |

Kinds of errors: ${errors}.

Wherever they stand:

${fields}

## Documents

${documents.join('\n')}
## Tables

Large ones are also written as Parquet, with categories as text and counts as whole numbers. Its key-value metadata holds what a row is
(\`synthrisk.row\`) and what columns mean (\`synthrisk.columns\`, JSON).

    pyarrow.parquet.read_schema("attribute-risk.parquet").metadata[b"synthrisk.columns"]                # Python
    arrow::read_parquet("attribute-risk.parquet", as_data_frame = FALSE)$metadata$synthrisk.columns     # R
    select decode(value) from parquet_kv_metadata('attribute-risk.parquet')                             -- DuckDB

${tables.join('\n')}`;
}
