import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { paths, refuse } from './emulator.ts';

// `npm run localstack:stop`: ends what `npm run localstack:start` started, and the functions that it runs.

const STOP_SECONDS = 30;

/** Signals the emulator's group of processes; false when there is none. */
function signal(group: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

if (!existsSync(paths.process)) refuse('LocalStack was not started by npm run localstack:start.');
const group = Number(readFileSync(paths.process, 'utf8'));
signal(group, 'SIGTERM');
const deadline = Date.now() + STOP_SECONDS * 1000;
while (signal(group, 0)) {
  if (Date.now() > deadline) signal(group, 'SIGKILL');
  await setTimeout(100);
}
rmSync(paths.process);
process.stdout.write('LocalStack has stopped.\n');
