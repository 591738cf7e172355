import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Summary, summarySchema } from '../../shared/contracts/results/summary.ts';

/** The program, as `npm run build` leaves it; bundles of studies lie beside it, their sources two folders below it. */
const PROGRAM = fileURLToPath(new URL('./synthrisk.mjs', import.meta.url));

/**
 * Carries a command out as a user would type it, without progress.
 *
 * @param args the command with its flags
 * @param program the built command line
 * @throws Error when it ends with another code than 0; what it said is on standard error
 */
export function runSynthrisk(args: readonly string[], program = PROGRAM): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args, '--quiet'], { stdio: ['ignore', 'ignore', 'inherit'] });
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`synthrisk ${args[0]} ended with ${code}`))));
  });
}

/** The figures of a run in its folder. */
export function readSummary(folder: string): Summary {
  return summarySchema.parse(JSON.parse(readFileSync(join(folder, 'confidential', 'summary.json'), 'utf8')));
}
