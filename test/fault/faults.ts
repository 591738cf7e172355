/**
 * Jobs of the command line that are killed, run out of disk, meet a second process or a file that has decayed:
 *
 *     npm run faults -- [--cases N] [--seed N] [--jobs NAME,...] [FAULT...]
 *
 * The folder of a job that ends wrongly is left in a temporary folder; the exit code is 1.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { type Baseline, baselineOf, canMount, FAULTS, met } from './break-job.ts';
import { JOBS, writeInputs } from './jobs.ts';

// Jobs are of one day, however many hours they are compared for.
process.env.SOURCE_DATE_EPOCH ??= '1773014400';

const { values, positionals } = parseArgs({
  options: { cases: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' }, jobs: { type: 'string' } },
  allowPositionals: true,
});
const names = values.jobs?.split(',');
const unknown = [
  ...positionals.filter((name) => !(name in FAULTS)),
  ...(names ?? []).filter((name) => JOBS.every((job) => job.name !== name)),
];
if (unknown.length > 0)
  throw new RangeError(`unknown: ${unknown.join(', ')}; faults: ${Object.keys(FAULTS)}; jobs: ${JOBS.map(({ name }) => name)}`);

const directory = mkdtempSync(join(tmpdir(), 'synthrisk-faults-'));
const chosen = JOBS.filter(({ name }) => names?.includes(name) ?? true);
await writeInputs(directory, chosen);
const baselines: Baseline[] = [];
for (const job of chosen) {
  const baseline = await baselineOf(directory, job);
  baselines.push(baseline);
  process.stdout.write(`${job.name}: ${(baseline.milliseconds / 1000).toFixed(1)} s, ${Object.keys(baseline.hashes).length} files\n`);
}
for (const fault of Object.keys(FAULTS).filter((name) => positionals.length === 0 || positionals.includes(name))) {
  if (['full-disk', 'read-only'].includes(fault) && !canMount()) {
    process.stdout.write(`${fault}: left out, since this user may not mount a disk\n`);
    continue;
  }
  const random = new RandomStream(Number(values.seed), fault);
  const began = performance.now();
  let [faults, wrong] = [0, 0];
  for (let i = 0; i < Number(values.cases); i++) {
    const baseline = baselines[i % baselines.length]!;
    const verdict = await met(baseline, fault, i + 1, random);
    faults += verdict.faults;
    if (verdict.mistake === null) continue;
    wrong++;
    process.exitCode = 1;
    process.stdout.write(`${join(directory, `${fault}-${baseline.job.name}-${i + 1}`)}: ${verdict.mistake}\n`);
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  process.stdout.write(`${fault}: ${values.cases} jobs, ${faults} met it, ${wrong} went wrong, ${seconds} s\n`);
}
