import { spawn } from 'node:child_process';
import { mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { endpoint, isRunning, listen, paths, refuse } from './emulator.ts';
import { ensureEnvironment, findPython } from './python-environment.ts';

// `npm run localstack:start`: LocalStack without Docker, in the background until `npm run localstack:stop`.

const READY_SECONDS = 120;

if (await isRunning()) refuse(`LocalStack already runs: ${endpoint}`);
const python = findPython();
if (python === null) {
  refuse('LocalStack needs Python 3.13, and there is none: neither python3.13 nor a 3.13 of pyenv.');
}
const own = ensureEnvironment(python);

rmSync(paths.files, { recursive: true, force: true });
mkdirSync(`${paths.files}/tmp`, { recursive: true });
const log = openSync(paths.log, 'w');
const child = spawn(own, ['-m', 'localstack.runtime.main'], {
  cwd: paths.files,
  detached: true,
  stdio: ['ignore', log, log],
  env: {
    ...process.env,
    GATEWAY_LISTEN: listen,
    FILESYSTEM_ROOT: paths.files,
    TMPDIR: `${paths.files}/tmp`,
    // Nothing is sent to anyone, nothing fetched, no name resolved.
    DISABLE_EVENTS: '1',
    SKIP_SSL_CERT_DOWNLOAD: '1',
    DNS_ADDRESS: '0',
    LAMBDA_RUNTIME_EXECUTOR: 'process',
    NODE_BINARY: process.execPath,
  },
});
writeFileSync(paths.process, String(child.pid));
let ended = false;
child.on('exit', () => {
  ended = true;
});
const deadline = Date.now() + READY_SECONDS * 1000;
while (!(await isRunning())) {
  if (ended || Date.now() > deadline) {
    refuse(`LocalStack ${ended ? 'ended' : 'did not answer'}; its log is ${paths.log}`);
  }
  await setTimeout(200);
}
child.unref();
process.stdout.write(`LocalStack runs: ${endpoint}\n`);
process.exit(0);
