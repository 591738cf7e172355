/**
 * A table of a million records on twelve variables, some 90,000 of them distinct, evaluated by the built command
 * line with few chains: seconds of each phase, memory predicted and measured, and how the time grows with records.
 * Takes some minutes.
 *
 *     npm run bench:million
 *     npm run bench:million -- --table million.csv      writes the table and does no more
 *     npm run bench:million -- --growth                 the growth alone, a minute
 *     npm run bench:million -- --aggregate 100000x24    the results of so many combinations and variables put together, and nothing else
 *     npm run bench:million -- --jobs 4 --json
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { aggregateAlone, closeAlone } from './aggregation.ts';
import { largeTable } from './large-table.ts';
import { growRecords } from './scale.ts';

const RECORDS = 1_000_000;
const FEWER_RECORDS = 100_000;
const COMBINATIONS = 90_000;

/** So few chains and draws that scoring every combination takes minutes rather than hours. */
const CHAINS = '--chains 4 --burn-in 20 --draws 8 --thin 2 --paired-chains 2 --paired-draws 8 --paired-thin 1 --datasets 2';

const { values: options } = parseArgs({
  options: {
    table: { type: 'string' },
    growth: { type: 'boolean', default: false },
    aggregate: { type: 'string' },
    close: { type: 'string', multiple: true },
    jobs: { type: 'string', default: '2' },
    json: { type: 'boolean', default: false },
  },
});

function synthrisk(...args: string[]): string {
  const program = fileURLToPath(new URL('./synthrisk.mjs', import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
  if (status !== 0) throw new Error(`synthrisk ${args[0]} ended with ${status}`);
  return stdout;
}

function evaluateMillion() {
  const folder = mkdtempSync(join(tmpdir(), 'synthrisk-million-'));
  try {
    const table = join(folder, 'million.csv');
    writeFileSync(table, largeTable(1, { records: RECORDS, combinations: COMBINATIONS }));
    const args = [table, ...CHAINS.split(' '), '--jobs', options.jobs];
    const { memoryMiB } = JSON.parse(synthrisk('plan', ...args, '--json'));
    const out = join(folder, 'run');
    synthrisk('evaluate', ...args, '--out', out);
    const { seconds, peakMemoryMiB } = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
    return { seconds, predictedMemoryMiB: memoryMiB, peakMemoryMiB };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** {@link closeAlone} in a process of its own: this program, told so. */
function closeElsewhere(...what: Parameters<typeof closeAlone>) {
  const args = what.flatMap((value) => ['--close', value]);
  const { status, stdout } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the step ended with ${status}`);
  return JSON.parse(stdout);
}

if (options.table) {
  writeFileSync(options.table, largeTable(1, { records: RECORDS, combinations: COMBINATIONS }));
} else if (options.aggregate) {
  const [combinations, variables] = options.aggregate.split('x').map(Number);
  console.log(JSON.stringify(await aggregateAlone(combinations!, variables!, closeElsewhere), null, 2));
} else if (options.close) {
  const [folder, runId, step] = options.close;
  console.log(JSON.stringify(await closeAlone(folder!, runId!, step === 'report' ? 'report' : 'aggregate')));
} else {
  const evaluation = options.growth ? null : evaluateMillion();
  const growths = await growRecords(COMBINATIONS, [FEWER_RECORDS, RECORDS]);
  if (options.json) {
    console.log(JSON.stringify({ evaluation, growths }, null, 2));
  } else {
    if (evaluation) {
      const { seconds, predictedMemoryMiB, peakMemoryMiB } = evaluation;
      for (const [phase, time] of Object.entries<number>(seconds)) console.log(`${phase}: ${time.toFixed(1)} s`);
      console.log(`memory: ${Math.round(predictedMemoryMiB)} MiB predicted, ${Math.round(peakMemoryMiB)} MiB taken`);
    }
    for (const { work, size, sizes, milliseconds, exponent } of growths) {
      const points = sizes.map((one, i) => `${one}: ${milliseconds[i]!.toFixed(0)} ms`).join(', ');
      console.log(`${work}: grows as ${size}^${exponent.toFixed(2)} (${points})`);
    }
  }
}
