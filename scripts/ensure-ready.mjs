// Runs before `npm start` and `npm test`: installs and builds what is missing or out of date, so that one
// command is enough in a fresh clone. Uses nothing but Node, since nothing else may be there yet.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Oldest Node that runs all that is installed: engines.node of package.json, for example `>=20.19`. */
function refuseOldNode() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [major, minor] = engines.node.match(/\d+/g).map(Number);
  const [actualMajor, actualMinor] = process.versions.node.split('.').map(Number);
  if (actualMajor < major || (actualMajor === major && actualMinor < minor)) {
    console.error(`synthrisk needs Node ${major}.${minor} or later; this is ${process.versions.node}.`);
    process.exit(1);
  }
}

/** Runs a command in the project with this terminal, and ends with its exit code when it fails. */
function run(command, args, options = {}) {
  const { status, signal, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error !== undefined) throw error;
  if (status !== 0) {
    console.error(`${[command, ...args].join(' ')} ${signal ? `was ended by ${signal}` : 'failed'}.`);
    process.exit(status ?? 1);
  }
}

function packagesOf(lockFile) {
  return JSON.parse(readFileSync(join(root, lockFile), 'utf8')).packages;
}

/**
 * Whether node_modules is what package-lock.json says. Npm lists what it installed in a lock file of the same
 * form, which it writes last; packages for other platforms are not in it.
 */
function isInstalled() {
  const listing = 'node_modules/.package-lock.json';
  if (!existsSync(join(root, listing))) return false;
  const { '': _project, ...wanted } = packagesOf('package-lock.json');
  const installed = packagesOf(listing);
  return (
    Object.keys(installed).every((path) => path in wanted) &&
    Object.entries(wanted).every(([path, { version, optional }]) => (path in installed ? installed[path].version === version : optional))
  );
}

refuseOldNode();
// On Windows npm is a script, which only a shell can start.
// No package has to run a script of its own: dependencies.md.
if (!isInstalled()) run('npm', ['ci', '--ignore-scripts'], { shell: process.platform === 'win32' });
run(process.execPath, [join(root, 'scripts', 'ensure-built.mjs')]);
