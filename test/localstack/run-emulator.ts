import { spawnSync } from 'node:child_process';
import { root } from '../../localstack/emulator.ts';

function npm(script: string): boolean {
  const { status } = spawnSync('npm', ['run', '--silent', script], { cwd: root, stdio: 'inherit' });
  return status === 0;
}

/** Starts the emulator before all tests and deploys the stack; stops the emulator after them. */
export default function setup(): () => void {
  // Each says in one line what it lacks, to which a stack of this program would add nothing.
  if (!npm('localstack:start')) process.exit(1);
  if (!npm('localstack:deploy')) {
    npm('localstack:stop');
    process.exit(1);
  }
  return () => {
    if (!npm('localstack:stop')) process.exitCode = 1;
  };
}
