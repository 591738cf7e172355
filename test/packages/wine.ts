import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../debian-packages.ts';

/** What a command on Windows came to. */
export interface OnWindows {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Wine, which runs programs of Windows here: that of the machine, or Debian's, which root alone can install. */
export function requireWine(): void {
  const isThere = () => spawnSync('wine', ['--version']).status === 0;
  if (isThere()) return;
  if (process.getuid?.() !== 0) throw new Error('Wine is needed: apt-get install wine wine64');
  run('apt-get', ['-q', 'update']);
  run('apt-get', ['-qy', '--no-install-recommends', 'install', 'wine', 'wine64']);
  if (!isThere()) throw new Error('Wine was installed, and does not run');
}

// Wine is no Windows that Node knows.
const inWindows = (home: string) => ({ ...process.env, WINEPREFIX: home, WINEDEBUG: '-all', NODE_SKIP_PLATFORM_CHECK: '1' });

/** Ends what Wine left running, which writes into its folder for seconds after the last command: before that, it cannot be removed. */
export function endWindows(home: string): void {
  for (const flag of ['-k', '-w']) spawnSync('wineserver', [flag], { env: inWindows(home) });
}

/**
 * Runs the last line of a batch file in a folder. Its output goes to files: what Wine makes of a pipe, Node for Windows cannot open.
 *
 * @param home folder of the Windows that Wine makes up
 */
export function onWindows(folder: string, line: string, home: string): OnWindows {
  const script = join(folder, 'run-line.cmd');
  writeFileSync(script, `@echo off\r\n${line} > stdout.txt 2> stderr.txt\r\n`);
  const { error, status } = spawnSync('wine', ['cmd', '/c', 'run-line.cmd'], { cwd: folder, env: inWindows(home), stdio: 'ignore' });
  if (error) throw error;
  const taken = (name: string) => {
    const text = readFileSync(join(folder, name), 'utf8');
    rmSync(join(folder, name));
    return text;
  };
  rmSync(script);
  return { code: status, stdout: taken('stdout.txt'), stderr: taken('stderr.txt') };
}
