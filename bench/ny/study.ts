/**
 * Partial synthesis of one variable of many categories with the DPMPM and DP-areal, after Hu and Savitsky (2018), on a
 * table of the user's with the variables that `bench/ny/setting.ts` names. Writes the tables and figures of the study in
 * docs/matching.md; the same table gives the same bytes, whatever the number of jobs.
 *
 *     npm run bench:ny -- --table ny-acs.csv
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { readTable } from '../../shared/table/files/read-table.ts';
import { insertTables } from '../pages/insert-tables.ts';
import { studyCharts } from './charts.ts';
import { studyFindings } from './findings.ts';
import { joinedTable } from './joined-table.ts';
import { patternsOf } from './pattern-shares.ts';
import { type SampledReleases, SYNTHESIZERS, sampleReleases } from './sample-releases.ts';
import { CHAINS, JOINED, KNOWN, SEED } from './setting.ts';
import { studyTables } from './tables.ts';

const PAGE = 'docs/matching.md';
const IMAGES = 'docs/images';

/** A chain that a thread runs. */
interface ChainTask {
  readonly synthesizer: keyof typeof SYNTHESIZERS;
  readonly chain: number;
}

async function openTable(path: string) {
  const { table } = await readTable(readFileSync(path), { missing: 'refuse' });
  return joinedTable(table, KNOWN, JOINED);
}

function runInThread(path: string, task: ChainTask): Promise<SampledReleases> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { path, task } });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

async function runStudy(path: string, jobs: number): Promise<void> {
  const names = Object.keys(SYNTHESIZERS) as ChainTask['synthesizer'][];
  const found = names.map(() => new Array<SampledReleases>(CHAINS));
  const waiting = names.flatMap((synthesizer, s) =>
    Array.from({ length: CHAINS }, (_, c) => ({ s, task: { synthesizer, chain: c + 1 } })),
  );
  const work = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { s, task } = next;
      found[s]![task.chain - 1] = await runInThread(path, task);
      console.log(`${SYNTHESIZERS[task.synthesizer].name}: chain ${task.chain} has run`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  const table = await openTable(path);
  const findings = studyFindings(table, found, SEED);
  const patterns = patternsOf(table);
  writeFileSync(PAGE, insertTables(readFileSync(PAGE, 'utf8'), studyTables(findings, patterns)));
  for (const [name, svg] of Object.entries(await studyCharts(findings, patterns))) {
    writeFileSync(`${IMAGES}/${name}`, svg);
  }
  console.log(`${PAGE} and its figures are up to date.`);
}

if (isMainThread) {
  const { values: options } = parseArgs({
    options: { table: { type: 'string' }, jobs: { type: 'string', default: '2' } },
  });
  if (options.table === undefined) throw new Error('--table FILE is needed');
  await runStudy(options.table, Number(options.jobs));
} else {
  const { path, task } = workerData as { path: string; task: ChainTask };
  const sampled = sampleReleases(await openTable(path), SYNTHESIZERS[task.synthesizer], SEED, task.chain);
  parentPort!.postMessage(sampled);
}
