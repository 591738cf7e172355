/**
 * Whether the test of membership finds as many members as it claims, among real people who are not in the table: some rows of a file
 * are the table, others of it the control, in several releases each of 1, 5 and 20 datasets. Writes a table of
 * docs/explanation/membership.md, which holds aggregates alone. Runs that a folder has already are not done again.
 *
 *     npm run bench:membership -- --name survey --table table.csv --records 1000 --releases 4 --out DIR
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { insertTables, markdownTable } from '../../scripts/pages/insert-tables.ts';
import type { MembershipSummary } from '../../shared/contracts/results/membership.ts';
import { standardDeviation } from '../../shared/numeric/spread.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { formatEstimate, formatPercentEstimate } from '../../shared/report/words/format-number.ts';
import { readSummary, runSynthrisk } from '../commands/run-synthrisk.ts';

const PAGE = 'docs/explanation/membership.md';
const DATASETS = [1, 5, 20];
/** People of a control at most: more would only make its own error smaller. */
const MOST_OTHERS = 2000;

const { values: options } = parseArgs({
  options: {
    name: { type: 'string' },
    table: { type: 'string' },
    records: { type: 'string', default: '1000' },
    releases: { type: 'string', default: '4' },
    out: { type: 'string' },
  },
});
if (!options.out) throw new Error('--out DIR is needed');
const out = options.out;
mkdirSync(out, { recursive: true });
if (options.name && options.table) await measure(options.name, options.table, Number(options.records), Number(options.releases));
const rows = readdirSync(out)
  .filter((file) => file.endsWith('.json'))
  .flatMap((file) => tableRows(file.slice(0, -'.json'.length)));
const table = markdownTable(
  [
    'table',
    'datasets',
    'AUC',
    'its error, as stated',
    'found at 1 % false alarms',
    'mean of 1 / LR, members',
    'mean of LR, control',
    'power',
  ],
  rows,
);
writeFileSync(PAGE, insertTables(readFileSync(PAGE, 'utf8'), { control: table }));
console.log(`${PAGE} is up to date.`);

type Found = { readonly records: number; readonly runs: Record<string, MembershipSummary[]> };

/** Divides a file at random, another division for each release, and evaluates the releases. */
async function measure(name: string, file: string, records: number, releases: number): Promise<void> {
  const [head, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  const runs = new Map(DATASETS.map((datasets): [number, MembershipSummary[]] => [datasets, []]));
  for (let release = 1; release <= releases; release++) {
    const random = new RandomStream(release, name);
    const shuffled = lines
      .map((line) => ({ line, at: random.uniform() }))
      .sort((a, b) => a.at - b.at)
      .map(({ line }) => line);
    const [members, control] = ['members', 'control'].map((of) => join(out, `${name}-${of}-${release}.csv`)) as [string, string];
    writeFileSync(members, [head, ...shuffled.slice(0, records)].join('\n'));
    const seen = new Set(shuffled.slice(0, records).flatMap(valuesOf));
    // A control can have no values that the table has not: few rows have one.
    const known = shuffled.slice(records).filter((line) => valuesOf(line).every((value) => seen.has(value)));
    writeFileSync(control, [head, ...known.slice(0, MOST_OTHERS)].join('\n'));
    for (const [datasets, found] of runs) {
      const run = join(out, `${name}-${release}-${datasets}`);
      const settings = ['--datasets', `${datasets}`, '--precision', 'quick', '--no-utility', '--out', run];
      if (!existsSync(join(run, 'manifest.json'))) await runSynthrisk(['evaluate', members, '--control', control, ...settings]);
      found.push(readSummary(run).attributeRisk[0]!.membership!);
      console.error(`${name}, release ${release}, ${datasets} datasets done`);
    }
  }
  writeFileSync(join(out, `${name}.json`), JSON.stringify({ records, runs: Object.fromEntries(runs) } satisfies Found));
}

/** The values of a line of CSV, each with its place. */
function valuesOf(line: string): string[] {
  return (line.match(/(?:"[^"]*"|[^,"])+/g) ?? []).map((value, place) => `${place}:${value}`);
}

function tableRows(name: string): string[][] {
  const { records, runs }: Found = JSON.parse(readFileSync(join(out, `${name}.json`), 'utf8'));
  return Object.entries(runs).map(([datasets, found]) => {
    const spread = (figure: (of: MembershipSummary) => number | null) => {
      const values = found.map((of) => figure(of) ?? Number.NaN);
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      return [mean, standardDeviation(values)] as const;
    };
    const [stated] = spread(({ aucSe, aucSimulationSe }) => aucSe ?? aucSimulationSe);
    return [
      `${name}, ${records} records, ${Math.round(spread(({ othersCount }) => othersCount)[0])} others`,
      datasets,
      formatPercentEstimate(...spread(({ auc }) => auc)),
      `${(100 * stated).toFixed(1)} %${datasets === '1' ? ', of simulation' : ''}`,
      formatPercentEstimate(...spread(({ foundAt1Percent }) => foundAt1Percent)),
      formatEstimate(...spread(({ meanInverseRatioMembers }) => meanInverseRatioMembers)),
      formatEstimate(...spread(({ meanRatioOthers }) => meanRatioOthers)),
      formatEstimate(...spread(({ power }) => power)),
    ];
  });
}
