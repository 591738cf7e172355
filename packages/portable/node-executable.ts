import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What was fetched stays here; git ignores it. */
const CACHE = '.cache/programs';

/** A package of npm's that carries Node for one platform. */
export interface NodePackage {
  readonly name: string;
  readonly version: string;
  /** SHA-512 of the package, as npm's registry gives it. */
  readonly integrity: string;
}

/**
 * A folder with what a package carries, fetched from npm's registry when it is not in the cache: whole or not at all.
 *
 * @param root the project's folder
 * @throws Error when the registry has another package under that name
 */
export function fetchNode({ name, version, integrity }: NodePackage, root: string): string {
  const cache = join(root, CACHE);
  const folder = join(cache, `${name}-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const staging = mkdtempSync(join(cache, 'unfinished-'));
  try {
    const run = (command: string, ...args: string[]) =>
      execFileSync(command, args, { cwd: staging, stdio: ['ignore', 'ignore', 'inherit'] });
    run('npm', 'pack', '--silent', '--ignore-scripts', `${name}@${version}`);
    const file = join(staging, `${name}-${version}.tgz`);
    const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
    if (found !== integrity) throw new Error(`${name} ${version} is not the package that was expected`);
    // Headers and manuals, which nobody needs here, are most of its files.
    run('tar', '-xzf', file, '--strip-components=1', '--exclude=package/include', '--exclude=package/share');
    rmSync(file);
    renameSync(staging, folder);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  return folder;
}
