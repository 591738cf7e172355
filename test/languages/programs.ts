import { spawnSync } from 'node:child_process';
import { cached, run } from '../debian-packages.ts';

/** The version of Polars with which the example is tested. */
const POLARS = ['polars==2.1.0'];

/** What integrates over parameters in `exact/`. */
const NUMPY = ['numpy==2.4.6'];

/** Programs that write tables, and what they need for each of their formats. */
const WRITERS = [
  ...['pyarrow==26.0.1', 'pandas==3.1.1', 'polars==2.1.0', 'duckdb==2.0.0', 'fastparquet==2026.9.0'],
  ...['openpyxl==3.1.5', 'xlsxwriter==3.3.1', 'pyreadstat==1.3.7', 'pyreadr==0.5.8'],
];

/** What the example in R needs, and what R reads and writes files of other programs with. */
const R_PACKAGES = ['jsonlite', 'haven', 'openxlsx'];

/** What a program came to. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

const starts = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;

function end(command: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): Ended {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', env: { ...process.env, ...environment } });
  if (error) throw error;
  return { code: status, output: stdout + stderr };
}

/** R with its packages: that of the machine, or Debian's, which root alone can install. */
export function requireR(): void {
  const isThere = () => starts('Rscript', '-e', R_PACKAGES.map((name) => `library(${name})`).join(';'));
  const packages = R_PACKAGES.map((name) => `r-cran-${name}`);
  if (isThere()) return;
  if (process.getuid?.() !== 0) {
    throw new Error(`R is needed, with packages: apt-get install ${packages.join(' ')}`);
  }
  run('apt-get', ['-q', 'update']);
  run('apt-get', ['-qy', '--no-install-recommends', 'install', 'r-base-core', ...packages]);
  if (!isThere()) throw new Error('R was installed, and does not find its packages');
}

/** Runs a script in R. */
export function runR(...args: string[]): Ended {
  requireR();
  return end('Rscript', args);
}

/** In which Python finds packages, which are put into the cache once. */
export function pythonEnvironment(packages: readonly string[] = POLARS): NodeJS.ProcessEnv {
  const folder = cached(packages.join('+').replaceAll('==', '-'), (staging) =>
    run('python3', ['-m', 'pip', 'install', '--quiet', '--no-cache-dir', '--target', staging, ...packages]),
  );
  return { PYTHONPATH: folder, PYTHONIOENCODING: 'utf-8', PYTHONDONTWRITEBYTECODE: '1' };
}

/** Runs a script in Python with Polars. */
export function runPython(...args: string[]): Ended {
  return end('python3', args, pythonEnvironment());
}

/** Runs a script in Python with everything that writes tables. */
export function runWriters(...args: string[]): Ended {
  return end('python3', args, pythonEnvironment(WRITERS));
}

/** Runs a script in Python with NumPy. */
export function runNumpy(...args: string[]): Ended {
  return end('python3', args, pythonEnvironment(NUMPY));
}
