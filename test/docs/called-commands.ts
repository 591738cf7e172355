import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Programs that a block may call; any other is a mistake of the page, or has to be added here. */
const PROGRAMS = [
  'npx',
  'npm',
  'aws',
  'docker',
  'openssl',
  'sha256sum',
  'cut',
  'diff',
  'node',
  'Rscript',
  'python3',
  'nice',
  'xargs',
  'synthrisk',
];

/** Writes its name and arguments down, at once, since the programs of a pipe do so side by side, and does nothing else. */
const RECORDER = `#!/bin/bash
printf -v call '%s\\x1f' "\${0##*/}" "$@"
printf '%s\\x1e' "$call" >> "$CALLS"
`;

/**
 * The commands that a block of shell calls, each as the program and its arguments, found by a shell in which every program
 * only writes down how it was called.
 *
 * @throws Error where the shell does not understand the block, or it calls another program
 */
export function calledCommands(block: string): string[][] {
  const folder = mkdtempSync(join(tmpdir(), 'synthrisk-calls-'));
  try {
    const programs = join(folder, 'programs');
    mkdirSync(programs);
    writeFileSync(join(folder, 'recorder'), RECORDER);
    chmodSync(join(folder, 'recorder'), 0o755);
    for (const program of PROGRAMS) symlinkSync('../recorder', join(programs, program));
    const calls = join(folder, 'calls');
    const { status, stderr, error } = spawnSync('/bin/bash', ['--norc', '--noprofile', '-euo', 'pipefail', '-c', block], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: programs, CALLS: calls, HOME: folder },
    });
    if (error) throw error;
    if (status !== 0) throw new Error(`the shell ended with ${status}: ${stderr}`);
    if (!existsSync(calls)) return [];
    return readFileSync(calls, 'utf8')
      .split('\x1e')
      .slice(0, -1)
      .map((call) => call.split('\x1f').slice(0, -1));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
