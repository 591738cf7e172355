import { setTimeout } from 'node:timers/promises';
import type { RunStatus } from './run-status.ts';
import { statusLine } from './status-line.ts';

/** Between two questions: Step Functions allows one DescribeMapRun a second, for the whole account. */
const POLL_MILLISECONDS = 4_000;

/** Where lines cannot be rewritten, as in a log file, one a minute is enough. */
const LOG_MILLISECONDS = 60_000;

/** Shows on standard error how a run is doing until its execution has ended; returns how it ended. */
export async function watchRun(read: () => Promise<RunStatus>): Promise<RunStatus> {
  const { stderr } = process;
  let shown = -LOG_MILLISECONDS;
  for (;;) {
    const status = await read();
    if (stderr.isTTY) stderr.write(`\r\u001b[K${statusLine(status)}`);
    if (status.status !== 'running') {
      if (stderr.isTTY) stderr.write('\r\u001b[K');
      return status;
    }
    if (!stderr.isTTY && performance.now() - shown >= LOG_MILLISECONDS) {
      shown = performance.now();
      stderr.write(`${statusLine(status)}\n`);
    }
    await setTimeout(POLL_MILLISECONDS);
  }
}
