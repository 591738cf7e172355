// Runs after ensure-ready.mjs on `npm start`: writes the example table, evaluates its risk and ends with the path of the
// report and the verdict in a line. Arguments go to `synthrisk evaluate`: npm start -- --seed 2.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const EXAMPLE_SEED = 1;

/** Writes the example table and returns its path from the root. The same bytes each time. */
async function writeTable() {
  const outfile = join(root, 'dist', 'household-table.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['./examples/household-table.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  });
  const { householdTable } = await import(pathToFileURL(outfile).href);
  mkdirSync(join(root, 'synthrisk-runs'), { recursive: true });
  writeFileSync(join(root, 'synthrisk-runs', 'household.csv'), householdTable(EXAMPLE_SEED));
  return 'synthrisk-runs/household.csv';
}

/** Runs a command of synthrisk in this terminal; gives its exit code and what it printed on standard output. */
function synthrisk(programArguments) {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [join('dist', 'synthrisk.mjs'), ...programArguments], {
      cwd: root,
      stdio: ['inherit', 'pipe', 'inherit'],
    });
    // Ctrl-C reaches the child as well, which says how to go on and ends by itself: wait for it.
    process.on('SIGINT', () => undefined);
    process.on('SIGTERM', () => child.kill('SIGTERM'));
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text;
      process.stdout.write(text);
    });
    child.on('error', fail).on('close', (code) => done({ code: code ?? 1, printed }));
  });
}

// The run's folder is named by its id, so that another seed, version or table never meets another run's files.
// With --resume an interrupted run goes on; a finished one is shown again at once.
const { code, printed } = await synthrisk([
  'evaluate',
  await writeTable(),
  '--resume',
  ...process.argv.slice(2),
]);
process.exitCode = code;
const report = /^Confidential report:\s+(.+)$/m.exec(printed)?.[1];
const verdict = /^Verdict:\s+(.+)$/m.exec(printed)?.[1];
if (report && verdict) {
  console.log(`
The next step is your own table:  npx --no-install synthrisk evaluate table.csv
The report is one HTML file that needs no network. Open it in a browser, by its path or by this address:
  ${pathToFileURL(resolve(root, report)).href}

Report:   ${report}
Verdict:  ${verdict}`);
} else if (code === 130) {
  console.error('To go on: npm start, with the same arguments.');
}
