/**
 * The study of Hornby & Hu (2021, section 4) on its own table, the Consumer Expenditure Survey of 2018, third quarter: how the
 * identification risk and the utility of sequential trees depend on the radius, on what is synthesized and on the number
 * of datasets (docs/studies/amounts-within-a-radius.md). Runs the commands `sweep` and `evaluate`, and writes the tables of that page and its
 * figures, which hold aggregates alone.
 *
 *     npm run bench:ce -- --table ce-2018q3.csv --out DIR [--repetitions 100]
 *
 * Runs in DIR that have finished are read again.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { divideTables } from '../../scripts/pages/insert-tables.ts';
import { readTable } from '../../shared/table/files/read-table.ts';
import { studyCharts } from './charts.ts';
import { independentRisk } from './independent-risk.ts';
import { studyMeasures } from './runs.ts';
import { VARIABLES } from './scenarios.ts';
import type { StudyResults } from './study-results.ts';
import { studyTables } from './tables.ts';

const PAGE = 'docs/studies/amounts-within-a-radius.md';

const { values: options } = parseArgs({
  options: { table: { type: 'string' }, out: { type: 'string' }, repetitions: { type: 'string', default: '100' } },
});
if (!options.table || !options.out) throw new Error('--table FILE and --out DIR are needed');
const { table } = await readTable(readFileSync(options.table), { variables: VARIABLES, missing: 'refuse' });
const study: StudyResults = {
  measures: await studyMeasures(resolve(options.table), options.out, Number(options.repetitions)),
  independent: { fixed: independentRisk(table, 'Income', 'fixed'), swept: independentRisk(table, 'Income', 'swept') },
};
const { page, apart } = divideTables(readFileSync(PAGE, 'utf8'), studyTables(study));
writeFileSync(PAGE, page);
console.log(apart);
for (const [file, svg] of Object.entries(await studyCharts(study))) writeFileSync(`docs/images/${file}`, svg);
console.log(`${PAGE} and its figures are up to date.`);
