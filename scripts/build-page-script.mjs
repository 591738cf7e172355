// Bundles the script of a report's records and writes it as text that TypeScript can import, so that a report is one file and
// the library needs no file system to find it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

const { outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: ['./shared/report/records/browser/main.ts'],
  bundle: true,
  minify: true,
  platform: 'browser',
  target: ['chrome115', 'firefox115', 'safari16.4'],
  format: 'iife',
  charset: 'ascii',
  write: false,
  logLevel: 'warning',
});
const text = `// Made by scripts/build-page-script.mjs from shared/report/records/browser/. Do not edit.
/** shared/report/records/browser/main.ts, bundled. */
export const recordsScript = ${JSON.stringify(outputFiles[0].text)};
`;
// Written only when it changes, so that its time says when the script last did.
const file = `${root}shared/report/records/records-script.ts`;
if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
