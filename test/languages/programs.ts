import { spawnSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { cached, run } from '../debian-packages.ts';
import { PROGRAM } from '../run-command.ts';

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

/** What the R package needs to be checked, its vignette included. */
const CHECKED = ['jsonlite', 'processx', 'knitr', 'markdown', 'ggplot2', 'rpart'];

/** What builds, types and tests our package. */
const TOOLS = ['hatchling==1.33.0', 'mypy==2.4.1', 'pytest==9.2.0'];

/** What a program came to. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

const starts = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;

function end(command: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}, cwd?: string): Ended {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', cwd, env: { ...process.env, ...environment } });
  if (error) throw error;
  return { code: status, output: stdout + stderr };
}

/** R with packages: those of the machine, or Debian's, which root alone can install. */
export function requireR(needed: readonly string[] = R_PACKAGES): void {
  const isThere = () => starts('Rscript', '-e', needed.map((name) => `library(${name})`).join(';'));
  const packages = needed.map((name) => `r-cran-${name}`);
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

/** Runs R with what the R package needs, in a folder. */
export function runRPackage(folder: string, command: string, args: readonly string[], environment: NodeJS.ProcessEnv): Ended {
  requireR(CHECKED);
  return end(command, args, { LANG: 'C.UTF-8', ...environment }, folder);
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

/** Builds a Python package and installs its wheel, alone, in a folder. Returns that folder. */
export function wheelOf(source: string, folder: string): string {
  const options = ['--no-deps', '--no-build-isolation', '--no-index', '--quiet', '--target', folder];
  const { code, output } = end('python3', ['-m', 'pip', 'install', ...options, source], pythonEnvironment(TOOLS));
  if (code !== 0) throw new Error(output);
  return folder;
}

/** Runs Python in a folder with an installed package of ours, what tests it, pyarrow, pandas and Polars. */
export function runPackage(installed: string, cwd: string, ...args: string[]): Ended {
  const { PYTHONPATH: writers, ...others } = pythonEnvironment(WRITERS);
  const { PYTHONPATH: tools } = pythonEnvironment(TOOLS);
  return end('python3', args, { ...others, PYTHONPATH: [installed, writers, tools].join(delimiter), SYNTHRISK_PROGRAM: PROGRAM }, cwd);
}
