import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { paths, root } from './emulator.ts';

/** The version of Python that LocalStack 4.14 runs on: with 3.11 it starts, and fails later. */
const VERSION = '3.13';

const PACKAGE = `${root}localstack/python`;
const REQUIREMENTS = `${PACKAGE}/requirements.txt`;

/** True for a command that is Python of that version. */
function isPython(command: string): boolean {
  const code = 'import sys; print("%d.%d" % sys.version_info[:2])';
  const { status, stdout } = spawnSync(command, ['-c', code], { encoding: 'utf8' });
  return status === 0 && stdout.trim() === VERSION;
}

/** A Python 3.13 of this machine: on the path, or among the versions of pyenv; null when there is none. */
export function findPython(): string | null {
  // Where pyenv keeps them, also for those whose path does not lead to it.
  const versions = `${process.env.PYENV_ROOT ?? `${homedir()}/.pyenv`}/versions`;
  const ofPyenv = (existsSync(versions) ? readdirSync(versions) : [])
    .filter((version) => version.startsWith(`${VERSION}.`))
    .map((version) => `${versions}/${version}/bin/python`);
  return [`python${VERSION}`, 'python3', ...ofPyenv].find(isPython) ?? null;
}

function run(command: string, ...args: string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`);
}

/** Changes with everything that is installed. */
function fingerprint(): string {
  const hash = createHash('sha256');
  const sources = readdirSync(PACKAGE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.pyc'))
    .map((entry) => `${entry.parentPath}/${entry.name}`);
  for (const file of sources.sort()) hash.update(readFileSync(file));
  return hash.digest('hex');
}

/**
 * Installs LocalStack and the package of ours in a virtual environment, unless that has been done.
 *
 * @param python a Python of the version that {@link findPython} finds
 * @returns the environment's own Python
 */
export function ensureEnvironment(python: string): string {
  const own = `${paths.environment}/bin/python`;
  const stamp = `${paths.environment}/installed`;
  const expected = fingerprint();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === expected) return own;
  process.stdout.write('Installing LocalStack (a minute or so, once)\n');
  rmSync(paths.environment, { recursive: true, force: true });
  run(python, '-m', 'venv', paths.environment);
  run(own, '-m', 'pip', 'install', '--quiet', '--require-hashes', '--requirement', REQUIREMENTS);
  // From a copy: building leaves files beside the sources.
  cpSync(PACKAGE, paths.package, { recursive: true });
  run(own, '-m', 'pip', 'install', '--quiet', '--no-deps', '--no-build-isolation', paths.package);
  rmSync(paths.package, { recursive: true });
  writeFileSync(stamp, expected);
  return own;
}
