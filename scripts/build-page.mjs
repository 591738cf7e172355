// Bundles the page into dist/synthrisk.html: one file that works from a disk, and may ask nothing of a network.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import './build-kernels.mjs';
import './build-page-script.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const shared = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  // Names of classes are names of errors.
  keepNames: true,
  platform: 'browser',
  target: ['chrome123', 'firefox120', 'safari17.5'],
  format: 'iife',
  charset: 'ascii',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  write: false,
  metafile: true,
  logLevel: 'warning',
};

/** Packages that have another entry for browsers, which have no buffers of Node's. */
const BROWSERS_OWN = { 'csv-parse/sync': 'csv-parse/browser/esm/sync', 'csv-stringify/sync': 'csv-stringify/browser/esm/sync' };

/** A bundle as text that can stand within a script element. */
const bundled = async (options) => (await build({ ...shared, ...options })).outputFiles[0].text.replaceAll('<!--', '\\x3c!--').trim();

/** What of the library's report runs and styles within the page: the policy of the page holds for it as well. */
async function partsOfReport() {
  const { outputFiles } = await build({
    ...shared,
    stdin: {
      contents: `export { recordsScript } from './shared/report/records/records-script.ts'; export { REPORT_STYLE } from './shared/report/page/report-style.ts';`,
      resolveDir: root,
      loader: 'ts',
    },
    format: 'esm',
    platform: 'node',
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`);
}

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const engine = await bundled({ entryPoints: ['./page/engine/main.ts'], inject: ['./page/engine/process.ts'], alias: BROWSERS_OWN });
const ui = await bundled({ entryPoints: ['./page/ui/main.tsx'] });
const style = readFileSync(`${root}page/ui/style.css`, 'utf8').trim();
const { recordsScript, REPORT_STYLE } = await partsOfReport();
const policy = [
  "default-src 'none'",
  `script-src ${hash(ui)} ${hash(recordsScript)} 'wasm-unsafe-eval'`,
  `style-src ${hash(style)} ${hash(REPORT_STYLE)}`,
  'worker-src blob:',
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
mkdirSync(`${root}dist`, { recursive: true });
writeFileSync(
  `${root}dist/synthrisk.html`,
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>synthrisk</title>
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<script type="text/plain" id="engine">${engine}</script>
<script>${ui}</script>
</body>
</html>
`,
);
