/**
 * The largest tables through the built command line: seconds, memory predicted and taken, how far the remaining time that was
 * shown lay from what it took, and the pages of the run. Then fifty runs in one process, whose memory, files and threads are
 * watched. Writes its tables into docs/studies/load.md, or prints those of the named jobs. Takes an hour or two.
 *
 *     npm run bench:load [-- records combinations variables batches soak]
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { divideTables, markdownTable } from '../../scripts/pages/insert-tables.ts';
import { type LargeTable, largeTable } from '../million/large-table.ts';

const PROGRAM = fileURLToPath(new URL('./synthrisk.mjs', import.meta.url));
const PAGE = 'docs/studies/load.md';
const JOBS = '2';

/** So few chains and draws that what grows with the table is what takes the time. */
const CHAINS = '--classes 10 --chains 2 --burn-in 10 --draws 4 --thin 1 --paired-chains 2 --paired-draws 4 --paired-thin 1';

/** Remaining times below this many seconds say little, shown in whole seconds as they are. */
const LEAST_REMAINING = 5;

interface Job {
  readonly title: string;
  readonly table: LargeTable;
  readonly args: string;
}

const sizesOf = (variables: number) => Array.from({ length: variables }, (_, k) => 2 + (k % 5));

const LARGE: Record<string, Job> = {
  records: {
    title: 'a million records of 12 variables, 90,000 combinations',
    table: { records: 1_000_000, combinations: 90_000 },
    args: '',
  },
  combinations: {
    title: 'a million combinations of 14 variables, one of them unknown',
    table: { records: 1_000_000, combinations: 1_000_000, sizes: sizesOf(14), fallOff: 2 },
    args: '--unknown V14_5',
  },
  variables: {
    title: '2,000 combinations of 200 variables',
    // Of so many variables hardly two rows are drawn alike.
    table: { records: 2_000, combinations: 2_000, sizes: sizesOf(200), fallOff: 2 },
    args: '',
  },
  batches: {
    title: '10,000 combinations of 8 variables, each a batch of its own',
    table: { records: 20_000, combinations: 10_000, sizes: sizesOf(8), fallOff: 2 },
    args: '--batch-size 1',
  },
};

/** A line that a command wrote to standard error, and when (seconds from its beginning). */
interface Line {
  readonly at: number;
  readonly text: string;
}

/** How a command went. */
interface Told {
  readonly seconds: number;
  readonly stdout: string;
  readonly lines: readonly Line[];
}

/** Carries a command out, and keeps what it shows of its progress. */
function carriedOut(args: readonly string[], watch: (id: number) => void = () => undefined): Promise<Told> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const seconds = () => (performance.now() - began) / 1000;
    const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    const lines: Line[] = [];
    let stdout = '';
    child.stdout.on('data', (some: Buffer) => {
      stdout += some;
    });
    child.stderr.on('data', (some: Buffer) => {
      for (const text of some.toString().split('\n')) if (text) lines.push({ at: seconds(), text });
    });
    const timer = setInterval(() => watch(child.pid!), 1000);
    child.on('error', reject);
    child.on('close', (code) => {
      clearInterval(timer);
      if (code === 0) resolve({ seconds: seconds(), stdout, lines });
      else reject(new Error(`synthrisk ${args[0]} ended with ${code}: ${lines.at(-1)?.text}`));
    });
  });
}

/** A duration as the program writes it, in seconds. */
function secondsOf(text: string): number {
  const units: Record<string, number> = { s: 1, min: 60, h: 3600 };
  return [...text.matchAll(/([\d.]+) (s|min|h)/g)].reduce((sum, [, number, unit]) => sum + Number(number) * units[unit!]!, 0);
}

/** Of each remaining time that was shown of a step, how many times as long, or as short, it was in truth. */
function timesOff(lines: readonly Line[]): number[] {
  const ends = lines.filter(({ text }) => text.startsWith('✔')).map(({ at }) => at);
  return lines.flatMap(({ at, text }) => {
    const shown = /%, (.+) left/.exec(text)?.[1];
    const end = ends.find((time) => time >= at);
    if (shown === undefined || end === undefined || end - at < LEAST_REMAINING) return [];
    const ratio = secondsOf(shown) / (end - at);
    return [Math.max(ratio, 1 / ratio)];
  });
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];
const megabytes = (path: string) => (statSync(path).size / 1e6).toFixed(1);

/** A row of the table of the largest, and of that of their pages. */
async function large({ title, table, args }: Job): Promise<[string[], string[]]> {
  const path = join(folder, 'table.csv');
  writeFileSync(path, largeTable(1, table));
  const flagsOf = (datasets: number) => [
    ...[path, ...CHAINS.split(' '), ...args.split(' ').filter(Boolean)],
    ...['--jobs', JOBS, '--datasets', `${datasets}`],
  ];
  const flags = flagsOf(2);
  const [run, other] = [join(folder, 'run'), join(folder, 'other')];
  const { memoryMiB } = JSON.parse((await carriedOut(['plan', ...flags, '--json'])).stdout);
  const { seconds, lines } = await carriedOut(['evaluate', ...flags, '--out', run, '--json']);
  const { peakMemoryMiB } = JSON.parse(readFileSync(join(run, 'run.json'), 'utf8'));
  const off = timesOff(lines);
  const report = await carriedOut(['report', run]);
  const open = await carriedOut(['report', run, '--public']);
  await carriedOut(['evaluate', ...flagsOf(1), '--out', other, '--json']);
  const compared = await carriedOut(['compare', run, other, '--out', join(folder, 'compared')]);
  const pages = join(run, 'confidential');
  const rows: [string[], string[]] = [
    [
      title,
      seconds.toFixed(0),
      memoryMiB.toFixed(0),
      peakMemoryMiB.toFixed(0),
      `${off.length}`,
      median(off)?.toFixed(2) ?? '',
      off.length > 0 ? Math.max(...off).toFixed(2) : '',
    ],
    [
      title,
      `${report.seconds.toFixed(0)}, ${megabytes(join(pages, 'report.html'))}`,
      `${open.seconds.toFixed(0)}, ${megabytes(join(pages, 'public.html'))}`,
      compared.seconds.toFixed(0),
    ],
  ];
  for (const made of [run, other, join(folder, 'compared')]) rmSync(made, { recursive: true });
  return rows;
}

/** What a process holds. */
interface Held {
  readonly runs: number;
  readonly memoryMiB: number;
  readonly files: number;
  readonly threads: number;
}

/** Fifty runs of the same size in one process: what it held while each tenth of them ran, at the middle of what was seen. */
async function soak(): Promise<string[][]> {
  const mcmc = { chains: 2, burnIn: 20, draws: 8, thin: 1, pairedChains: 4, pairedDraws: 8, pairedThin: 1, reproducibility: 'off' };
  const classes = Array.from({ length: 50 }, (_, k) => 10 + k);
  const config = join(folder, 'grid.yaml');
  writeFileSync(join(folder, 'table.csv'), largeTable(1, { records: 1000, combinations: 500 }));
  writeFileSync(config, JSON.stringify({ table: 'table.csv', mcmc, grid: { classes } }));
  const out = join(folder, 'swept');
  const seen: Held[] = [];
  await carriedOut(['sweep', '--config', config, '--out', out, '--jobs', JOBS, '--json'], (id) => {
    if (!existsSync(out)) return;
    const status = readFileSync(`/proc/${id}/status`, 'utf8');
    const number = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)![1]);
    const finished = readdirSync(out).filter((run) => existsSync(join(out, run, 'manifest.json'))).length;
    const files = readdirSync(`/proc/${id}/fd`).length;
    seen.push({ runs: finished, memoryMiB: number('VmRSS') / 1024, files, threads: number('Threads') });
  });
  return [0, 10, 20, 30, 40].map((from) => {
    const some = seen.filter(({ runs }) => runs >= from && runs < from + 10);
    const middle = (of: (held: Held) => number) => (median(some.map(of)) ?? Number.NaN).toFixed(0);
    return [
      `${from + 1} to ${from + 10}`,
      middle(({ memoryMiB }) => memoryMiB),
      middle(({ files }) => files),
      middle(({ threads }) => threads),
    ];
  });
}

const names = process.argv.slice(2);
const wanted = names.length > 0 ? names : [...Object.keys(LARGE), 'soak'];
const folder = mkdtempSync(join(tmpdir(), 'synthrisk-load-'));
try {
  const rows: [string[], string[]][] = [];
  for (const name of wanted) if (name !== 'soak') rows.push(await large(LARGE[name]!));
  const tables: Record<string, string> = {};
  if (rows.length > 0) {
    const head = ['table', 'seconds', 'MiB predicted', 'MiB taken', 'times shown', 'off by, middle', 'off by, most'];
    tables['largest'] = markdownTable(
      head,
      rows.map(([run]) => run),
    );
    tables['pages'] = markdownTable(
      ['table', 'report: s, MB', 'public page: s, MB', '`compare`: s'],
      rows.map(([, page]) => page),
    );
  }
  if (wanted.includes('soak')) tables['soak'] = markdownTable(['runs', 'MiB', 'open files', 'threads'], await soak());
  for (const table of Object.values(tables)) console.log(`${table}\n`);
  if (names.length === 0) writeFileSync(PAGE, divideTables(readFileSync(PAGE, 'utf8'), tables).page);
} finally {
  rmSync(folder, { recursive: true });
}
