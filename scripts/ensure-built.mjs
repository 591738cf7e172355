// Builds when dist/ is missing or older than a source. Npm runs this after it has installed packages in the clone.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Time of the last change, in milliseconds, of the newest file below a folder. */
function newestChange(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((newest, entry) => Math.max(newest, statSync(join(entry.parentPath, entry.name)).mtimeMs), 0);
}

const command = join(root, 'dist', 'synthrisk.mjs');
const sources = [
  'kernels',
  'shared',
  'cli',
  'packages/npm',
  'page',
  'scripts/build-page.mjs',
  'examples',
  'functions',
  'package.json',
  'scripts/build.mjs',
  'scripts/build-kernels.mjs',
  'scripts/build-page-script.mjs',
  'scripts/build-functions.mjs',
].map((path) => join(root, path));
const changed = (path) => (statSync(path).isDirectory() ? newestChange(path) : statSync(path).mtimeMs);
if (!existsSync(command) || statSync(command).mtimeMs < Math.max(...sources.map(changed))) await import('./build.mjs');
