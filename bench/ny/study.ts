/**
 * Partial synthesis of one variable of many categories with the DPMPM and DP-areal, after Hu and Savitsky (2018), on a
 * table of the user's with the variables that `bench/ny/setting.ts` names. Writes the tables and figures of the study in
 * docs/matching.md; the same table gives the same bytes, whatever the number of jobs.
 *
 * It then tries both on simulated tables with what 001 tells of its own; without a table it does this alone.
 *
 *     npm run bench:ny -- --table ny-acs.csv
 *     npm run bench:ny
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { countedRows } from '../../shared/table/counted-rows.ts';
import { readTable } from '../../shared/table/files/read-table.ts';
import { patternsOf } from '../../shared/utility/pattern-distributions.ts';
import { insertTables } from '../pages/insert-tables.ts';
import { studyCharts } from './charts.ts';
import { studyFindings } from './findings.ts';
import { joinedTable } from './joined-table.ts';
import { type SampledReleases, SYNTHESIZERS, sampleReleases } from './sample-releases.ts';
import { CHAINS, DEPENDENCES, JOINED, KNOWN, SEED, SIMULATED_TABLES } from './setting.ts';
import { type SimulatedFindings, simulatedFindings } from './simulated-findings.ts';
import { simulatedTables, studyTables } from './tables.ts';

const PAGE = 'docs/matching.md';
const IMAGES = 'docs/images';

/** What a thread does: it runs a chain on the user's table, or tries the synthesizers on a simulated one. */
type StudyTask =
  | {
      readonly kind: 'chain';
      readonly path: string;
      readonly synthesizer: keyof typeof SYNTHESIZERS;
      readonly chain: number;
    }
  | { readonly kind: 'simulated'; readonly dependence: number; readonly number: number };

async function openTable(path: string) {
  const { table } = await readTable(readFileSync(path), { missing: 'refuse' });
  return joinedTable(table, KNOWN, JOINED);
}

function runInThread<T>(task: StudyTask): Promise<T> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: task });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

/** What the tasks give, in their order; so many of them run at once. */
async function runAll<T>(tasks: readonly StudyTask[], jobs: number): Promise<T[]> {
  const results = new Array<T>(tasks.length);
  let next = 0;
  const work = async () => {
    for (let at = next++; at < tasks.length; at = next++) {
      results[at] = await runInThread(tasks[at]!);
      console.log(`${at + 1} of ${tasks.length}: ${Object.values(tasks[at]!).join(', ')}`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return results;
}

async function runOnTable(path: string, jobs: number): Promise<void> {
  const names = Object.keys(SYNTHESIZERS) as (keyof typeof SYNTHESIZERS)[];
  const tasks = names.flatMap((synthesizer) =>
    Array.from({ length: CHAINS }, (_, c) => ({ kind: 'chain', path, synthesizer, chain: c + 1 }) as const),
  );
  const chains = await runAll<SampledReleases>(tasks, jobs);
  const found = names.map((_, s) => chains.slice(s * CHAINS, (s + 1) * CHAINS));
  const table = await openTable(path);
  const findings = studyFindings(table, found, SEED);
  const patterns = patternsOf(countedRows(table), [...KNOWN.keys()], KNOWN.length);
  writeTables(studyTables(findings, patterns));
  for (const [name, svg] of Object.entries(await studyCharts(findings, patterns))) {
    writeFileSync(`${IMAGES}/${name}`, svg);
  }
}

async function runOnSimulated(jobs: number): Promise<void> {
  const tasks = DEPENDENCES.flatMap((dependence) =>
    Array.from(
      { length: SIMULATED_TABLES },
      (_, t) => ({ kind: 'simulated', dependence, number: t + 1 }) as const,
    ),
  );
  const found = await runAll<SimulatedFindings>(tasks, jobs);
  const byKind = DEPENDENCES.map((_, d) => found.slice(d * SIMULATED_TABLES, (d + 1) * SIMULATED_TABLES));
  writeTables(simulatedTables(byKind));
}

function writeTables(tables: Readonly<Record<string, string>>): void {
  writeFileSync(PAGE, insertTables(readFileSync(PAGE, 'utf8'), tables));
}

if (isMainThread) {
  const { values: options } = parseArgs({
    options: { table: { type: 'string' }, jobs: { type: 'string', default: '2' } },
  });
  if (options.table !== undefined) await runOnTable(options.table, Number(options.jobs));
  await runOnSimulated(Number(options.jobs));
  console.log(`${PAGE} and its figures are up to date.`);
} else {
  const task = workerData as StudyTask;
  parentPort!.postMessage(
    task.kind === 'simulated'
      ? simulatedFindings(task.dependence, SEED, task.number)
      : sampleReleases(await openTable(task.path), SYNTHESIZERS[task.synthesizer], SEED, task.chain),
  );
}
