/**
 * Whether the test of membership finds as many members as it claims, among real people who are not in the table: some rows of a file
 * are the table, others of it the control, in several releases each of 1, 5 and 20 datasets. Writes a table of
 * docs/studies/membership.md, which holds aggregates alone. Runs that a folder has already are not done again.
 *
 *     npm run bench:membership -- --name survey --table table.csv --records 1000 --releases 4 --out DIR
 *
 * `--quarters A,B` cuts columns of numbers into quarters. `--noise` releases rows that have nothing of the table but its categories,
 * assessed as datasets made elsewhere. `--targets 40` is the experiment of two tables: one has the targets, the other has not, and each
 * is released. What stands after `--` goes to every run, in the place of `--precision quick`.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'csv-parse/sync';
import { insertTables, markdownTable } from '../../scripts/pages/insert-tables.ts';
import type { MembershipSummary } from '../../shared/contracts/results/membership.ts';
import { standardDeviation } from '../../shared/numeric/spread.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { formatEstimate, formatPercentEstimate } from '../../shared/report/words/format-number.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import { readSummary, runSynthrisk } from '../commands/run-synthrisk.ts';
import { measureTargets, targetRows } from './two-tables.ts';

const PAGE = 'docs/studies/membership.md';
/** People of a control at most: more would only make its own error smaller. */
const MOST_OTHERS = 2000;

const { values: options, positionals: settings } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: 'string' },
    table: { type: 'string' },
    records: { type: 'string', default: '1000' },
    releases: { type: 'string', default: '4' },
    datasets: { type: 'string', default: '1,5,20' },
    quarters: { type: 'string', default: '' },
    noise: { type: 'boolean', default: false },
    targets: { type: 'string' },
    out: { type: 'string' },
  },
});
if (!options.out) throw new Error('--out DIR is needed');
const out = options.out;
mkdirSync(out, { recursive: true });
const numbers = options.datasets.split(',').map(Number);
const records = Number(options.records);
const releases = Number(options.releases);
const always = ['--no-utility', ...(settings.length > 0 ? settings : ['--precision', 'quick'])];
if (options.name && options.table) {
  const { name, targets } = options;
  const [head, ...lines] = readTable(options.table, options.quarters.split(','));
  if (targets === undefined) await measure(name, head!, lines);
  else {
    const people = shuffled(lines, name);
    const tables = { name, head: head!, base: people.slice(0, records), targets: people.slice(records, records + Number(targets)) };
    await measureTargets(tables, { datasets: numbers[0]!, releases, out, always });
  }
}
const rows = readdirSync(out)
  .filter((file) => file.endsWith('.json') && !file.endsWith('-targets.json'))
  .flatMap((file) => tableRows(file.slice(0, -'.json'.length)));
const HEAD = ['table', 'datasets', 'AUC', 'found at 1 % false alarms'];
const tableOf = (own: typeof rows) => markdownTable([...HEAD, 'mean of 1 / LR, members', 'mean of LR, control', 'power'], own);
// The page has what a default release has; all numbers of datasets are printed.
const onPage = tableOf(rows.filter(([, datasets]) => datasets === '5'));
writeFileSync(PAGE, insertTables(readFileSync(PAGE, 'utf8'), { control: onPage, targets: targetRows(out) }));
console.log(tableOf(rows));
console.log(`${PAGE} is up to date.`);

type Found = { readonly records: number; readonly runs: Record<string, MembershipSummary[]> };

/** A table of texts with its header; columns of numbers that are named have the quarter of each instead. */
function readTable(file: string, quarters: readonly string[]): string[][] {
  const [head, ...lines]: string[][] = parse(readFileSync(file), { skip_empty_lines: true });
  for (const column of head!.keys()) {
    if (!quarters.includes(head![column]!)) continue;
    const sorted = Float64Array.from(lines, (line) => Number(line[column])).sort();
    const cuts = [1, 2, 3].map((quarter) => sorted[Math.floor((quarter * sorted.length) / 4)]!);
    for (const line of lines) line[column] = `q${1 + cuts.filter((cut) => Number(line[column]) >= cut).length}`;
  }
  return [head!, ...lines];
}

/** Lines in an order by chance. */
function shuffled(lines: readonly string[][], name: string, release = 1): string[][] {
  const random = new RandomStream(release, name);
  return lines
    .map((line) => ({ line, at: random.uniform() }))
    .sort((a, b) => a.at - b.at)
    .map(({ line }) => line);
}

/** A dataset that has nothing of a table but its categories. */
function noiseFor(table: readonly string[][], random: RandomStream): string[][] {
  const levels = table[0]!.map((_, column) => [...new Set(table.map((line) => line[column]!))]);
  return table.map(() => levels.map((own) => own[random.below(own.length)]!));
}

/** Divides a file at random, another division for each release, and evaluates the releases. */
async function measure(name: string, head: string[], lines: readonly string[][]): Promise<void> {
  const runs = new Map(numbers.map((datasets): [number, MembershipSummary[]] => [datasets, []]));
  for (let release = 1; release <= releases; release++) {
    const people = shuffled(lines, name, release);
    const members = people.slice(0, records);
    const known = new Set(members.flatMap((line) => line.map((value, column) => `${column}:${value}`)));
    // A control can have no values that the table has not: few rows have one.
    const others = people.slice(records).filter((line) => line.every((value, column) => known.has(`${column}:${value}`)));
    const write = (of: string, rows: readonly string[][]) => {
      const file = join(out, `${name}-${of}-${release}.csv`);
      writeFileSync(file, encodeCsv(head, rows));
      return file;
    };
    const table = write('members', members);
    const control = ['--control', write('control', others.slice(0, MOST_OTHERS))];
    for (const [datasets, found] of runs) {
      const run = join(out, `${name}-${release}-${datasets}`);
      const random = new RandomStream(release, `${name}/noise`);
      const noise = () => Array.from({ length: datasets }, (_, l) => write(`noise-${l + 1}`, noiseFor(members, random)));
      const ofRelease = options.noise ? ['assess', table, '--synthetic', ...noise()] : ['evaluate', table, '--datasets', `${datasets}`];
      if (!existsSync(join(run, 'manifest.json'))) await runSynthrisk([...ofRelease, ...control, ...always, '--out', run]);
      found.push(readSummary(run).attributeRisk[0]!.membership!);
      console.error(`${name}, release ${release}, ${datasets} datasets done`);
    }
  }
  writeFileSync(join(out, `${name}.json`), JSON.stringify({ records, runs: Object.fromEntries(runs) } satisfies Found));
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
