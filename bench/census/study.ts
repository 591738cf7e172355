/**
 * The results of Hu et al. (2014, section 4) on a table of the user's, a census extract with the variables that `bench/census/setting.ts`
 * names, and on a simulated table with what Hu et al. (2014) say of theirs. Writes the tables and figures of
 * docs/studies/census.md, which hold aggregates alone.
 *
 *     npm run bench:census -- --table ny-acs.csv --published hrw2014-table3.csv --out DIR
 *
 * The second file holds Table 3 of Hu et al. (2014), with the columns `reps`, `rank` and `prob`. The runs stay in DIR: what is there is
 * not run again. The same table gives the same bytes.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { divideTables } from '../../scripts/pages/insert-tables.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { readTable, readTableAs } from '../../shared/table/files/read-table.ts';
import type { Table } from '../../shared/table/table.ts';
import type { CensusResults, PublishedOnTable } from './census-results.ts';
import { studyCharts } from './charts.ts';
import { jointDistribution, pairDistances, regressionCoefficients, tableFacts } from './findings.ts';
import { type OneChainRelease, releaseOfRun, releaseOfTable } from './one-chain-release.ts';
import { readPublishedRanks } from './published.ts';
import { publishedEvaluations } from './published-evaluations.ts';
import { censusRuns } from './runs.ts';
import { DATASETS, PAIRS, REGRESSION, SEED } from './setting.ts';
import { PUBLISHED_SIZES, simulatedTable } from './simulated-table.ts';
import { storedOr } from './stored-json.ts';
import { studyTables } from './tables.ts';

const PAGE = 'docs/studies/census.md';
const IMAGES = 'docs/images';

const { values: options } = parseArgs({
  options: { table: { type: 'string' }, published: { type: 'string' }, out: { type: 'string' }, jobs: { type: 'string', default: '2' } },
});
const { table: file, published, out } = options;
if (!file || !published || !out) throw new Error('--table FILE, --published FILE and --out DIR are needed');

mkdirSync(out, { recursive: true });
const runs = await censusRuns({ table: file, out, jobs: Number(options.jobs) });
const { folder, unknown, summary } = runs.augmented[0];
const release = await releaseOfRun(folder);
const { table } = await readTable(readFileSync(file), { missing: 'refuse' });
const datasets: Table[] = [];
for (let l = 1; l <= DATASETS; l++) {
  const bytes = readFileSync(join(folder, 'release', `synthetic-${l}.csv`));
  datasets.push((await readTableAs(bytes, table.schema, { missing: 'refuse' })).table);
}

const [ofChange, ofUnknown, ofModelled] = summary.attributeRisk;
const results: CensusResults = {
  pairs: PAIRS.map((names) => jointDistribution(table, datasets, names)),
  distances: pairDistances(table, datasets, new RandomStream(SEED, 'census/resampled')),
  regression: regressionCoefficients(table, datasets, REGRESSION),
  augmented: runs.augmented.map(({ change }) => change),
  importance: runs.importance.map(({ change }) => change),
  gains: [...runs.augmented, ...runs.importance].map((run) => {
    const first = run.summary.attributeRisk[0]!;
    return { name: first.estimator, summary: first };
  }),
  unknown,
  summaries: { change: ofChange!, unknown: ofUnknown!, modelled: ofModelled! },
  table: evaluated('extract', () => release),
  simulated: evaluated('simulated', () => releaseOfTable(simulatedTable(new RandomStream(SEED, 'census/table')), PUBLISHED_SIZES, SEED)),
  publishedRanks: readPublishedRanks(readFileSync(published)),
};
const { page, apart } = divideTables(readFileSync(PAGE, 'utf8'), studyTables(results));
writeFileSync(PAGE, page);
console.log(apart);
for (const [name, svg] of Object.entries(await studyCharts(results))) writeFileSync(`${IMAGES}/${name}`, svg);
console.log(`${PAGE} and its figures are up to date.`);

/** Evaluates a release by the published estimator, or reads what was found before. */
function evaluated(name: string, open: () => OneChainRelease): PublishedOnTable {
  const found = storedOr(join(out!, `${name}.json`), () => {
    const release = open();
    return { facts: tableFacts(release.table, release.sizes), evaluations: publishedEvaluations(release, name, SEED) };
  });
  console.log(`${name}: evaluated by the published estimator`);
  return found;
}
