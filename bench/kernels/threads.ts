import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { householdTable } from '../../examples/household-table.ts';
import { type Growth, growth } from './measure.ts';

const RECORDS = 7000;

/** Chains enough for every thread, and draws enough that starting a thread does not count. */
const CHAINS = '--chains 16 --burn-in 500 --draws 40 --paired-chains 4 --paired-draws 60 --datasets 4';

/**
 * How the wall time of the phases that run side by side grows with the worker threads, from one to the cores of this
 * machine, by the built command line: -1 would be twice as fast with twice as many. Other work of the machine counts.
 */
export function growThreads(): Growth[] {
  const cores = availableParallelism();
  const counts = [1, 2, 4, 8, 16, 32].filter((count) => count <= cores);
  if (counts.length < 2) return [];
  const folder = mkdtempSync(join(tmpdir(), 'synthrisk-threads-'));
  try {
    const table = join(folder, 'table.csv');
    writeFileSync(table, householdTable(1, RECORDS));
    const program = fileURLToPath(new URL('./synthrisk.mjs', import.meta.url));
    const points = counts.map((size) => {
      const out = join(folder, String(size));
      const args = ['evaluate', table, ...CHAINS.split(' '), '--jobs', String(size), '--out', out, '--quiet'];
      const { status } = spawnSync(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
      if (status !== 0) throw new Error(`synthrisk evaluate ended with ${status}`);
      const { seconds } = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
      return { size, milliseconds: 1000 * (seconds.fit + seconds.augment + seconds.assess) };
    });
    return [growth('fit, augment and assess, wall time', 'threads', points)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
