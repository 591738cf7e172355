import { spawnSync } from 'node:child_process';
import { root } from '../../localstack/emulator.ts';

function npm(script: string): void {
  const { status } = spawnSync('npm', ['run', '--silent', script], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error(`npm run ${script} failed`);
}

/** Starts the emulator before all tests and deploys the stack; stops the emulator after them. */
export default function setup(): () => void {
  npm('localstack:start');
  try {
    npm('localstack:deploy');
  } catch (error) {
    npm('localstack:stop');
    throw error;
  }
  return () => npm('localstack:stop');
}
