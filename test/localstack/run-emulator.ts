import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { root } from '../../localstack/emulator.ts';

async function npm(script: string): Promise<boolean> {
  const child = spawn('npm', ['run', '--silent', script], { cwd: root, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code === 0;
}

/** Starts the emulator before all tests and deploys the stack; stops the emulator after them. */
export default async function setup(): Promise<() => Promise<void>> {
  // Each says in one line what it lacks, to which a stack of this program would add nothing.
  if (!(await npm('localstack:start'))) process.exit(1);
  if (!(await npm('localstack:deploy'))) {
    await npm('localstack:stop');
    process.exit(1);
  }
  return async () => {
    if (!(await npm('localstack:stop'))) process.exitCode = 1;
  };
}
