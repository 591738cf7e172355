// Compiles the kernels, then bundles the functions, and the command line and its worker into dist/, where `npx synthrisk` finds them.
// Packages stay outside of the bundles of the command line: they are read from node_modules, some with binaries of their own.
import { readdirSync, rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import './build-functions.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const shared = {
  absWorkingDir: root,
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  sourcemap: true,
  logLevel: 'warning',
};

// What the command loads only when it is needed, such as the clients of AWS, is in files of its own.
const parts = 'part-';
for (const file of readdirSync(`${root}dist`)) if (file.startsWith(parts)) rmSync(`${root}dist/${file}`);

await build({ ...shared, entryPoints: { worker: './cli/run/worker.ts' } });
// The command last: where it is there, the build is whole.
await build({
  ...shared,
  entryPoints: { synthrisk: './cli/main.ts' },
  splitting: true,
  chunkNames: `${parts}[name]-[hash]`,
  banner: { js: '#!/usr/bin/env node' },
});
await chmod(new URL('../dist/synthrisk.mjs', import.meta.url), 0o755);
