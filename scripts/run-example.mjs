// Runs after ensure-ready.mjs on `npm start`: writes the example table, evaluates its risk and ends with the address of the
// report. Arguments go to `synthrisk evaluate`: npm start -- --seed 2.
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs a command of synthrisk in this terminal; gives its exit code and what it printed on standard output, which is shown
 * as well unless `quiet`.
 */
function synthrisk(programArguments, quiet = false) {
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
      if (!quiet) process.stdout.write(text);
    });
    child.on('error', fail).on('close', (code) => done({ code: code ?? 1, printed }));
  });
}

const RUNS = 'synthrisk-runs';
const { code: refused } = await synthrisk(['example', RUNS], true);
if (refused) process.exit(refused);

// The run's folder is named by its id, so that another seed, version or table never meets another run's files.
// With --resume an interrupted run goes on; a finished one is shown again at once.
const { code, printed } = await synthrisk(['evaluate', `${RUNS}/household.csv`, '--resume', ...process.argv.slice(2)]);
process.exitCode = code;
const report = /^Confidential report:\s+(.+)$/m.exec(printed)?.[1];
if (report) {
  console.log(`
The next step is your own table, from this folder:  npx --no-install synthrisk evaluate table.csv
The report is one HTML file that needs no network. Open it in a browser, by its path or by this address:
  ${pathToFileURL(resolve(root, report)).href}`);
} else if (code === 130) {
  console.error('To go on: npm start, with the same arguments.');
}
