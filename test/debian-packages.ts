import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What was fetched stays here; git ignores it. */
const CACHE = fileURLToPath(new URL('../.cache/programs', import.meta.url));

/** Runs a command quietly, and throws one line when it fails. */
export function run(command: string, args: readonly string[], cwd?: string): string {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    const reason = stderr?.trim().split('\n').at(-1) || message;
    throw new Error(`${command} ${args.at(-1)} failed: ${reason}`);
  }
}

/** Fills a folder of the cache unless it is there: whole or not at all, so that an interruption leaves no half. */
export function cached(name: string, fill: (folder: string) => void): string {
  const folder = join(CACHE, name);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const staging = mkdtempSync(join(CACHE, 'unfinished-'));
  try {
    fill(staging);
    renameSync(staging, folder);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  return folder;
}

/**
 * Unpacks what is needed of Debian's packages (a member of each, `./usr` or below) into a folder, with package lists of
 * its own, for which nobody need be root.
 */
export function fetchPackages(folder: string, members: Readonly<Record<string, string>>): void {
  const apt = join(folder, 'apt');
  for (const subfolder of ['lists/partial', 'cache/archives/partial', 'packages']) {
    mkdirSync(join(apt, subfolder), { recursive: true });
  }
  const options = [`Dir::State::lists=${join(apt, 'lists')}`, `Dir::Cache=${join(apt, 'cache')}`, 'APT::Sandbox::User='].flatMap(
    (option) => ['-o', option],
  );
  const packages = join(apt, 'packages');
  run('apt-get', [...options, 'update']);
  run('apt-get', [...options, 'download', ...Object.keys(members)], packages);
  for (const [name, member] of Object.entries(members)) {
    const file = readdirSync(packages).find((one) => one.startsWith(`${name}_`))!;
    const unpack = 'dpkg-deb --fsys-tarfile "$1" | tar -x -C "$2" "$3"';
    run('sh', ['-c', unpack, 'sh', join(packages, file), folder, member]);
  }
  rmSync(apt, { recursive: true });
}
