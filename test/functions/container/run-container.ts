import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Outcome } from '../../run-command.ts';

const PROGRAMS = new URL('../../../dist/functions/fit-model/', import.meta.url);

/** The container's process, and what it comes to. */
export interface ContainerProcess {
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<Outcome>;
}

/** Starts a program of the containers' image as a process with this environment and no other variable. */
export function startContainer(environment: Readonly<Record<string, string>>, program: 'main' | 'close' = 'main'): ContainerProcess {
  const child = spawn(process.execPath, [fileURLToPath(new URL(`${program}.mjs`, PROGRAMS))], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const ended = new Promise<Outcome>((done, fail) => {
    child.on('error', fail).on('close', (code, signal) => done({ code, signal, stdout, stderr }));
  });
  return { kill: (signal) => child.kill(signal), ended };
}
