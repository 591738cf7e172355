import { spawnSync } from 'node:child_process';
import { cached, run } from '../debian-packages.ts';

/** The version of Polars with which the example is tested. */
const POLARS = 'polars==2.1.0';

/** What a program came to. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

const starts = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;

function end(command: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): Ended {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  });
  if (error) throw error;
  return { code: status, output: stdout + stderr };
}

/** R with jsonlite: that of the machine, or Debian's, which root alone can install. */
export function requireR(): void {
  const isThere = () => starts('Rscript', '-e', 'library(jsonlite)');
  if (isThere()) return;
  if (process.getuid?.() !== 0) {
    throw new Error('The example in R needs Rscript with jsonlite: apt-get install r-cran-jsonlite');
  }
  run('apt-get', ['-q', 'update']);
  run('apt-get', ['-qy', '--no-install-recommends', 'install', 'r-base-core', 'r-cran-jsonlite']);
  if (!isThere()) throw new Error('R was installed, and does not find jsonlite');
}

/** Runs a script in R. */
export function runR(...args: string[]): Ended {
  requireR();
  return end('Rscript', args);
}

/** In which Python finds Polars, which is put into the cache once. */
export function pythonEnvironment(): NodeJS.ProcessEnv {
  const packages = cached(POLARS.replace('==', '-'), (staging) =>
    run('python3', ['-m', 'pip', 'install', '--quiet', '--no-cache-dir', '--target', staging, POLARS]),
  );
  return { PYTHONPATH: packages, PYTHONIOENCODING: 'utf-8' };
}

/** Runs a script in Python with Polars. */
export function runPython(...args: string[]): Ended {
  return end('python3', args, pythonEnvironment());
}
