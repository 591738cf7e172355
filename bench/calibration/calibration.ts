/**
 * Calibration by proper scoring on real tables: what each formula claims to tell about a record, and what it
 * achieves (docs/studies/calibration.md). Prints one JSON line a replicate, then a table.
 *
 *     node scripts/run-typescript.mjs bench/calibration/calibration.ts --table table.csv --replicates 3 --chains own
 *
 * `--made three-as-two` takes a table that is made instead (bench/modes/study-tables.ts).
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { fileTable, type MadeTable, makeTable } from '../modes/study-tables.ts';
import { type CalibrationResult, calibrationStudy } from './calibration-study.ts';

const { values: options } = parseArgs({
  options: {
    table: { type: 'string' },
    made: { type: 'string' },
    replicates: { type: 'string', default: '3' },
    replicate: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    targets: { type: 'string', default: '1000' },
    chains: { type: 'string', default: 'own' },
    classes: { type: 'string' },
    'label-moves': { type: 'string' },
    foreign: { type: 'boolean', default: false },
  },
});
if (!options.table === !options.made) throw new Error('--table FILE or --made NAME is needed');

async function runReplicate(replicate: number): Promise<CalibrationResult> {
  const { classes, ...codes } = options.made ? makeTable(options.made as MadeTable) : await fileTable(options.table!);
  return calibrationStudy({
    ...codes,
    seed: replicate,
    targets: Number(options.targets),
    model: {
      classes: options.classes === undefined ? classes : Number(options.classes),
      concentration: { shape: 0.25, rate: 0.25 },
      ...(options['label-moves'] === undefined ? {} : { labelMoves: Number(options['label-moves']) }),
    },
    datasets: 5,
    chains: options.chains === 'one' ? 'one' : 'own',
    base: { chains: 32, burnIn: 1000, draws: 50, thin: 10 },
    paired: { chains: 8, burnIn: 0, draws: 150, thin: 5 },
    foreign: options.foreign!,
  });
}

/** Runs one replicate in a process of its own, so that replicates run side by side. */
function spawnReplicate(replicate: number): Promise<CalibrationResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...process.argv.slice(1), '--replicate', String(replicate)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    createInterface(child.stdout).on('line', (line) => {
      console.log(line);
      resolve(JSON.parse(line).result);
    });
    child.on('exit', (code) => code !== 0 && reject(new Error(`replicate ${replicate} exited with ${code}`)));
  });
}

if (options.replicate !== undefined) {
  const { table: _, replicates: __, jobs: ___, ...setting } = options;
  const result = await runReplicate(Number(options.replicate));
  console.log(JSON.stringify({ ...setting, result }));
} else {
  const replicates = Array.from({ length: Number(options.replicates) }, (_, r) => r + 1);
  const results: CalibrationResult[] = [];
  const workers = Array.from({ length: Number(options.jobs) }, async () => {
    for (let next = replicates.shift(); next !== undefined; next = replicates.shift()) {
      results.push(await spawnReplicate(next));
    }
  });
  await Promise.all(workers);
  console.log('formula | achieved | claimed | slope (nats a record, mean over replicates)');
  for (const name of Object.keys(results[0]!)) {
    const mean = (pick: (c: CalibrationResult[string]) => number) =>
      (results.reduce((sum, result) => sum + pick(result[name]!), 0) / results.length).toFixed(3);
    console.log(`${name} | ${mean((c) => c.achieved)} | ${mean((c) => c.claimed)} | ${mean((c) => c.slope)}`);
  }
}
