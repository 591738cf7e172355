// Compiles the kernels, then bundles the functions, and the command line and its worker into dist/, where `npx` finds them.
// All packages are within the bundles, so that what `npm pack` makes depends on nothing but Node.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { billOf, packageIn, packagesIn } from './bill-of-materials.mjs';
import { requireBanner } from './build-functions.mjs';
import './build-page.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const shared = {
  absWorkingDir: root,
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  // Lets a thread have another priority, which no run asks for: a package with a binary for each platform.
  external: ['@napi-rs/nice'],
  // Piscina begins its threads with a file beside its own, the last of those below.
  define: { __dirname: 'piscinaFolder' },
  banner: { js: `${requireBanner}const piscinaFolder=import.meta.dirname+'/piscina';` },
  sourcemap: true,
  metafile: true,
  logLevel: 'warning',
};

/** The text of a package's license; its name and its kind of license where it comes without one. */
function licenseOf(folder) {
  const { name, version, license } = packageIn(folder);
  const files = readdirSync(join(root, folder)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}

// What the command loads only when it is needed, such as the clients of AWS, is in files of its own.
const parts = 'part-';
for (const file of readdirSync(`${root}dist`)) if (file.startsWith(parts)) rmSync(`${root}dist/${file}`);

const worker = await build({
  ...shared,
  entryPoints: { worker: './cli/run/worker.ts', 'bucket-worker': './cli/commands/batch/bucket-worker.ts' },
});
const thread = await build({
  ...shared,
  entryPoints: { 'piscina/worker': './node_modules/piscina/dist/worker.js' },
  outExtension: {},
  sourcemap: false,
});
// The command last: where it is there, the build is whole.
const command = await build({
  ...shared,
  entryPoints: { synthrisk: './cli/main.ts', index: './packages/npm/index.ts' },
  splitting: true,
  chunkNames: `${parts}[name]-[hash]`,
  banner: { js: `#!/usr/bin/env node\n${shared.banner.js}` },
});
const packages = packagesIn([worker, thread, command]);
const line = `\n\n${'-'.repeat(80)}\n\n`;
writeFileSync(
  join(root, 'dist', 'third-party-licenses.txt'),
  `${['The program contains these packages, with thanks.', ...packages.map(licenseOf)].join(line)}\n`,
);
writeFileSync(join(root, 'dist', 'sbom.cdx.json'), billOf(packages));
await chmod(new URL('../dist/synthrisk.mjs', import.meta.url), 0o755);
