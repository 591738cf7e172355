// Runs a TypeScript program of this repository: node scripts/run-typescript.mjs bench/ce/study.ts [arguments].
// The bundle lies under dist/ because Node finds the packages from there.
import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import requireKernels from './require-kernels.mjs';

const [entry, ...programArguments] = process.argv.slice(2);
if (!entry) {
  console.error('usage: node scripts/run-typescript.mjs FILE.ts [arguments]');
  process.exit(2);
}
try {
  requireKernels();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const root = fileURLToPath(new URL('..', import.meta.url));
const outfile = `${root}dist/${basename(entry, '.ts')}.mjs`;
await build({
  entryPoints: [entry],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
});
process.exit(spawnSync(process.execPath, [outfile, ...programArguments], { stdio: 'inherit' }).status ?? 1);
