/**
 * How much of an intruder's uncertainty releases resolve, of tables and synthesizers that others can make again: evaluates
 * them by the command and writes the tables of docs/explanation/reference-releases.md, which hold aggregates alone. A
 * folder that has some of it already is gone on with.
 *
 *     npm run bench:references -- --data DIR --out DIR     # [--collect]: the page from the runs that are there
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'csv-parse/sync';
import { stringify } from 'yaml';
import { householdTable } from '../../examples/household-table.ts';
import { insertTables } from '../../scripts/pages/insert-tables.ts';
import { runStateSchema } from '../../shared/contracts/run/run-state.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import { readSummary, runSynthrisk } from '../commands/run-synthrisk.ts';
import { type Cells, type Reference, type ReferenceTable, referencesOf, TABLES } from './releases.ts';
import { type ReferenceResult, referenceTable, settingsLine } from './tables.ts';

const PAGE = 'docs/explanation/reference-releases.md';

const { values: options } = parseArgs({
  options: { data: { type: 'string', default: '../shared/data' }, out: { type: 'string' }, collect: { type: 'boolean', default: false } },
});
if (!options.out) throw new Error('--out DIR is needed');
const { data, out } = { data: options.data, out: options.out };
mkdirSync(out, { recursive: true });

/** The cells of a table, from its file; null where it is not there. */
function cellsOf({ file }: ReferenceTable): Cells | null {
  if (file === null) return parse(Buffer.from(householdTable(1))) as unknown as Cells;
  const path = join(data, file);
  return existsSync(path) ? (parse(readFileSync(path)) as unknown as Cells) : null;
}

const runOf = ({ folder }: Reference) => join(out, folder, 'run');
const isEvaluated = (reference: Reference) => existsSync(join(runOf(reference), 'confidential', 'report.html'));

/** Evaluates a release, unless its folder has one. */
async function evaluated(reference: Reference, [header, ...rows]: Cells): Promise<ReferenceResult> {
  const folder = join(out, reference.folder);
  const run = runOf(reference);
  if (!isEvaluated(reference)) {
    mkdirSync(folder, { recursive: true });
    const columns = reference.columns ?? header;
    const table = rows.map((row) => columns.map((name) => row[header.indexOf(name)]!));
    writeFileSync(join(folder, 'table.csv'), encodeCsv(columns, table));
    const { zeros } = reference.table;
    if (zeros) writeFileSync(join(folder, 'zeros.csv'), readFileSync(join(data, zeros)));
    writeFileSync(join(folder, 'run.yaml'), stringify({ table: 'table.csv', ...reference.settings }));
    await runSynthrisk(['evaluate', '--config', join(folder, 'run.yaml'), '--out', run]);
  }
  const { seconds } = runStateSchema.parse(JSON.parse(readFileSync(join(run, 'run.json'), 'utf8')));
  return { reference, summary: readSummary(run), seconds: seconds.total };
}

const asked = TABLES.flatMap((table) => {
  const cells = cellsOf(table);
  if (cells === null) console.error(`${table.name} is not in ${data}: left out`);
  return cells === null ? [] : [{ cells, references: referencesOf(table, cells) }];
});
const results = new Map<Reference, ReferenceResult>();
const most = Math.max(...asked.map(({ references }) => references.length));
// Of all tables what takes least time comes first, so that a study that is stopped has most of it.
for (let turn = most; turn >= 1; turn--) {
  for (const { cells, references } of asked) {
    const reference = references.at(-turn);
    if (reference === undefined || (options.collect && !isEvaluated(reference))) continue;
    const result = await evaluated(reference, cells);
    results.set(reference, result);
    console.error(`${reference.folder}: ${result.seconds.toFixed(0)} s`);
  }
}
const inOrder = asked.flatMap(({ references }) => references.flatMap((own) => results.get(own) ?? []));
// Of models of counts the page has one, of the largest epsilon; all releases are printed.
const onPage = inOrder.filter(({ reference }) => !/beta-binomial|ε = 10?$/.test(reference.synthesizer));
const tables = { releases: referenceTable(onPage), settings: settingsLine(inOrder, new Date()) };
writeFileSync(PAGE, insertTables(readFileSync(PAGE, 'utf8'), tables));
console.log(referenceTable(inOrder));
console.log(`${PAGE} is up to date.`);
