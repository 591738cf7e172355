/**
 * Partial synthesis of one variable of many categories with the DPMPM and DP-areal, after Hu and Savitsky (2018), by the
 * commands, on a table of the user's with the variables that `bench/ny/setting.ts` names. Writes the tables and figures of
 * the study in docs/studies/many-categories.md; runs in DIR that have finished are read again.
 *
 * Without a table both are tried on simulated tables with what Hu & Savitsky (2018) say of theirs; that gives the same bytes, whatever
 * the number of jobs.
 *
 *     npm run bench:ny -- --table ny-acs.csv --out DIR
 *     npm run bench:ny
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { divideTables } from '../../scripts/pages/insert-tables.ts';
import { readTable } from '../../shared/table/files/read-table.ts';
import { studyCharts } from './charts.ts';
import { utilityBounds } from './findings.ts';
import { joinedTable } from './joined-table.ts';
import { studyRuns } from './runs.ts';
import { DEPENDENCES, JOINED, KNOWN, SEED, SIMULATED_TABLES } from './setting.ts';
import { type SimulatedFindings, simulatedFindings } from './simulated-findings.ts';
import { simulatedTables, studyTables } from './tables.ts';

const PAGE = 'docs/studies/many-categories.md';
const IMAGES = 'docs/images';

/** What a thread does: it tries the synthesizers on a simulated table. */
interface StudyTask {
  readonly dependence: number;
  readonly number: number;
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

async function runOnTable(path: string, out: string): Promise<void> {
  const { table } = await readTable(readFileSync(path), { missing: 'refuse' });
  const joined = joinedTable(table, KNOWN, JOINED);
  const runs = await studyRuns(joined, out);
  writeTables(studyTables({ runs, bounds: utilityBounds(joined, SEED) }));
  for (const [name, svg] of Object.entries(await studyCharts(runs))) {
    writeFileSync(`${IMAGES}/${name}`, svg);
  }
}

async function runOnSimulated(jobs: number): Promise<void> {
  const tasks = DEPENDENCES.flatMap((dependence) => Array.from({ length: SIMULATED_TABLES }, (_, t) => ({ dependence, number: t + 1 })));
  const found = await runAll<SimulatedFindings>(tasks, jobs);
  const byKind = DEPENDENCES.map((_, d) => found.slice(d * SIMULATED_TABLES, (d + 1) * SIMULATED_TABLES));
  writeTables(simulatedTables(byKind));
}

function writeTables(tables: Readonly<Record<string, string>>): void {
  const { page, apart } = divideTables(readFileSync(PAGE, 'utf8'), tables);
  writeFileSync(PAGE, page);
  console.log(apart);
}

if (isMainThread) {
  const { values: options } = parseArgs({
    options: { table: { type: 'string' }, out: { type: 'string' }, jobs: { type: 'string', default: '2' } },
  });
  const { table, out, jobs } = options;
  if ((table === undefined) !== (out === undefined)) throw new Error('--table FILE and --out DIR go together');
  if (table !== undefined && out !== undefined) await runOnTable(table, out);
  else await runOnSimulated(Number(jobs));
  console.log(`${PAGE} and its figures are up to date.`);
} else {
  const { dependence, number } = workerData as StudyTask;
  parentPort!.postMessage(simulatedFindings(dependence, SEED, number));
}
