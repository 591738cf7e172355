// Bundles the functions into dist/functions/<name>/, from where they are deployed: index.mjs with the export `handler`
// for each Lambda function, main.mjs, worker.mjs and close.mjs for the containers. All packages are within the bundles, so that
// a function is one file, which starts fast and depends on nothing but Node.
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { billOf, packagesIn } from './bill-of-materials.mjs';
import './build-kernels.mjs';
import './build-page-script.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const CONTAINER = 'fit-model';
/** The other program of its image. */
const CLOSING = 'close-run';

/** What CommonJS packages in a bundle call; under a name that no package imports. */
export const requireBanner = "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);";

const shared = {
  absWorkingDir: root,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  minify: true,
  // Names of classes are names of errors, on which the workflow matches.
  keepNames: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  metafile: true,
  logLevel: 'warning',
  banner: { js: requireBanner },
};

const handlers = readdirSync(`${root}functions`).filter((name) => ![CONTAINER, CLOSING, 'runtime'].includes(name));
rmSync(`${root}dist/functions`, { recursive: true, force: true });
const functions = await Promise.all(
  handlers.map((name) => build({ ...shared, entryPoints: { index: `./functions/${name}/handler.ts` }, outdir: `dist/functions/${name}` })),
);
// Piscina starts its threads from files of its own, and so stays a package. It needs no other.
const container = await build({
  ...shared,
  entryPoints: {
    main: `./functions/${CONTAINER}/main.ts`,
    worker: `./functions/${CONTAINER}/worker.ts`,
    close: `./functions/${CLOSING}/main.ts`,
  },
  outdir: `dist/functions/${CONTAINER}`,
  external: ['piscina'],
});
cpSync(`${root}node_modules/piscina`, `${root}dist/functions/${CONTAINER}/node_modules/piscina`, { recursive: true });
cpSync(`${root}functions/${CONTAINER}/Dockerfile`, `${root}dist/functions/${CONTAINER}/Dockerfile`);
// Beside what is deployed, which it is no part of.
writeFileSync(`${root}dist/functions.cdx.json`, billOf([...packagesIn([...functions, container]), 'node_modules/piscina'].sort()));
