/**
 * The study of Winkler (2004): how many records of masked microdata are re-identified by metrics that are built from the release, on
 * the Census test table of the CASC project, and beside it synthetic data of the same table (docs/studies/masking.md). Writes the
 * tables of that page and its figure, which hold aggregates alone.
 *
 *     npm run bench:masking -- --table casc-census.csv [--repetitions 5] [--part speed]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { divideTables } from '../../scripts/pages/insert-tables.ts';
import { readTable } from '../../shared/table/files/read-table.ts';
import { sweepChart } from './charts.ts';
import { measureClaims } from './claims.ts';
import { measureMdav, measureMillion, spawnMillion } from './speed.ts';
import { measureSweeps } from './sweeps.ts';
import { claimsTable, lossTable, speedTable, swapTable } from './tables.ts';

const PAGE = 'docs/studies/masking.md';

const { values: options } = parseArgs({
  options: {
    table: { type: 'string' },
    repetitions: { type: 'string', default: '5' },
    part: { type: 'string', default: 'all' },
    million: { type: 'boolean', default: false },
  },
});

if (options.million) {
  console.log(JSON.stringify(await measureMillion()));
} else {
  if (!options.table) throw new Error('--table FILE is needed');
  const speed = { million: spawnMillion(), mdav: await measureMdav() };
  write({ speed: speedTable(speed) });
  if (options.part === 'all') {
    const { table } = await readTable(readFileSync(options.table), { missing: 'refuse' });
    const seeds = Array.from({ length: Number(options.repetitions) }, (_, i) => i + 1);
    const tell = (what: string) => console.error(`${what} done`);
    const claims = measureClaims(table, seeds, tell);
    write({ loss: lossTable(table), claims: claimsTable(claims), swapping: swapTable(claims) });
    writeFileSync('docs/images/masking-sweeps.svg', await sweepChart(measureSweeps(table, seeds, tell)));
  }
  console.log(`${PAGE} and its figure are up to date.`);
}

/** Writes some of the tables on the page, and prints those that it has no place for. */
function write(tables: Readonly<Record<string, string>>): void {
  const { page, apart } = divideTables(readFileSync(PAGE, 'utf8'), tables);
  writeFileSync(PAGE, page);
  console.log(apart);
}
