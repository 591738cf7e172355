/**
 * What other tools say of a release beside attribute risk: evaluates and attacks releases of one table by the commands, and
 * writes the tables of docs/studies/other-tools.md, which hold aggregates alone. A folder that has some of it already is gone on with.
 *
 *     npm run bench:compared -- --table ny-acs.csv --out DIR
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { divideTables } from '../../scripts/pages/insert-tables.ts';
import { compareRelease, divideTable, RELEASES } from './releases.ts';
import { figuresTable, flagsTable, ranksTable } from './tables.ts';

const PAGE = 'docs/studies/other-tools.md';

const { values: options } = parseArgs({ options: { table: { type: 'string' }, out: { type: 'string' } } });
if (!options.table || !options.out) throw new Error('--table FILE and --out DIR are needed');
mkdirSync(options.out, { recursive: true });
const files = divideTable(options.table, options.out);
const releases = RELEASES.map((release) => {
  const compared = compareRelease(release, files, options.out!);
  console.error(`${release.name} done`);
  return compared;
});
const tables = { figures: figuresTable(releases), ranks: ranksTable(releases), flags: flagsTable(releases) };
const { page, apart } = divideTables(readFileSync(PAGE, 'utf8'), tables);
writeFileSync(PAGE, page);
console.log(apart);
console.log(`${PAGE} is up to date.`);
