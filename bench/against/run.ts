/**
 * How much faster this version is than an earlier one: the same jobs by turns, as whole processes of the built command
 * line, with medians of wall time, CPU time and peak memory, and this version's quotient to the earlier one.
 *
 *     npm run bench:against -- v0.7.0                         a tag or a commit
 *     npm run bench:against -- 20fae603 --job evaluate --job identify
 *     npm run bench:against -- v0.7.0 --table table.csv       evaluations on a table of categorical variables
 *     npm run bench:against -- v0.7.0 --repeats 5 --json
 *
 * The earlier version is installed and built in a temporary folder. All jobs take about an hour.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { householdTable } from '../../examples/household-table.ts';
import { median } from '../kernels/measure.ts';
import { JOBS } from './jobs.ts';

const HOUSEHOLDS = 7000;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    job: { type: 'string', multiple: true, default: JOBS.map(({ name }) => name) },
    table: { type: 'string' },
    repeats: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
  },
});
const [ref] = positionals;
const unknown = options.job.filter((name) => JOBS.every((job) => job.name !== name));
const repeats = Number(options.repeats);
if (ref === undefined || positionals.length > 1) throw new Error('expected one tag or commit: npm run bench:against -- REF');
if (unknown.length > 0) throw new Error(`no job is called ${unknown.join(', ')}: expected ${JOBS.map(({ name }) => name).join(', ')}`);
if (!(Number.isInteger(repeats) && repeats > 0)) throw new Error('--repeats: expected a whole number from 1');

/** What a process took. */
interface Usage {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly peakMiB: number;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const hook = pathToFileURL(join(root, 'bench', 'against', 'usage.mjs')).href;
const scratch = mkdtempSync(join(tmpdir(), 'synthrisk-against-'));
const say = (text: string) => process.stderr.write(`${text}\n`);

/** Installs and builds a version of this repository; the path of its command line. */
function buildEarlier(version: string): string {
  const folder = join(scratch, 'earlier');
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', '--format=tar', version], { cwd: root, maxBuffer: 1 << 30 });
  execFileSync('tar', ['-x'], { cwd: folder, input: archive });
  // What it prints is of no use unless it fails, when it is in the error.
  execFileSync(process.execPath, ['scripts/ensure-ready.mjs'], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  return join(folder, 'dist', 'synthrisk.mjs');
}

/** Runs a command of one version in a folder that is removed again. */
async function measure(program: string, args: readonly string[]): Promise<Usage> {
  const out = join(scratch, 'run');
  const usageFile = join(scratch, 'usage.json');
  const started = performance.now();
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', hook, program, ...args, '--out', out, '--quiet'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, USAGE_FILE: usageFile },
    });
    child.on('error', reject);
    child.on('close', resolve);
  });
  const wallSeconds = (performance.now() - started) / 1000;
  if (code !== 0) throw new Error(`${program} ${args[0]} ended with ${code}`);
  rmSync(out, { recursive: true, force: true });
  return { wallSeconds, ...(JSON.parse(readFileSync(usageFile, 'utf8')) as Omit<Usage, 'wallSeconds'>) };
}

const medians = (usages: readonly Usage[]): Usage => ({
  wallSeconds: median(usages.map(({ wallSeconds }) => wallSeconds)),
  cpuSeconds: median(usages.map(({ cpuSeconds }) => cpuSeconds)),
  peakMiB: median(usages.map(({ peakMiB }) => peakMiB)),
});

const quotient = (now: Usage, earlier: Usage): Usage => ({
  wallSeconds: now.wallSeconds / earlier.wallSeconds,
  cpuSeconds: now.cpuSeconds / earlier.cpuSeconds,
  peakMiB: now.peakMiB / earlier.peakMiB,
});

const told = ({ wallSeconds, cpuSeconds, peakMiB }: Usage, digits = 1) =>
  [wallSeconds, cpuSeconds, peakMiB].map((value) => value.toFixed(digits).padStart(9)).join('');

try {
  say(`building ${ref}`);
  const programs = { earlier: buildEarlier(ref), now: join(root, 'dist', 'synthrisk.mjs') };
  const table = options.table ?? join(scratch, 'households.csv');
  if (options.table === undefined) writeFileSync(table, householdTable(1, HOUSEHOLDS));
  const results = [];
  for (const job of JOBS.filter(({ name }) => options.job.includes(name))) {
    say(`${job.name}: ${job.what}`);
    const folder = join(scratch, job.name);
    mkdirSync(folder);
    const args = await job.prepare(folder, table);
    const earlier: Usage[] = [];
    const now: Usage[] = [];
    for (let turn = 0; turn < repeats; turn++) {
      earlier.push(await measure(programs.earlier, args));
      now.push(await measure(programs.now, args));
    }
    const middle = { earlier: medians(earlier), now: medians(now) };
    results.push({ job: job.name, what: job.what, ...middle, quotient: quotient(middle.now, middle.earlier) });
    rmSync(folder, { recursive: true });
  }
  if (options.json) console.log(JSON.stringify({ ref, table: options.table ?? 'household table', repeats, results }, null, 2));
  else {
    console.log(`${' '.repeat(22)}   wall s    CPU s      MiB`);
    for (const { job, earlier, now, quotient: ratio } of results) {
      console.log(`${job.padEnd(12)} ${ref.slice(0, 8).padEnd(9)}${told(earlier)}`);
      console.log(`${''.padEnd(12)} ${'now'.padEnd(9)}${told(now)}`);
      console.log(`${''.padEnd(12)} ${'quotient'.padEnd(9)}${told(ratio, 2)}`);
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
